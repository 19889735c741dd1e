import { describe, expect, it } from 'vitest';
import { renderLoadHtml } from '../../reports/write/load/render-load-html.ts';
import { loadStepLine, renderLoadTerminal } from '../../reports/write/load/render-load-terminal.ts';
import { createPaint } from '../../reports/write/terminal/terminal-paint.ts';
import type { LoadReport, LoadStep } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { elements, parseHtml, textOf } from './parse-html.ts';

const hostile = '<img src=x onerror=alert(1)>\u001b[31m"';

function step(load: number, ms: number, over: Partial<LoadStep> = {}): LoadStep {
  const times = { count: 100, p50: ms, p90: 2 * ms, p99: 3 * ms, max: 4 * ms };
  return {
    load,
    seconds: 10,
    sent: 100,
    late: 0,
    failed: 0,
    uncertain: 0,
    times,
    ownLagMs: 1,
    outcome: 'met',
    ...over,
  };
}

const report: LoadReport = {
  schemaVersion: 1,
  harness: { name: 'svc-conform', version: '0.1.0' },
  protocol: '2026-10-11',
  startedAt: '2026-11-24T08:00:00.000Z',
  durationMs: 60_000,
  seed: 7,
  verdict: 'non-conformant',
  surfaces: [
    {
      surface: 'crm-webhook',
      url: 'http://127.0.0.1:8080/crm',
      unit: 'deliveries-per-second',
      deadline: { requirement: 'crm-webhook/lookup-within-two-seconds', ms: 2000 },
      meets: 20,
      misses: 24,
      ended: 'edge',
      steps: [step(10, 5), step(20, 9), step(24, 900, { late: 5, failed: 1, failure: hostile, outcome: 'missed' })],
      findings: [
        {
          requirement: 'crm-webhook/svc-contact-id-unaltered',
          level: 'must',
          expected: 'contactData.svcContactId to be 1',
          received: hostile,
          count: 3,
          load: 20,
        },
      ],
    },
  ],
};
const view = { paint: createPaint(false), width: 100 };

/** A surface with calls. */
const phone: LoadReport = {
  ...report,
  verdict: 'conformant',
  surfaces: [
    {
      surface: 'own-ai-phone',
      url: 'ws://127.0.0.1:8080/voice',
      unit: 'concurrent-calls',
      deadline: { requirement: 'own-ai-phone/first-piece-within-timeout', ms: 10_000 },
      meets: 2,
      misses: null,
      ended: 'maximum-load',
      steps: [
        step(2, 300, {
          feel: {
            deadAir: { count: 6, p50: 420, p90: 430, p99: 440, max: 440 },
            stop: { count: 2, p50: 160, p90: 170, p99: 170, max: 170 },
            interrupts: 2,
            pieces: 3,
          },
        }),
      ],
      findings: [],
    },
  ],
};

describe('the report of a load', () => {
  it('matches its schema', () => {
    for (const one of [report, phone]) expect(validate('loadReport', one)).toEqual([]);
  });

  it('states the edge, what failed and the verdict on a terminal, without the control characters of the endpoint', () => {
    const text = renderLoadTerminal(report, view);
    const flat = text.replaceAll(/\s+/g, ' ');
    expect(flat).toContain('meets its deadline of 2000 ms up to 20 deliveries per second and misses it at 24.');
    expect(flat).toContain('✗ crm-webhook/svc-contact-id-unaltered');
    expect(flat).toContain('(3 times, first at 20 per second)');
    expect(flat).toContain('non-conformant: 1 MUST requirement failed under load');
    expect(text + report.surfaces[0]?.steps.map((one) => loadStepLine(one, view)).join('')).not.toContain('\u001b');
  });

  it('shows how a call feels, on a terminal and on the page', () => {
    const flat = renderLoadTerminal(phone, view).replaceAll(/\s+/g, ' ');
    expect(flat).toContain('up to 2 concurrent calls, the maximum of this run.');
    expect(flat).toContain('silence within an answer is 420 ms (median)');
    expect(flat).toContain('stops 160 ms (median) after an interrupt, with 3 pieces of talk-over in 2 interrupts.');
    const cells = elements(parseHtml(renderLoadHtml(phone))).filter(
      ({ attributes }) => attributes.get('data-label') === 'Talk-over (pieces)',
    );
    expect(cells.map(textOf)).toEqual(['3']);
    const titles = elements(parseHtml(renderLoadHtml(phone))).filter(({ name }) => name === 'h4');
    expect(titles.map(textOf)).toEqual(['Dead air', 'Stop after interrupt']);
    const plots = elements(parseHtml(renderLoadHtml(phone))).filter(
      ({ attributes }) => attributes.get('role') === 'img',
    );
    // Of the first piece, of dead air and of the stops: each for wide and for narrow screens.
    expect(plots.map((plot) => textOf(plot).includes('deadline'))).toEqual([true, true, false, false, false, false]);
  });

  it('draws the median, the 99th percentile and the deadline, and marks the step that missed it', () => {
    const page = parseHtml(renderLoadHtml(report));
    const pictures = elements(page).filter(({ attributes }) => attributes.get('role') === 'img');
    expect(pictures).toHaveLength(2);
    for (const picture of pictures) {
      const kinds = elements(picture).map(({ attributes }) => attributes.get('class'));
      expect(kinds).toEqual(expect.arrayContaining(['median', 'interrupt', 'within', 'upper', 'limit', 'over']));
      expect(textOf(picture)).toContain('deadline 2000 ms');
      const labels = elements(picture)
        .filter(({ name }) => name === 'text')
        .map(textOf);
      expect(labels).toEqual(expect.arrayContaining(['10', '20']));
    }
    expect(elements(page).filter(({ name }) => name === 'img' || name === 'script')).toEqual([]);
    expect(textOf(page)).toContain('onerror=alert(1)');
    // A mark is one line, however long the reason is.
    const marks = elements(page).filter(({ attributes }) => attributes.get('class') === 'mark');
    expect(marks.map(textOf)).toEqual(expect.arrayContaining(['non-conformant', '5 late, 1 without success']));
  });
});
