import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { renderHtml } from '../../reports/write/html/render-html.ts';
import { RowSkipped, type Row } from '../row.ts';
import { sizedReport } from '../sized-report.ts';

const exchanges = 5_000;
const failures = 60;
/** Most bytes of such a page. */
const goalBytes = 3_000_000;

export const rows: readonly Row[] = [
  {
    name: 'report-page',
    what: `opening report.html of ${exchanges} exchanges and ${failures} failures in Chromium`,
    unit: 'ms',
    better: 'less',
    goal: 1_000,
    run: async (compare) => {
      const executablePath = process.env['CHROMIUM'] || findChromium();
      if (executablePath === '') throw new RowSkipped('there is no Chromium on this machine; set CHROMIUM');
      const text = renderHtml(sizedReport(exchanges, failures));
      const bytes = Buffer.byteLength(text);
      if (bytes > goalBytes) throw new Error(`expected at most ${goalBytes} bytes, received ${bytes}`);
      const directory = mkdtempSync(join(tmpdir(), 'svc-conform-bench-'));
      writeFileSync(join(directory, 'report.html'), text);
      writeFileSync(
        join(directory, 'empty.html'),
        '<!doctype html><html lang="en"><title>nothing</title><p>nothing</p></html>',
      );
      const browser = await chromium.launch({
        executablePath,
        args: ['--no-sandbox', '--disable-background-networking'],
      });
      const page = await browser.newPage();
      /** Milliseconds from the beginning of the visit until the page is loaded and painted. */
      const open = async (name: string): Promise<number> => {
        await page.goto('about:blank');
        await page.goto(pathToFileURL(join(directory, name)).href);
        return await page.evaluate<number>(
          'new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))))',
        );
      };
      await compare(() => open('report.html'), [{ name: 'an empty page', measure: () => open('empty.html') }]);
      await browser.close();
      rmSync(directory, { recursive: true });
    },
  },
];

function findChromium(): string {
  return execFileSync('sh', ['-c', 'command -v chromium || true'], { encoding: 'utf8' }).trim();
}
