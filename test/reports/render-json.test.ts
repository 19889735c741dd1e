import { expect, test } from 'vitest';
import { renderJson, renderJsonParts } from '../../reports/write/json/render-json.ts';
import { formatJson, formatJsonParts } from '../../reports/text/format-json.ts';
import { sizedReport } from '../../bench/sized-report.ts';
import { validate } from '../../specs/validators.ts';
import { everyEnd } from './sample-formats.ts';
import { cleanReport, hostileReport, hostileText } from './sample-report.ts';

test.each(everyEnd)('%s: follows the schema and reads back the same', (_, report) => {
  const read: unknown = JSON.parse(renderJson(report));
  expect(validate('report', read)).toEqual([]);
  expect(read).toEqual(report);
});

test('the schema is valid', () => {
  expect(validate('report', { ...cleanReport, verdict: 'fine' })).not.toEqual([]);
});

test('contains nothing that affects a terminal', () => {
  const text = renderJson(hostileReport);
  expect(text).toMatch(/^[\n\u0020-\u007e\u00a0-\uffff]*$/);
  expect(text).not.toMatch(/[\u200b-\u200f\u2028-\u202e\u2066-\u2069\u061c\ufeff]/);
  expect(JSON.parse(text).protocol).toBe(hostileText);
});

test('can be one line', () => {
  expect(renderJson(hostileReport, { indent: 0 }).split('\n')).toHaveLength(2);
});

test.each([0, 2])('is the same in parts with an indent of %s', (indent) => {
  for (const [, report] of everyEnd) {
    expect(Array.from(renderJsonParts(report, { indent })).join('')).toBe(renderJson(report, { indent }));
  }
  const odd = {
    none: undefined,
    empty: [],
    one: [1],
    some: [1, undefined, ['a\nb'], { c: [] }],
    text: 'x\n\u200b',
    last: {},
  };
  expect(Array.from(formatJsonParts(odd, indent)).join('')).toBe(formatJson(odd, indent));
});

test('is written in parts of bounded size', () => {
  const parts = Array.from(renderJsonParts(sizedReport(1_000, 10)));
  expect(parts.length).toBeGreaterThan(20);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(100_000);
});
