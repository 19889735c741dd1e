import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromSchema } from '../../generators/from-schema.ts';
import { UNKNOWN_NAMES, UNKNOWN_VALUES, withUnknownFields } from '../../generators/with-unknown-fields.ts';
import { schemas } from '../../specs/schemas.ts';
import { moderateCharacters, moderateInteger } from '../../suites/moderate-schemas.ts';
import { expectLaws, validator } from './laws.ts';

const value = { id: 1, data: { items: [{ a: 1 }, { a: 2 }], metadata: { k: 'v' }, none: null } };

/** Objects that gained a field, by path; the rest must be untouched. */
function additions(before: unknown, after: unknown, path = ''): string[] {
  if (typeof before !== 'object' || before === null) {
    expect(after).toEqual(before);
    return [];
  }
  const [was, is] = [before, after] as Record<string, unknown>[];
  if (Array.isArray(before)) expect(after).toHaveLength(before.length);
  const gained = Object.keys(is as object).filter((name) => !Object.hasOwn(was as object, name));
  const deeper = Object.keys(was as object).flatMap((name) => additions(was?.[name], is?.[name], `${path}/${name}`));
  return [...gained.map(() => path), ...deeper];
}

describe('withUnknownMembers', () => {
  it('adds at least one field, reaches every depth, and changes nothing that was there', () => {
    const reached = new Set<string>();
    for (const each of fc.sample(withUnknownFields(value), { seed: 1, numRuns: 300 })) {
      const places = additions(value, each);
      expect(places.length).toBeGreaterThan(0);
      for (const place of places) reached.add(place);
    }
    expect([...reached].sort()).toEqual(['', '/data', '/data/items/0', '/data/items/1']);
  });
  it('does not change maps that the caller names', () => {
    const closed = ['', '/data/items/*'];
    const reached = fc
      .sample(withUnknownFields(value, { closed }), { seed: 1, numRuns: 200 })
      .flatMap((each) => additions(value, each));
    expect([...new Set(reached)].sort()).toEqual(['/data', '/data/metadata']);
  });
  it('keeps a value valid that allows unknown fields', () => {
    const { messageReceived } = schemas;
    for (const event of fc.sample(fromSchema(messageReceived), { seed: 3, numRuns: 20 })) {
      expectLaws(withUnknownFields(event), validator(messageReceived), 10);
    }
  });
  it('shrinks to one addition, the plainest', () => {
    const result = fc.check(
      fc.property(withUnknownFields(value), (each) => additions(value, each).length === 0),
      { seed: 1 },
    );
    const names = Object.keys(JSON.parse(JSON.stringify(result.counterexample?.[0])) as object);
    expect(additions(value, result.counterexample?.[0])).toHaveLength(1);
    expect(JSON.stringify(result.counterexample)).toContain(`"${UNKNOWN_NAMES[0]}":null`);
    expect(names.length).toBeGreaterThan(1);
  });
  it('adds no name, string or number beyond what every receiver must expect', () => {
    const beyond: unknown[] = [];
    JSON.stringify([UNKNOWN_NAMES, UNKNOWN_VALUES], (_, each: unknown) => {
      const isLong = typeof each === 'string' && each.length > moderateCharacters;
      if (isLong || (typeof each === 'number' && Math.abs(each) > moderateInteger)) beyond.push(each);
      return each;
    });
    expect(beyond).toEqual([]);
  });
  it('writes __proto__ as an own field, and only on request', () => {
    const text = (options: object): string =>
      fc
        .sample(withUnknownFields(value, options), { seed: 1, numRuns: 300 })
        .map((each) => JSON.stringify(each))
        .join('');
    expect(text({})).not.toContain('__proto__');
    expect(text({ prototypeNames: true })).toContain('"__proto__":');
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });
  it('never uses a name that is in the value or that the caller calls known', () => {
    const taken = { unknownField: 1, constructor: 2 };
    for (const each of fc.sample(withUnknownFields(taken, { known: ['ZZ'] }), { seed: 1, numRuns: 300 })) {
      expect(each).toMatchObject(taken);
      expect(Object.keys(each)).not.toContain('ZZ');
    }
  });
});
