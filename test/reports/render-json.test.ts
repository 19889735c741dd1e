import { expect, test } from 'vitest';
import { renderJson } from '../../reports/write/json/render-json.ts';
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
