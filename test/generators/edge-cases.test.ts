import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { edgeCases } from '../../generators/edge-cases.ts';
import { formats } from '../../specs/formats.ts';
import { schemas } from '../../specs/schemas.ts';
import type { JsonSchema } from '../../specs/schemas.ts';
import { EdgeCoverage } from './edge-coverage.ts';

const ajv = new Ajv2020({ strict: false, schemas: Object.values(schemas), formats });
const compiled = new Map<JsonSchema, (value: unknown) => unknown>();

function holds(schema: JsonSchema, base: string, value: unknown): boolean {
  let check = compiled.get(schema);
  if (check === undefined) {
    // A copy with the file's $id and $defs, so that references inside the branch are found.
    const file = Object.values(schemas).find(({ $id }) => $id === base);
    check = ajv.compile({
      ...schema,
      $id: `${base}?branch=${compiled.size}`,
      ...(file?.$defs === undefined ? {} : { $defs: file.$defs }),
    });
    compiled.set(schema, check);
  }
  return check(value) === true;
}

function missed(
  schema: JsonSchema & { $id: string },
  values: readonly unknown[],
): { wanted: number; missed: string[] } {
  const coverage = new EdgeCoverage(holds);
  coverage.want(schema, schema.$id, '');
  for (const value of values) coverage.see(schema, schema.$id, '', value);
  return { wanted: coverage.wanted.size, missed: coverage.missed };
}

/** Maximum cases of one schema, since each may become a request. */
const mostCases = 130;
/** The maximum for a schema with alternative targets: the edges of the other fields occur with each target. */
const mostCasesWithTargets = 170;
/** The maximum for a schema with several kinds, each with its own fields; these cases are not requests. */
const mostCasesOfKinds = 240;

function mostOf({ type, oneOf, anyOf = [{}] }: JsonSchema): number {
  if (!oneOf) return mostCases;
  return type ? mostCasesWithTargets * anyOf.length : mostCasesOfKinds;
}

describe('edge cases reach every edge of every field', () => {
  it.each(Object.entries(schemas))('%s', (_name, schema) => {
    for (const seed of [0, 1, 12345]) {
      const values = edgeCases(schema, { seed });
      expect(missed(schema, values).missed).toEqual([]);
      expect(values.length).toBeLessThanOrEqual(mostOf(schema));
    }
  });
  it('the number of edges is not zero, and omitted cases are detected', () => {
    const values = edgeCases(schemas.messageReceived);
    expect(missed(schemas.messageReceived, values).wanted).toBeGreaterThan(300);
    for (const index of [0, 5, values.length - 1]) {
      expect(missed(schemas.messageReceived, values.toSpliced(index, 10)).missed).not.toEqual([]);
    }
  });
  it('the same seed gives the same list, another seed combines other edges', () => {
    expect(edgeCases(schemas.crmEvent, { seed: 7 })).toEqual(edgeCases(schemas.crmEvent, { seed: 7 }));
    expect(edgeCases(schemas.crmEvent, { seed: 7 })).not.toEqual(edgeCases(schemas.crmEvent, { seed: 8 }));
  });
  it('patterns are extended to their maximum length', () => {
    const phone = edgeCases<string>({ type: 'string', pattern: '^\\+[1-9][0-9]{6,14}$' });
    expect(phone.map((text) => text.length)).toEqual(expect.arrayContaining([8, 16]));
  });
});
