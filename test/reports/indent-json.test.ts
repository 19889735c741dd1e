import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indentJson } from '../../reports/text/indent-json.ts';

test('lays JSON out as JSON.stringify does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, undefined, 2));
    }),
  );
});

test('keeps every token as it was written', () => {
  expect(indentJson('{ "a":1.0 , "a" : "\\u0041\\"," ,"b":[ ] }')).toBe(
    '{\n  "a": 1.0,\n  "a": "\\u0041\\",",\n  "b": []\n}',
  );
});

test('leaves other text alone', () => {
  expect(indentJson('{"a":')).toBe('{"a":');
  expect(indentJson('<html>')).toBe('<html>');
});

test('leaves alone what is nested so deep that its indentation would be larger than a string can be', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(indentJson(deep)).toBe(deep);
});
