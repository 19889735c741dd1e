import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallObservation } from '../../harness/wire/observation.ts';
import { axeViolations, chromiumPath, launchChromium } from '../chromium.ts';
import { openCall, openServicePage } from './open-service-page.ts';
import { smallEndpoint } from './small-endpoint.ts';

const hostile = `<img src="https://evil.example/x" onerror="alert(1)"></li><script>alert(2)</script>`;

/** Waits until the page shows it, which a busy machine delays. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 30_000 });

describe.skipIf(chromiumPath === undefined)('the page of serve in a browser', () => {
  let browser: Browser;
  let endpoint: Awaited<ReturnType<typeof smallEndpoint>>;
  let open: Awaited<ReturnType<typeof openServicePage>>;

  beforeAll(async () => {
    browser = await launchChromium();
    endpoint = await smallEndpoint(() => ({ status: 200, body: JSON.stringify({ text: hostile, note: hostile }) }));
    open = await openServicePage({ chat: endpoint.url });
  });
  afterAll(async () => {
    await browser.close();
    await open[Symbol.asyncDispose]();
    await endpoint[Symbol.asyncDispose]();
  });

  async function visit(options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const trouble: string[] = [];
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('dialog', (dialog) => {
      trouble.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(open.service.baseUrl)) trouble.push(`request: ${request.url()}`);
    });
    await page.goto(open.page.url);
    return { page, trouble, [Symbol.asyncDispose]: () => context.close() };
  }
  const items = (page: Page, list: string) => page.locator(`[data-list="${list}"] > li`);

  test('the keyboard writes as the customer, and the page shows what follows as it happens', async () => {
    await using visited = await visit();
    const { page, trouble } = visited;
    await eventually(() => page.locator('#customer option').count()).toBeGreaterThan(0);
    await page.locator('#text').focus();
    await page.keyboard.type(hostile);
    await page.keyboard.press('Control+Enter');
    await eventually(() => items(page, 'deliveries').count()).toBe(1);
    await eventually(() => page.locator('.turn.agent').innerText()).toContain(hostile);
    expect(await page.locator('.turn.customer').innerText()).toContain(hostile);
    expect(await page.locator('.note').innerText()).toContain(hostile);
    expect(await page.locator('#text').inputValue()).toBe('');
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(1);

    // An open delivery stays open, and the focus stays where it is, when the list changes.
    const details = items(page, 'deliveries').last().locator('details').first();
    await details.locator('summary').first().click();
    await items(page, 'deliveries').last().locator('[data-again]').press('Enter');
    await eventually(() => items(page, 'deliveries').count()).toBe(2);
    expect(await details.locator('pre').first().isVisible()).toBe(true);
    expect(await page.evaluate('document.activeElement.dataset.again')).toBe('ex-1');
    expect(endpoint.requests).toHaveLength(2);

    const conversation = items(page, 'conversations').first();
    await conversation.getByRole('button', { name: 'Team takes over' }).click();
    await eventually(() => conversation.getByRole('button', { name: 'Hand back to the AI' }).count()).toBe(1);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Hand back to the AI');
    expect(trouble).toEqual([]);
  });

  test('a call grows while it is open', async () => {
    await using visited = await visit();
    const { page, trouble } = visited;
    const frames: CallObservation['frames'] = [];
    const says = (text: string) => JSON.stringify({ type: 'text', text, last: true });
    const add = async (text: string) => {
      frames.push({ from: 'ai', atMs: frames.length * 100, text: says(text), bytes: says(text).length, value: {} });
      await open.play('time-passes', { seconds: 1 });
    };
    await add('Good day');
    open.traffic.add(openCall(frames));
    const call = items(page, 'calls').locator('details').first();
    await call.locator('summary').first().click();
    await add(hostile);
    await eventually(() => call.locator('.play').first().innerText()).toContain(hostile);
    expect(await call.locator('.play').first().innerText()).toContain('Good day');
    expect(trouble).toEqual([]);
  });

  test('a step that fails is reported, and the clock moves', async () => {
    await using visited = await visit();
    const { page } = visited;
    await page.locator('summary', { hasText: 'Any step' }).click();
    await page.locator('#any-step').selectOption('customer-accepts');
    expect(await page.locator('#any-step-does').innerText()).toContain('accepts an appointment');
    await page.locator('#any-body').press('Control+Enter');
    const status = page.locator('#status.fail');
    await eventually(() => status.innerText()).toContain('There is no appointment with status proposed');
    await page.locator('#any-body').fill('{');
    await page.locator('#any-body').press('Control+Enter');
    await eventually(() => status.innerText()).toContain('JSON');
    const before = await page.locator('#clock').innerText();
    await page.getByRole('button', { name: '1 day' }).click();
    await eventually(
      async () => Date.parse(await page.locator('#clock').innerText()) - Date.parse(before),
    ).toBeGreaterThanOrEqual(86_400_000);
  });

  test.each([
    { colorScheme: 'light' as const, width: 1280 },
    { colorScheme: 'dark' as const, width: 360 },
  ])(
    'axe finds nothing, and nothing scrolls sideways ($colorScheme, $width pixels)',
    async ({ colorScheme, width }) => {
      await open.play('customer-writes', { text: 'Hello' });
      await using visited = await visit({ colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
      const { page } = visited;
      await eventually(() => items(page, 'deliveries').count()).toBeGreaterThan(0);
      await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(await axeViolations(page)).toEqual([]);
    },
  );
});
