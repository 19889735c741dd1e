import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromSchema } from '../../generators/from-schema.ts';
import { edgeCases } from '../../generators/edge-cases.ts';
import { wireForm } from '../../generators/wire-form.ts';
import { schemas } from '../../specs/schemas.ts';

const odd: unknown = JSON.parse(
  '{"__proto__":{"a":1},"":"","a/b":"\\u2028/\\u0001\\u0000","😀":["𝕊",-0.5,0,10,1200,1e21,1e-7,123.456,9007199254740991,true,null,{},[]],"2":2,"1":1}',
);

function sample(value: unknown, options = {}, numRuns = 200): string[] {
  return fc.sample(wireForm(value, options), { seed: 1, numRuns });
}

describe('wireForm', () => {
  it('is the same value in other bytes, and never repeats a field', () => {
    const values = [
      odd,
      {},
      [],
      null,
      '',
      0,
      ...edgeCases(schemas.apiWebhookEvent),
      ...fc.sample(fromSchema(schemas.messageReceived), { seed: 1, numRuns: 50 }),
    ];
    for (const value of values) {
      for (const text of sample(value, {}, 10)) {
        deepStrictEqual(JSON.parse(text), value);
        expect(text).not.toBe(JSON.stringify(value));
        const names = text.match(/"(?:[^"\\]|\\.)*"[ \n\r\t]*:/g) ?? [];
        const plainNames = JSON.stringify(value).match(/"(?:[^"\\]|\\.)*":/g) ?? [];
        expect(names).toHaveLength(plainNames.length);
      }
    }
  });
  it('uses every freedom that JSON gives', () => {
    const all = sample({ b: 'a/"\u{1f600}\u001f\u00fc', a: 10, c: [1.5, {}] }, {}, 600).join('\u0000');
    for (const form of [
      '\\/',
      '\\u002f',
      '\\u002F',
      '\\u0022',
      '\\ud83d\\ude00',
      '\\uD83D\\uDE00',
      '\\u001F',
      '\\u00fc',
      '\\u00FC',
      '\\u0061',
      '10.0',
      '10e0',
      '1e1',
      '100e-1',
      '1.50',
      '15e-1',
      ' :',
      '\r\n',
      '\t',
      '{\n',
      '[ ',
    ]) {
      expect(all, form).toContain(form);
    }
    expect(all).toMatch(/"a"[^]*"b"/);
  });
  it('keeps the form of numbers on request', () => {
    for (const text of sample([10, 1.5, 1e21], { numbers: false }))
      expect(text.replace(/\s/g, '')).toBe('[10,1.5,1e+21]');
  });
  it('may be the plain form only on request', () => {
    expect(sample({}, { different: false })).toContain('{}');
    expect(sample({}, {})).not.toContain('{}');
  });
  it('the same seed gives the same text', () => {
    expect(sample(odd)).toEqual(sample(odd));
  });
  it('shrinks to the only difference that matters', () => {
    const value = { text: 'a/b', list: [1, 2], at: 'x' };
    const least = (holds: (text: string) => boolean): unknown =>
      fc.check(fc.property(wireForm(value), holds), { seed: 2, numRuns: 500 }).counterexample?.[0];
    expect(least((text) => !text.includes('\\/'))).toBe('{"text":"a\\/b","list":[1,2],"at":"x"}');
    expect(least((text) => Object.keys(JSON.parse(text) as object)[0] === 'text')).toBe(
      '{"at":"x","list":[1,2],"text":"a/b"}',
    );
    expect(least((text) => !text.includes(' ]'))).toBe('{"text":"a/b","list":[1,2 ],"at":"x"}');
    expect(String(least(() => false)).length).toBeLessThanOrEqual(JSON.stringify(value).length + 6);
  });
  it('refuses values that JSON cannot express', () => {
    expect(() => wireForm(undefined)).toThrow('expected a JSON value, received undefined');
  });
});
