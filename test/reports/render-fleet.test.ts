import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fleetTargetLine, renderFleetTerminal } from '../../reports/write/fleet/render-fleet-terminal.ts';
import { renderFleetHtml } from '../../reports/write/fleet/render-fleet-html.ts';
import { createPaint } from '../../reports/write/terminal/terminal-paint.ts';
import type { FleetReport } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { axeViolations, chromiumPath, launchChromium } from '../chromium.ts';
import { elements, parseHtml, textOf } from './parse-html.ts';

const hostile = '<img src=x onerror=alert(1)>\u001b[31m"';
const requirements = { pass: 9, fail: 2, warn: 0, advice: 0, blocked: 0, notExercised: 0, notApplicable: 0 };
const counts = { conformantWithWarnings: 0, incomplete: 0, failed: 0 };
const ids = Array.from({ length: 14 }, (_, at) => `shop-${at}`);

const report: FleetReport = {
  schemaVersion: 1,
  harness: { name: 'svc-conform', version: '0.2.0' },
  night: '2026-10-12',
  startedAt: '2026-10-12T22:00:00.000Z',
  durationMs: 60_000,
  verdict: 'non-conformant',
  summary: { ...counts, conformant: 1, nonConformant: 14, unusable: 1, notChecked: 0 },
  targets: [
    { id: 'good', state: 'complete', attempts: 1, verdict: 'conformant', durationMs: 5000, report: 'targets/good' },
    ...ids.map((id) => ({
      id,
      state: 'complete' as const,
      attempts: 1,
      verdict: 'non-conformant' as const,
      durationMs: 5000,
      report: `targets/${id}`,
      requirements,
    })),
    { id: 'bad', state: 'unusable', attempts: 0, reason: hostile },
  ],
  causes: [
    {
      key: 'own-ai-chat tls/expired',
      id: 'tls/expired',
      surface: 'own-ai-chat',
      requirement: 'own-ai-chat/answers-valid-events',
      status: 'fail',
      summary: hostile,
      remediation: hostile,
      targets: ids,
      since: '2026-10-11',
      suspects: 'service',
    },
  ],
  nights: ['2026-10-10', '2026-10-11', '2026-10-12'].map((night, at) => ({
    ...counts,
    night,
    conformant: 15 - at,
    nonConformant: at,
  })),
  suspectedFaults: [
    { requirement: 'own-ai-chat/answers-valid-events', targets: ['shop-1', 'shop-2'], from: '0.1.0', to: '0.2.0' },
  ],
};
const style = { paint: createPaint(false), width: 100 };

describe('the overview of a fleet', () => {
  it('matches its schema', () => {
    expect(validate('fleetReport', report)).toEqual([]);
  });

  it('shows on the page what concerns many targets first, and links each report', () => {
    const page = parseHtml(renderFleetHtml(report));
    const text = textOf(page);
    expect(text).toContain('14 targets since 2026-10-11');
    expect(text).toContain('examine the service and this check first');
    expect(text).toContain('2 targets passed with svc-conform 0.1.0 and fail');
    expect(text).toContain(hostile.replace('\u001b', '⟨U+001B⟩'));
    const all = [...elements(page)];
    expect(all.map(({ name }) => name)).not.toContain('img');
    const links = all.map(({ attributes }) => attributes.get('href'));
    expect(links).toContain('targets/good/report.html');
  });

  it('shows counts, causes and targets without a verdict on the terminal', () => {
    const text = renderFleetTerminal(report, style);
    expect(text).toContain('✗ 14 targets since 2026-10-11');
    expect(text).toContain('shop-0, shop-1');
    expect(text).toContain('and 6 more');
    expect(text).toContain('non-conformant, night of 2026-10-12\n  ✗ 14 non-conformant\n  ? 1 with an unusable config');
    expect(text).not.toContain('\u001b');
    const line = fleetTargetLine({ id: 'bad', state: 'failed', durationMs: 900, reason: hostile }, style);
    expect(line).toContain('? bad no report in 0.9 s');
    expect(line).not.toContain('\u001b');
  });
});

describe.skipIf(chromiumPath === undefined)('the overview in a browser', () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await launchChromium()), 60_000);
  afterAll(() => browser.close());

  it('is searched and filtered, fits a phone, and is accessible', { timeout: 60_000 }, async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 }, bypassCSP: true });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.setContent(renderFleetHtml(report));
    const shown = () => page.locator('#targets-table tbody tr:visible').count();
    expect(await shown()).toBe(16);
    await page.getByRole('button', { name: 'Show these targets' }).click();
    expect(await shown()).toBe(14);
    await page.fill('#filter-text', 'shop-3');
    expect([await shown(), await page.textContent('#filter-count')]).toEqual([1, '1 of 16 shown']);
    await page.fill('#filter-text', '');
    await page.selectOption('#filter-cause', '');
    await page.selectOption('#filter-result', 'unusable config');
    expect(await shown()).toBe(1);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    expect(await axeViolations(page)).toEqual([]);
    expect(requests).toEqual([]);
  });
});
