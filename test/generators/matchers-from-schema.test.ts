import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPatterns } from '../../generators/contracts/format-patterns.ts';
import { equalTo, exampleOf, matchersFromSchema, stringUpTo } from '../../generators/contracts/matchers-from-schema.ts';
import { fromSchema } from '../../generators/from-schema.ts';
import { formats, type FormatName } from '../../specs/formats.ts';
import type { JsonSchema } from '../../specs/schemas.ts';
import { schemas } from '../../specs/schemas.ts';
import type { JsonValue } from '../../specs/json-value.ts';

const base = 'https://svc-conform.example/schemas/of-a-test.json';
const matched = (schema: JsonSchema, example: JsonValue, more = {}) =>
  matchersFromSchema(schema, example, { base, ...more });
const like = (value: JsonValue) => ({ 'pact:matcher:type': 'type', value });
const pattern = (regex: string, value: string) => ({
  'pact:matcher:type': [{ 'pact:matcher:type': 'type' }, { 'pact:matcher:type': 'regex', regex }],
  value,
});

describe('matchers from a schema', () => {
  it('match values by their types', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        whole: { type: 'integer' },
        part: { type: 'number' },
        yes: { type: 'boolean' },
        word: { type: 'string' },
      },
    };
    expect(matched(schema, { whole: 1, part: 1.5, yes: true, word: 'a' })).toEqual({
      whole: { 'pact:matcher:type': 'integer', value: 1 },
      part: { 'pact:matcher:type': 'number', value: 1.5 },
      yes: like(true),
      word: like('a'),
    });
  });

  it('match patterns, formats and lists of words for strings only', () => {
    expect(matched({ type: 'string', pattern: '^[a-z]+$' }, 'abc')).toEqual(pattern('^[a-z]+$', 'abc'));
    expect(matched({ type: 'string', format: 'date' }, '2026-10-11')).toEqual(
      pattern(formatPatterns.date, '2026-10-11'),
    );
    expect(matched({ enum: ['a.b', 'c', null] }, 'c')).toEqual(pattern('^(a\\.b|c)$', 'c'));
  });

  it('require a constant, and the only word of a list, exactly', () => {
    expect(matched({ const: 'ping' }, 'ping')).toBe('ping');
    expect(matched({ enum: ['in_person'] }, 'in_person')).toBe('in_person');
    expect(matched({ type: 'array', items: { const: 'x' } }, ['x'])).toMatchObject({ value: [equalTo('x')] });
  });

  it('are null where the example is null, and have no field that the example omits', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: { type: ['string', 'null'] }, b: { type: 'string' } },
    };
    expect(matched(schema, { a: null })).toEqual({ a: null });
    expect(matched(schema, { a: 'x', b: 'y' })).toEqual({ a: like('x'), b: like('y') });
  });

  it('match each item of a list within its bounds, and an empty list as empty', () => {
    const schema: JsonSchema = { type: 'array', maxItems: 5, items: { type: 'string' } };
    expect(matched(schema, ['a', 'b'])).toEqual({
      'pact:matcher:type': 'type',
      min: 1,
      max: 5,
      value: [like('a'), like('b')],
    });
    expect(matched(schema, [])).toEqual([]);
  });

  it('match the values of a map, whatever its keys are', () => {
    const schema: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } };
    expect(matched(schema, { source: 'website' })).toEqual({
      'pact:matcher:type': 'eachValue',
      rules: [like('website')],
      value: { source: 'website' },
    });
    expect(matched(schema, {})).toEqual({});
  });

  it('follow the alternative that the example matches', () => {
    expect(matchersFromSchema('autoReply', { state: 'paused', pausedUntil: '2026-10-11T10:00:00' })).toEqual({
      state: 'paused',
      pausedUntil: pattern(formatPatterns['svc-utc-timestamp'], '2026-10-11T10:00:00'),
    });
  });

  it('match lengths only on request, and yield to other matchers', () => {
    const schema: JsonSchema = { type: 'object', properties: { text: { type: 'string', maxLength: 3 } } };
    expect(matched(schema, { text: 'abc' })).toEqual({ text: like('abc') });
    expect(matched(schema, { text: 'abc' }, { lengths: true })).toEqual({ text: stringUpTo(3, 'abc') });
    expect(matched(schema, { text: 'abc' }, { instead: { '/text': 5 } })).toEqual({ text: 5 });
  });

  it('are not made from an example that breaks the schema', () => {
    expect(() => matchersFromSchema('autoReply', { state: 'paused' })).toThrow(RangeError);
    expect(() => matchersFromSchema('prompt', { type: 'prompt', text: 5 })).toThrow(
      '/text: expected a string, received 5',
    );
  });

  it('contain the example of every schema that has one', () => {
    const named = Object.values(schemas).filter(({ examples = [] }) => examples.length > 0);
    expect(named.length).toBeGreaterThan(10);
    for (const schema of named) {
      for (const example of schema.examples ?? []) {
        expect(exampleOf(matchersFromSchema(schema, example))).toEqual(example);
      }
    }
  });
});

describe('the pattern of a format', () => {
  const names = Object.keys(formatPatterns) as FormatName[];

  it.each(names)('accepts what %s accepts', (format) => {
    const pattern = new RegExp(formatPatterns[format]);
    fc.assert(
      fc.property(fromSchema<string>({ type: 'string', format }), (text) => {
        expect(formats[format](text)).toBe(true);
        expect(text).toMatch(pattern);
      }),
      { numRuns: 200 },
    );
  });

  it.each(names)('refuses what is not %s by its form', (format) => {
    for (const text of [
      '',
      'Monday',
      '11.10.2026',
      '2026-10-11T25:00:00',
      '2026-10-11T09:30:00+99:00',
      ' 2026-10-11',
    ]) {
      expect(formats[format](text)).toBe(false);
      expect(text).not.toMatch(new RegExp(formatPatterns[format]));
    }
  });
});
