import { describe, expect, it } from 'vitest';
import { differences, nearest } from '../../generators/differences.ts';
import { minimise } from '../../generators/minimise.ts';

describe('differences', () => {
  it('names the smallest places, missing fields and items, with escaped pointers', () => {
    const failing = { same: [1, { x: null }], 'a/b~': 'new', list: [1, 2], deep: { gone: 1 } };
    const accepted = { same: [1, { x: null }], 'a/b~': 'old', list: [1], deep: {}, only: {} };
    expect(differences(failing, accepted)).toEqual([
      { pointer: '/a~1b~0', failing: '"new"', accepted: '"old"' },
      { pointer: '/list/1', failing: '2', accepted: '(missing)' },
      { pointer: '/deep/gone', failing: '1', accepted: '(missing)' },
      { pointer: '/only', failing: '(missing)', accepted: '{}' },
    ]);
    expect(differences({ b: 1, a: [] }, { a: [], b: 1 })).toEqual([]);
    expect(differences(null, [])).toEqual([{ pointer: '', failing: 'null', accepted: '[]' }]);
  });
  it('is bounded in rows and in text, without cutting a character in two', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`m${index}`, '\u{1f600}'.repeat(5000)]));
    const rows = differences(many, {});
    expect(rows).toHaveLength(12);
    for (const row of rows) {
      expect([...row.failing].length).toBe(120);
      expect(row.failing.isWellFormed()).toBe(true);
    }
  });
  it('does not confuse an own __proto__ with a prototype', () => {
    const rows = differences(JSON.parse('{"__proto__":1}'), {});
    expect(rows).toEqual([{ pointer: '/__proto__', failing: '1', accepted: '(missing)' }]);
  });
  it('nearest has the fewest differences, and counts missing fields', () => {
    const [far, near] = [
      { a: 1, b: 2, c: 3 },
      { a: 1, b: 2, c: 4, d: 5 },
    ];
    expect(nearest([far, near], { a: 1, b: 2, c: 4, d: 6 })).toBe(near);
    expect(nearest([{ big: [1, 2, 3, 4] }, { x: 1 }], {})).toEqual({ x: 1 });
    expect(nearest([], {})).toBeUndefined();
  });
});

describe('minimise', () => {
  const accepted = {
    id: 1,
    text: 'hello',
    history: [] as unknown[],
    contact: { name: 'Ann' } as Record<string, unknown>,
    extra: true,
  };
  const failing = {
    id: 99,
    text: 'bye',
    history: [{ role: 'agent' }, { role: 'system' }, { role: 'team' }],
    contact: { phone: '+4930' },
    extra: false,
  };
  const options = { deadline: Infinity, isValid: () => true };

  it('keeps only the difference that matters', async () => {
    const result = await minimise<typeof accepted>(
      failing,
      accepted,
      (event) => Promise.resolve(JSON.stringify(event).includes('system')),
      options,
    );
    expect(result.event).toEqual({ ...accepted, history: [{ role: 'system' }] });
    expect(result.differences).toEqual([
      { pointer: '/history/0', failing: '{"role":"system"}', accepted: '(missing)' },
    ]);
    expect(result.complete).toBe(true);
    expect(result.tries).toBeLessThan(40);
  });
  it('keeps two differences that fail only together', async () => {
    const both = (event: typeof accepted): Promise<boolean> =>
      Promise.resolve(event.extra === false && !('name' in event.contact));
    const result = await minimise<typeof accepted>(failing, accepted, both, options);
    expect(result.differences.map((row) => row.pointer)).toEqual(['/contact/name', '/extra']);
  });
  it('tries valid candidates only, each once, and never the accepted value', async () => {
    const tried: string[] = [];
    const isValid = (event: unknown): boolean => Object.keys((event as typeof accepted).contact).length === 1;
    const result = await minimise<typeof accepted>(
      failing,
      accepted,
      (event) => {
        tried.push(JSON.stringify(event));
        expect(isValid(event)).toBe(true);
        return Promise.resolve('phone' in event.contact);
      },
      { ...options, isValid },
    );
    expect(new Set(tried).size).toBe(tried.length);
    expect(tried).not.toContain(JSON.stringify(accepted));
    expect(result.event).toEqual({ ...accepted, contact: { phone: '+4930' } });
  });
  it('stops at the deadline with the result so far', async () => {
    let clock = 0;
    const result = await minimise<typeof accepted>(
      failing,
      accepted,
      (event) => Promise.resolve(event.id === 99 && event.text === 'bye'),
      { ...options, deadline: 3, now: () => clock++ },
    );
    expect(result.complete).toBe(false);
    expect(result.event.id).toBe(99);
    expect(result.tries).toBe(3);
  });
});
