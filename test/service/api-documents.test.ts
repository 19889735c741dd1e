import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { apiOperations, type ApiOperation } from '../../specs/api-operations.ts';
import { changelog } from '../../specs/changelog.ts';
import { openApiDocument } from '../../specs/open-api-document.ts';
import { openService } from './open-service.ts';

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

const executablePath = installedChromium();
if (executablePath === undefined) console.warn('skipped: no Chromium on this machine; set CHROMIUM');

describe('the documents of the API', () => {
  it('service/api-publishes-its-description: every operation, at this address, without a key', async () => {
    await using open = await openService();
    const { status, headers, json } = await open.get('/v1/openapi.json', { key: null });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(json).toEqual(JSON.parse(JSON.stringify(openApiDocument({ serverUrl: open.service.baseUrl }))));
    for (const { path, method } of Object.values(apiOperations) as ApiOperation[]) {
      expect(json.paths[path]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined();
    }
    expect(json.servers[0].url).toBe(open.service.baseUrl);
  });

  it('service/api-has-a-changelog: as JSON, without a key', async () => {
    await using open = await openService();
    const { status, json } = await open.get('/v1/changelog', { key: null });
    expect([status, json]).toEqual([200, changelog]);
    expect(json.length).toBeGreaterThan(0);
  });

  it('service/api-has-a-reference: from its own files, under a strict policy', async () => {
    await using open = await openService();
    const first = await open.get('/v1/docs', { key: null });
    expect([first.status, first.headers.get('location')]).toEqual([302, 'docs/']);
    const page = await open.get('/v1/docs/', { key: null });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('../openapi.json');
    expect(page.text.match(/(?:src|href)="[^"]*"/g)).toEqual(['src="js/scalar.js"']);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'sha256-[A-Za-z0-9+/=]+'; /);
    expect(policy).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe/);
    const script = await open.get('/v1/docs/js/scalar.js', { key: null });
    expect(script.status).toBe(200);
    expect(script.headers.get('content-type')).toContain('javascript');
    expect(script.text.length).toBeGreaterThan(1_000_000);
    const none = await open.get('/v1/docs/none', { key: null });
    expect([none.status, none.json.title]).toEqual([404, 'not_found']);
  });

  it.skipIf(executablePath === undefined)(
    'shows the reference in a browser, which sends no requests elsewhere',
    async () => {
      await using open = await openService({ name: 'Workshop' });
      const { baseUrl } = open.service;
      await using browser = await chromium.launch({
        ...(executablePath !== undefined && { executablePath }),
        args: ['--no-sandbox', '--disable-background-networking'],
      });
      const page = await browser.newPage();
      const asked: string[] = [];
      const trouble: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      page.on('pageerror', (error) => trouble.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') trouble.push(message.text());
      });
      await page.goto(`${baseUrl}/v1/docs`);
      await page.getByText('Get the inbox of the API key').first().waitFor();
      expect(trouble).toEqual([]);
      expect(
        asked.filter((url) => !url.startsWith(`${baseUrl}/`) && !url.startsWith('data:') && !url.startsWith('blob:')),
      ).toEqual([]);
      expect(asked).toContain(`${baseUrl}/v1/openapi.json`);
    },
  );
});
