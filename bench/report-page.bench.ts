import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { renderHtml } from '../reports/write/html/render-html.ts';
import { compare } from './rounds.ts';
import { sizedReport } from './sized-report.ts';

/** Goals for 5,000 exchanges. */
const goalBytes = 3_000_000;
const goalMs = 1_000;
const sizes = [
  { exchanges: 100, failures: 10 },
  { exchanges: 5_000, failures: 60 },
];

const executablePath =
  process.env['CHROMIUM'] || execFileSync('sh', ['-c', 'command -v chromium || true'], { encoding: 'utf8' }).trim();
if (executablePath === '') console.log('report.html in a browser: skipped, no Chromium on this machine; set CHROMIUM');
else await measure();

async function measure(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-conform-bench-'));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
  const page = await browser.newPage();

  /** Milliseconds from the beginning of the visit until the page is loaded and painted. */
  const opened = async (name: string): Promise<number> => {
    await page.goto('about:blank');
    await page.goto(pathToFileURL(join(directory, name)).href);
    return await page.evaluate<number>(
      'new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))))',
    );
  };

  writeFileSync(
    join(directory, 'empty.html'),
    '<!doctype html><html lang="en"><title>nothing</title><p>nothing</p></html>',
  );
  for (const { exchanges, failures } of sizes) {
    const text = renderHtml(sizedReport(exchanges, failures));
    const name = `${exchanges}.html`;
    writeFileSync(join(directory, name), text);
    const bytes = Buffer.byteLength(text);
    const { subject } = await compare(
      `Opening report.html of ${exchanges} exchanges and ${failures} failures, compared with an empty page`,
      'ms',
      () => opened('empty.html'),
      () => opened(name),
    );
    const isKept = bytes <= goalBytes && subject <= goalMs;
    console.log(`  size     ${Math.ceil(bytes / 1000)} kB`);
    console.log(`  goal     ${goalBytes / 1000} kB and ${goalMs} ms, ${isKept ? 'kept' : 'missed'}`);
  }
  await browser.close();
  rmSync(directory, { recursive: true });
}
