import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderHtml } from '../../reports/render-html.ts';
import type { Report } from '../../specs/types.ts';
import {
  callReport,
  cascadeReport,
  hostile,
  hostileCallReport,
  hostileReport,
  manyFailuresReport,
  oneFailureReport,
} from './sample-report.ts';

const executablePath = installedChromium();
if (executablePath === undefined) console.warn('skipped: no Chromium on this machine; set CHROMIUM');

/** The browser that the environment names, or the one on the PATH. */
function installedChromium(): string | undefined {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  try {
    return execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

const reports = {
  call: callReport,
  cascade: cascadeReport,
  hostile: hostileReport,
  'hostile call': hostileCallReport,
  many: manyFailuresReport,
  part: oneFailureReport,
};

/** A page with a report, and everything that it did beside showing itself. */
interface Opened extends AsyncDisposable {
  readonly page: Page;
  readonly trouble: readonly string[];
}

describe.skipIf(executablePath === undefined)('a report in a browser', () => {
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-conform-report-'));
    browser = await chromium.launch({
      ...(executablePath !== undefined && { executablePath }),
      args: ['--no-sandbox', '--disable-background-networking'],
    });
  });

  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(report: Report, options: BrowserContextOptions = {}): Promise<Opened> {
    const file = join(folder, `${crypto.randomUUID()}.html`);
    await writeFile(file, renderHtml(report));
    const address = pathToFileURL(file).href;
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const trouble: string[] = [];
    page.on('console', (message) => trouble.push(`console ${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => {
      trouble.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (request.url() !== address) trouble.push(`request: ${request.url()}`);
    });
    await page.exposeFunction('tellViolation', (text: string) => trouble.push(`violation: ${text}`));
    await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
      tellViolation(event.violatedDirective + ' ' + event.blockedURI))`);
    await page.goto(address);
    return { page, trouble, [Symbol.asyncDispose]: () => context.close() };
  }

  const rows = (page: Page) => page.locator('#requirements tr[data-outcome]:visible');

  test.each(Object.entries(reports))('%s: asks nobody, breaks no policy, reports no error', async (_, report) => {
    await using opened = await open(report);
    const { page, trouble } = opened;
    for (const summary of await page.locator('summary:visible').all()) await summary.click();
    await page.locator('#filter-text').fill('a');
    expect(trouble).toEqual([]);
  });

  test('what the first test watches for is seen when it happens', async () => {
    await using opened = await open(hostileReport);
    const { page, trouble } = opened;
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src="https://evil.example/x">')`);
    await expect.poll(() => trouble.join('\n')).toMatch(/violation: img-src https:\/\/evil\.example\/x/);
    expect(trouble.join('\n')).toMatch(/console error/);
  });

  test('the verdict is the first heading', async () => {
    await using opened = await open(cascadeReport);
    const first = opened.page.locator('h1, h2, h3, h4').first();
    expect(await first.evaluate((element) => element.tagName)).toBe('H1');
    expect(await first.innerText()).toMatch(/^non-conformant$/i);
  });

  test('the filters hide and show rows, by keyboard alone', async () => {
    await using opened = await open(manyFailuresReport);
    const { page } = opened;
    const all = manyFailuresReport.requirements.length;
    const focused = () => page.evaluate('document.activeElement.id');
    for (let step = 0; step < 200 && (await focused()) !== 'filter-text'; step += 1) await page.keyboard.press('Tab');
    expect(await focused()).toBe('filter-text');

    await page.keyboard.type('constant');
    expect(await rows(page).count()).toBe(1);
    expect(await rows(page).innerText()).toContain('crm-webhook/compares-in-constant-time');
    expect(await page.locator('#filter-count').innerText()).toBe(`1 of ${all} shown`);
    for (let typed = 0; typed < 'constant'.length; typed += 1) await page.keyboard.press('Backspace');
    expect(await page.locator('#filter-count').innerText()).toBe(`${all} of ${all} shown`);

    await page.keyboard.press('Tab');
    expect(await focused()).toBe('filter-verdict');
    await page.keyboard.type('blocked');
    const blocked = manyFailuresReport.requirements.filter(({ verdict }) => verdict === 'blocked');
    expect(await rows(page).count()).toBe(blocked.length);
    expect(await page.locator('.by-surface:visible').count()).toBe(1);
  });

  test('a filter unfolds the surfaces that were not selected, and folds them again', async () => {
    await using opened = await open(oneFailureReport);
    const { page } = opened;
    const unfolded = await rows(page).count();
    expect(unfolded).toBe(oneFailureReport.requirements.filter(({ surface }) => surface === 'own-ai-chat').length);
    await page.locator('#filter-text').fill('lookup');
    expect(await rows(page).count()).toBe(1);
    await page.locator('#filter-text').fill('');
    expect(await rows(page).count()).toBe(unfolded);
  });

  test('details open by keyboard, and a link to evidence opens it', async () => {
    await using opened = await open(manyFailuresReport);
    const { page } = opened;
    const details = page.locator('.finding details.exchange').first();
    await details.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await details.locator('pre').first().isVisible()).toBe(true);

    await page.locator('#requirements details summary').first().click();
    const link = page.locator('#requirements a[href^="#exchange-"]:visible').first();
    const target = page.locator((await link.getAttribute('href')) ?? '');
    expect(await target.locator('pre').first().isVisible()).toBe(false);
    await link.press('Enter');
    await expect.poll(() => target.locator('pre').first().isVisible()).toBe(true);
  });

  test.each(Object.entries(reports))('%s: nothing has to be scrolled sideways at 390 pixels', async (_, report) => {
    await using opened = await open(report, { viewport: { width: 390, height: 844 } });
    const { page } = opened;
    await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });

  test('the dark scheme applies', async () => {
    const grounds = await Promise.all(
      (['light', 'dark'] as const).map(async (colorScheme) => {
        await using opened = await open(oneFailureReport, { colorScheme });
        return await opened.page.evaluate('getComputedStyle(document.body).backgroundColor');
      }),
    );
    expect(grounds).toEqual(['rgb(255, 255, 255)', 'rgb(20, 23, 27)']);
  });

  test('hostile text stays text', async () => {
    await using opened = await open(hostileReport);
    const { page } = opened;
    expect(await page.locator('img, iframe, object, embed, link, base, [onerror], [onmouseover]').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(1);
    expect(await page.locator('style').count()).toBe(1);
    const text = await page.locator('body').evaluate((body) => body.textContent);
    expect(text).toContain(hostile.tag);
    expect(text).toContain(hostile.scriptEnd);
  });
});
