import { deepStrictEqual } from 'node:assert';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect } from 'vitest';
import { formats } from '../../specs/formats.ts';
import { schemas } from '../../specs/schemas.ts';

const ajv = new Ajv2020({
  strict: false,
  schemas: Object.values(schemas),
  formats: { ...formats, uuid: true, email: true, uri: true },
});

/** Whether a value is valid according to ajv, which shares no code with the generators. */
export function validator(schema: object | boolean, others: readonly object[] = []): (value: unknown) => boolean {
  const id = (schema as { $id?: string }).$id;
  const known = id === undefined ? undefined : ajv.getSchema(id);
  if (known !== undefined) return (value) => known(value);
  const own = others.length === 0 ? ajv : new Ajv2020({ strict: false, schemas: [...others], formats });
  const check = own.compile(schema);
  return (value) => check(value);
}

/** Far more steps than any shrinking here needs: one that reaches this number does not end. */
const MOST_STEPS = 100_000;

/** The laws of every arbitrary of JSON values. */
export function expectLaws<T>(arbitrary: fc.Arbitrary<T>, isValid: (value: T) => boolean, runs = 150): void {
  const values = fc.sample(arbitrary, { seed: 11, numRuns: runs });
  for (const value of values) expectValid(value, isValid);
  deepStrictEqual(fc.sample(arbitrary, { seed: 11, numRuns: runs }), values, 'the same seed gives the same values');
  for (const value of values) deepStrictEqual(JSON.parse(JSON.stringify(value)), value, 'a value survives JSON');
  // A failing property follows its shrinks; the predicates fail often enough to reach deep ones by various paths.
  const fails: ((value: T) => boolean)[] = [
    () => true,
    (value) => JSON.stringify(value).length > 40,
    (value) => fc.hash(JSON.stringify(value)) % 3 === 0,
  ];
  fails.forEach((failing, index) => {
    let steps = 0;
    let invalid: T | undefined;
    fc.check(
      fc.property(arbitrary, (value) => {
        steps++;
        if (!isValid(value)) invalid ??= value;
        // Beyond the limit everything passes, so that shrinking ends and the count shows it.
        return steps > MOST_STEPS || !failing(value);
      }),
      { seed: 5 + index, numRuns: 10 },
    );
    if (invalid !== undefined) expectValid(invalid, isValid);
    expect(steps, 'steps of shrinking').toBeLessThan(MOST_STEPS);
  });
}

function expectValid<T>(value: T, isValid: (value: T) => boolean): void {
  if (!isValid(value)) throw new Invalid(JSON.stringify(value));
}

class Invalid extends Error {
  constructor(text: string) {
    super(`expected a valid value, received ${text.slice(0, 500)}`);
  }
}

/** The smallest counterexample fast-check finds. `examples` come first, as edge cases do in a suite. */
export function smallest<T>(
  arbitrary: fc.Arbitrary<T>,
  holds: (value: T) => boolean,
  examples: readonly T[] = [],
  seed = 3,
): T {
  const result = fc.check(fc.property(arbitrary, holds), {
    seed,
    numRuns: 5000,
    examples: examples.map((each) => [each]),
  });
  if (result.counterexample === null) throw new Error('expected a counterexample, received none');
  return result.counterexample[0] as T;
}
