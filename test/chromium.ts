import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** The browser that the environment names, or the one on the PATH; `undefined`: browser tests are skipped. */
export const chromiumPath = installedChromium();
if (chromiumPath === undefined) console.warn('skipped: no Chromium on this machine; set CHROMIUM');

function installedChromium(): string | undefined {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  try {
    return execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** Starts the browser without a window and without background requests. */
export async function launchChromium(): Promise<Browser> {
  return await chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    args: ['--no-sandbox', '--disable-background-networking'],
  });
}

/** An open page, and all other effects of opening it: output, errors, dialogs, requests, violations of its policy. */
export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  readonly trouble: readonly string[];
}

/** Opens the page at this address and watches it from the beginning. */
export async function openWatched(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
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

/** Opens every folded part of a page. */
export async function unfoldAll(page: Page): Promise<void> {
  await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`);
}

/** Problems that axe finds on a page, whose content security policy must be bypassed. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
}
