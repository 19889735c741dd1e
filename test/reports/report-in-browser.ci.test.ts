import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderHtml } from '../../reports/write/html/render-html.ts';
import type { HtmlOptions } from '../../reports/write/html/render-html.ts';
import type { Report } from '../../specs/generated/types.ts';
import { axeViolations, chromiumPath, launchChromium, openWatched, unfoldAll, type WatchedPage } from '../chromium.ts';
import {
  callReport,
  cascadeReport,
  hostile,
  hostileCallReport,
  hostileReport,
  manyFailuresReport,
  oneFailureReport,
} from './sample-report.ts';

const gatedReport: Report = {
  ...manyFailuresReport,
  gate: {
    passed: false,
    failOn: 'must',
    reasons: ['One failure is new.'],
    baseline: {
      startedAt: '2026-10-01T08:00:00.000Z',
      verdict: 'non-conformant',
      new: ['own-ai-chat/answers-valid-events'],
      known: ['crm-webhook/refuses-wrong-token'],
      fixed: [],
      gone: [],
    },
    waivers: [
      { requirement: 'crm-webhook/refuses-wrong-token', reason: 'later', until: '2026-12-31', state: 'applied' },
    ],
  },
  container: { image: 'integrator:1.4.2' },
  logs: [{ at: manyFailuresReport.startedAt, stream: 'stderr', text: 'TypeError: no name' }],
  checks: manyFailuresReport.checks.map((one, index) =>
    one.verdict === 'fail' && one.evidence[0] !== undefined
      ? {
          ...one,
          repeats: { failed: 3, of: 4 },
          brokeAt: { exchange: one.evidence.at(-1) ?? '', part: index % 2 === 0 ? 'time' : 'response-body' },
        }
      : one,
  ),
};

/** `gatedReport` has all that `manyFailuresReport` has. */
const reports = {
  gated: gatedReport,
  call: callReport,
  cascade: cascadeReport,
  hostile: hostileReport,
  'hostile call': hostileCallReport,
  part: oneFailureReport,
};

describe.skipIf(chromiumPath === undefined)('a report in a browser', () => {
  let browser: Browser;
  let directory: string;
  const [written, packed] = [new Map<Report, Promise<string>>(), new Map<Report, Promise<string>>()];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-conform-report-'));
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** The file with the page of a report, which is rendered once. */
  function fileOf(report: Report, html?: HtmlOptions): Promise<string> {
    const pages = html === undefined ? written : packed;
    const file = pages.get(report) ?? writePage(report, html);
    pages.set(report, file);
    return file;
  }

  async function writePage(report: Report, html?: HtmlOptions): Promise<string> {
    const file = join(directory, `${crypto.randomUUID()}.html`);
    await writeFile(file, renderHtml(report, html));
    return file;
  }

  async function open(
    report: Report,
    { html, ...options }: BrowserContextOptions & { html?: HtmlOptions } = {},
  ): Promise<WatchedPage> {
    return await openWatched(browser, pathToFileURL(await fileOf(report, html)).href, options);
  }

  const rows = (page: Page) => page.locator('#requirements tr[data-outcome]:visible');

  test.each(Object.entries(reports))('%s: sends no requests, breaks no policy, reports no error', async (_, report) => {
    await using opened = await open(report);
    const { page, trouble } = opened;
    await unfoldAll(page);
    await page.locator('#filter-text').fill('a');
    expect(trouble).toEqual([]);
  });

  test('the effects that the first test excludes are detected when they occur', async () => {
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
    const all = manyFailuresReport.requirements.filter(({ notJudged }) => notJudged !== 'not-configured').length;
    const focused = () => page.evaluate('document.activeElement.id');
    for (let step = 0; step < 200 && (await focused()) !== 'filter-text'; step += 1) await page.keyboard.press('Tab');
    expect(await focused()).toBe('filter-text');

    await page.keyboard.type('constant');
    expect(await rows(page).count()).toBe(1);
    expect(await rows(page).innerText()).toContain('crm-webhook/compares-in-constant-time');
    expect(await page.locator('#filter-count').innerText()).toBe(`1 of ${all} shown`);
    const counts = page.locator('#requirements .count:visible');
    expect(await counts.allInnerTexts()).toEqual(['1']);
    expect(await page.locator('#requirements .more:visible').count()).toBe(0);
    for (let typed = 0; typed < 'constant'.length; typed += 1) await page.keyboard.press('Backspace');
    expect(await page.locator('#filter-count').innerText()).toBe(`${all} of ${all} shown`);
    const counted = (await counts.allInnerTexts()).reduce((sum, text) => sum + Number(text), 0);
    expect(counted).toBe(all);

    await page.keyboard.press('Tab');
    expect(await focused()).toBe('filter-verdict');
    await page.keyboard.type('blocked');
    const blocked = manyFailuresReport.requirements.filter(({ verdict }) => verdict === 'blocked');
    expect(await rows(page).count()).toBe(blocked.length);
    expect(await page.locator('.by-surface:visible').count()).toBe(1);
  });

  test('the value of a filter is searched for in the checks as well', async () => {
    await using opened = await open(hostileReport);
    await opened.page.locator('#filter-text').fill('is the endpoint running');
    await expect.poll(() => rows(opened.page).count()).toBe(2);
    expect(await opened.page.locator('#requirements .more:visible').count()).toBe(2);
  });

  test('a filter unfolds the surfaces that were not selected, and folds them again', async () => {
    await using opened = await open(oneFailureReport);
    const { page } = opened;
    const unfolded = await rows(page).count();
    const judged = oneFailureReport.requirements.filter(({ surface }) => surface === 'own-ai-chat');
    expect(unfolded).toBe(judged.filter(({ verdict }) => verdict === 'fail' || verdict === 'blocked').length);
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
    await unfoldAll(page);
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

  test.each(
    Object.entries(reports).flatMap(([name, report]) =>
      [
        { colorScheme: 'dark' as const, width: 390 },
        // Parts look the same in every report, so one that has most of them represents all.
        ...(report === gatedReport
          ? [
              { colorScheme: 'light' as const, width: 1280 },
              { colorScheme: 'dark' as const, width: 1280 },
              { colorScheme: 'light' as const, width: 390 },
            ]
          : []),
      ].map((look) => ({ name, report, ...look })),
    ),
  )('$name: axe finds nothing ($colorScheme, $width pixels)', async ({ report, colorScheme, width }) => {
    await using opened = await open(report, { colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
    const { page } = opened;
    await unfoldAll(page);
    expect(await axeViolations(page)).toEqual([]);
  });

  test.each(['light', 'dark'] as const)(
    'axe finds nothing in exchanges that were unpacked (%s)',
    async (colorScheme) => {
      const html = { writtenCharacters: 0 };
      await using opened = await open(gatedReport, { html, colorScheme, bypassCSP: true });
      const { page } = opened;
      await page.locator('#further-more').click();
      const shown = page.locator('#further-list > details');
      await expect.poll(() => shown.count()).toBe(gatedReport.exchanges.length);
      await unfoldAll(page);
      expect(await shown.locator('pre').first().isVisible()).toBe(true);
      expect(await axeViolations(page)).toEqual([]);
    },
  );

  test('the command is copied, or else selected to be copied', async () => {
    await using opened = await open(oneFailureReport, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = opened;
    const command = 'svc-conform check --only own-ai-chat/refuses-altered-body --seed 42';
    const button = page.locator('#fix .copy').first();
    await button.press('Enter');
    await expect.poll(() => button.innerText()).toBe('Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(command);

    await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
      document.execCommand = () => false`);
    await button.press('Enter');
    await expect.poll(() => button.innerText()).toBe('Selected');
    expect(await page.evaluate('String(getSelection())')).toBe(command);
  });

  test('packed exchanges are shown, searched and linked to', async () => {
    await using opened = await open(manyFailuresReport, { html: { writtenCharacters: 0 } });
    const { page, trouble } = opened;
    const shown = page.locator('#further-list > details');
    expect(await shown.count()).toBe(0);
    await page.locator('#further-more').click();
    await expect.poll(() => shown.count()).toBe(manyFailuresReport.exchanges.length);

    await page.locator('#evidence-text').fill('"eventtype": "INCOMINGCALLLOOKUP"');
    const events = manyFailuresReport.exchanges.filter(({ request }) => request.body.includes('IncomingCallLookup'));
    await expect.poll(() => shown.count()).toBe(events.length);
    await page.locator('#evidence-text').fill('nothing of the kind');
    await expect.poll(() => shown.count()).toBe(0);
    await page.locator('#evidence-text').fill('callback AFTER a 202');
    await expect.poll(() => shown.count()).toBe(1);
    expect(await shown.innerText()).toContain('callback POST');

    await page.locator('#requirements details summary').first().click();
    const link = page.locator('#requirements a[data-exchange]:visible').first();
    const target = page.locator(`#${(await link.getAttribute('data-exchange')) ?? ''}`);
    await link.press('Enter');
    await expect.poll(() => target.locator('pre').first().isVisible()).toBe(true);
    expect(trouble).toEqual([]);
  });

  test('calls are searched, too', async () => {
    await using opened = await open(callReport);
    const calls = opened.page.locator('#calls .exchanges > details');
    expect(await calls.count()).toBeGreaterThan(0);
    await opened.page.locator('#evidence-text').fill('nothing of the kind');
    await expect.poll(() => calls.filter({ visible: true }).count()).toBe(0);
    await opened.page.locator('#evidence-text').fill('');
    await expect.poll(() => calls.filter({ visible: true }).count()).toBe(await calls.count());
  });

  test('a link to a folded finding unfolds it', async () => {
    await using opened = await open(gatedReport);
    const { page } = opened;
    const folded = page.locator('#fix article[id] > .card-body:not([open])').first();
    const anchor = (await folded.locator('xpath=..').getAttribute('id')) ?? '';
    await page.locator(`#requirements a[href="#${anchor}"]`).press('Enter');
    await expect.poll(() => page.locator(`#${anchor} .card-body[open]`).count()).toBe(1);
  });

  test('a viewer that allows neither style nor script shows the whole report', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const policy = "sandbox; default-src 'none'; img-src 'self'; style-src 'self'";
    await page.route('http://viewer.example/report.html', (route) =>
      route.fulfill({
        contentType: 'text/html',
        headers: { 'content-security-policy': policy },
        body: renderHtml(callReport),
      }),
    );
    await page.goto('http://viewer.example/report.html');
    const text = await page.innerText('body', { timeout: 10_000 });
    for (const phrase of [
      'non-conformant',
      'own-ai-phone/stops-at-interrupt',
      'failed here: expected no more',
      'Fix it.',
    ]) {
      expect(text).toContain(phrase);
    }
    expect(await page.locator('svg.plot').first().isVisible()).toBe(true);
    await context.close();
  });

  test('in print every finding is unfolded, and there are no buttons', async () => {
    await using opened = await open(cascadeReport);
    const { page } = opened;
    await page.emulateMedia({ media: 'print' });
    const explained = page.locator('#fix .consequences > ul > li');
    expect(await explained.count()).toBe(4);
    for (const one of await explained.all()) expect(await one.isVisible()).toBe(true);
    expect(await page.locator('button:visible, input:visible, nav:visible').count()).toBe(0);
  });

  test('on paper the differences of a smallest failing event replace the event', async () => {
    await using opened = await open(hostileReport);
    const { page } = opened;
    await page.emulateMedia({ media: 'print' });
    const smallest = page.locator('#fix .smallest').first();
    expect(await smallest.locator('table').isVisible()).toBe(true);
    expect(await smallest.locator('pre').isVisible()).toBe(false);
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

  test('charts fit a phone, and no part of them is hidden', async () => {
    for (const report of [callReport, manyFailuresReport]) {
      await using opened = await open(report);
      const { page } = opened;
      await page.setViewportSize({ width: 360, height: 800 });
      const plots = page.locator('main svg.plot:visible');
      expect(await plots.count()).toBeGreaterThan(0);
      for (const plot of await plots.all()) {
        const box = await plot.boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    }
  });
});
