import { describe, expect, test } from 'vitest';
import { callTimeline } from '../../reports/write/plots/call-timeline.ts';
import { latencyPlot } from '../../reports/write/plots/latency-plot.ts';
import type { CallRecord, Timing } from '../../specs/generated/types.ts';
import { elements, parseHtml, textOf } from './parse-html.ts';
import type { Element } from './parse-html.ts';
import { frames, hostileCallReport, hostileText, interruptedCall } from './sample-report.ts';

/** The shapes of one kind of mark. */
function marks(picture: Element, kind: string): Element[] {
  return elements(picture)
    .filter(({ attributes }) => attributes.get('class') === kind)
    .flatMap((one) => (one.name === 'g' ? one.children.filter((child) => typeof child !== 'string') : [one]));
}

const numbers = (found: readonly Element[], name: string) =>
  found.map(({ attributes }) => Number(attributes.get(name)));

describe('the plot of times', () => {
  const timing = (samples: number[], rest: Partial<Timing> = {}): Timing => ({
    name: 'crm-webhook/lookup',
    unit: 'ms',
    limit: 2000,
    samples,
    ...rest,
  });
  const plot = (...timings: Timing[]) => parseHtml(latencyPlot(timings, 800).source);

  test('has a dot for each sample, those beyond the limit apart and to the right of it', () => {
    const picture = plot(timing([3, 40, 1999, 2001, 9000]));
    expect(marks(picture, 'within')).toHaveLength(3);
    expect(marks(picture, 'over')).toHaveLength(2);
    const [limit = NaN] = numbers(marks(picture, 'limit'), 'x1');
    expect(numbers(marks(picture, 'within'), 'cx').every((x) => x <= limit)).toBe(true);
    const over = marks(picture, 'over').map(({ attributes }) => attributes.get('transform') ?? '');
    expect(over.map((place) => Number(/translate\(([\d.]+)/.exec(place)?.[1])).every((x) => x >= limit)).toBe(true);
  });

  test('shows samples of one time above each other, inside their row', () => {
    const picture = plot(timing([12, 12, 12]), timing(Array.from({ length: 5000 }, () => 12)));
    const places = numbers(marks(picture, 'within'), 'cy');
    expect(new Set(places.slice(0, 3)).size).toBe(3);
    const [first, second] = marks(picture, 'beyond').map(({ attributes }) => attributes);
    const bottom = (row: typeof first) => Number(row?.get('y')) + Number(row?.get('height'));
    expect(places.slice(0, 3).every((y) => y > Number(first?.get('y')) && y < bottom(first))).toBe(true);
    expect(places.slice(3).every((y) => y > Number(second?.get('y')) && y < bottom(second))).toBe(true);
    expect(places.length).toBeLessThan(100);
  });

  test('names each row and its limit, hostile names as text', () => {
    const text = textOf(plot(timing([1], { name: hostileText }), timing([1], { limit: 10_000 })));
    expect(text).toContain('</script><script>alert(1)');
    expect(text).toContain('crm-webhook/lookup');
    expect(text).toContain('limit 10 s');
  });

  test('is drawn of samples without a length, and of none below its axis', () => {
    const found = numbers(marks(plot(timing([0, 0.00001, 1])), 'within'), 'cx');
    expect(found).toHaveLength(3);
    expect(found.every((x) => x >= 0 && x <= 800)).toBe(true);
  });
});

describe('the picture of a call', () => {
  const picture = (call: CallRecord, ...broken: number[]) =>
    parseHtml(
      callTimeline(
        call,
        broken.map((frame) => ({ frame, failure: 'it broke' })),
      )?.source ?? '',
    );
  const call = picture(interruptedCall, 13);

  test('shows the caller above and the AI below', () => {
    expect(marks(call, 'said')).toHaveLength(3);
    expect(marks(call, 'piece')).toHaveLength(11);
    expect(marks(call, 'other')).toHaveLength(4);
    const [upper] = numbers(marks(call, 'track'), 'y1');
    expect(numbers(marks(call, 'piece'), 'y1').every((y) => y > (upper ?? NaN))).toBe(true);
  });

  test('draws the pieces of an answer together, up to an interruption', () => {
    expect(marks(call, 'answer')).toHaveLength(3);
  });

  test('draws consecutive answers apart', () => {
    const answer = ['ai', { type: 'text', text: 'Yes.', last: true }] as const;
    const call = picture({ callId: 'a', frames: frames([answer, answer]), framesOmitted: 0 });
    expect(marks(call, 'answer')).toHaveLength(2);
  });

  test('draws an interruption across both lanes, the end, and where a rule broke', () => {
    const [upper = NaN, lower = NaN] = numbers(marks(call, 'track'), 'y1');
    const [line] = marks(call, 'interrupt').filter(({ name }) => name === 'line');
    expect(Number(line?.attributes.get('y1'))).toBeLessThan(upper);
    expect(Number(line?.attributes.get('y2'))).toBeGreaterThan(lower);
    expect(marks(call, 'limit')).toHaveLength(1);
    const [broken] = numbers(marks(call, 'broken-frame'), 'cx');
    expect(numbers(marks(call, 'piece'), 'x1')).toContain(broken);
  });

  test('has a description for screen readers', () => {
    const [svg] = elements(call);
    expect(svg?.attributes.get('role')).toBe('img');
    expect(svg?.attributes.get('aria-label')).toContain('19 frames over 1204 ms');
  });

  test('does not exist for a call without frames', () => {
    expect(callTimeline({ callId: 'a', frames: [], framesOmitted: 0 })).toBeUndefined();
  });

  test('is drawn of any frames', () => {
    const hostile = hostileCallReport.exchanges.flatMap((exchange) => exchange.call ?? []);
    const odd: CallRecord = {
      callId: 'a',
      frames: frames([
        ['service', '[1]'],
        ['ai', 'null'],
        ['service', '{'],
      ]),
      framesOmitted: 0,
    };
    for (const one of [...hostile, odd]) expect(() => picture(one, 0)).not.toThrow();
  });
});
