import { describe, expect, it } from 'vitest';
import { jsonBounds, readBoundedJson } from '../../specs/bounded-json.ts';

const read = (text: string) => readBoundedJson(Buffer.from(text));
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const { levels, values } = jsonBounds;

describe('JSON of others', () => {
  it('is read up to the bounds, and not beyond', () => {
    expect(read(nested(levels))).toHaveProperty('value');
    expect(read(nested(levels + 1))).toEqual({ error: `JSON nested more than ${levels} levels deep`, unread: 'array' });
    const flat = (count: number) => `{"a":[${Array.from({ length: count }, () => 0).join(',')}]}`;
    expect(read(flat(values - 3))).toHaveProperty('value');
    expect(read(flat(values + 1))).toEqual({ error: `JSON of more than ${values} values`, unread: 'object' });
  });

  it('may contain any number of brackets and commas in its strings', () => {
    expect(read(JSON.stringify({ text: `${'[{,\\"'.repeat(values)}` }))).toHaveProperty('value');
  });

  it.each([
    ['unbalanced brackets', '['.repeat(100_000)],
    ['a string that does not end', `["${','.repeat(values)}`],
    ['a page', `<html>${'[,'.repeat(values)}</html>`],
  ])('is not what %s are', (_, text) => {
    const result = read(text);
    expect(result).toHaveProperty('error', 'text that is not JSON');
    expect(result).not.toHaveProperty('unread');
  });
});
