import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edgeCases } from '../../generators/edge-cases.ts';
import { fromSchema } from '../../generators/from-schema.ts';
import { compareSchemas } from '../../generators/schema-diff/compare-schemas.ts';
import { judgeChanges } from '../../generators/schema-diff/judge-changes.ts';
import type { SchemaChange } from '../../generators/schema-diff/schema-change.ts';
import { SchemaLibrary } from '../../generators/schema-diff/schema-library.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { withUnknownFields } from '../../generators/with-unknown-fields.ts';
import { formats } from '../../specs/formats.ts';
import { messageDirections, serviceEvent } from '../../specs/message-directions.ts';
import { schemas } from '../../specs/schemas.ts';
import type { SchemaName } from '../../specs/schemas.ts';
import { everyMutation, mutated, someMutation } from './schema-mutations.ts';
import type { Json, Version } from './schema-mutations.ts';

/** Number of values of each version that are validated with the other one, in addition to edge cases. */
const tried = 30;
const unchanged = schemas as unknown as Version;

const reference = (schema: SchemaName, pointer: string) => ({ $ref: `${schemas[schema].$id}#${pointer}` });

function library(version: Version): SchemaLibrary {
  const found = new SchemaLibrary();
  for (const schema of Object.values(version)) found.add(schema, '');
  return found;
}

function compare(older: Version, newer: Version, schema: SchemaName, pointer: string): SchemaChange[] {
  const place = [{ schema: reference(schema, pointer), base: '' }];
  return compareSchemas({ older: place, newer: place, olderLibrary: library(older), newerLibrary: library(newer) });
}

const ajvOf = (version: Version) =>
  new Ajv2020({ strict: false, validateSchema: false, schemas: Object.values(version), formats });
const ajvOfUnchanged = ajvOf(unchanged);

/** Whether ajv accepts a value according to one version. */
function taker(version: Version, schema: SchemaName, pointer: string): (value: unknown) => boolean {
  const check = (version === unchanged ? ajvOfUnchanged : ajvOf(version)).compile(reference(schema, pointer));
  return (value) => check(value);
}

interface Place {
  readonly schema: SchemaName;
  readonly pointer: string;
}

/** Values that one version allows: edge cases, random ones, and, in open objects, some with unknown fields. */
function valuesOf(version: Version, { schema, pointer }: Place, changes: readonly SchemaChange[]): unknown[] {
  // Longer than any of our bounds if one was removed.
  const unbounded = changes.some(({ text }) => text.endsWith('is not bounded'));
  const options = { refs: Object.values(version), ...(unbounded && { textBound: 5100, itemBound: 31 }) };
  const arbitrary = fromSchema(reference(schema, pointer), options);
  const plain = [
    ...edgeCases(reference(schema, pointer), options),
    ...fc.sample(arbitrary, { seed: 7, numRuns: tried }),
  ];
  // Only unknown fields show that an object was closed or opened.
  if (!changes.some(({ rule }) => rule.startsWith('others-'))) return plain;
  const takes = taker(version, schema, pointer);
  const more = plain.slice(0, 40).flatMap((value) => [
    ...fc.sample(withUnknownFields(value), { seed: 7, numRuns: 2 }),
    // In an object that contains many closed ones, few samples have unknown fields at the top level only.
    ...(isJsonObject(value) ? [{ ...value, isUnknown: true }] : []),
  ]);
  return [...plain, ...more.filter(takes)];
}

/** A value of one version that the other one refuses. */
function witness(of: Version, by: Version, place: Place, changes: readonly SchemaChange[]): unknown {
  const takes = taker(by, place.schema, place.pointer);
  return valuesOf(of, place, changes).find((value) => !takes(value));
}

/** The schema as a tolerant reader applies it: it ignores unknown values and relies on promised bounds only. */
function tolerant(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tolerant);
  if (typeof node !== 'object' || node === null) return node;
  const { enum: values, const: only, ...rest } = node as Json & { enum?: unknown[] };
  const loose = Object.fromEntries(Object.entries(rest).map(([keyword, each]) => [keyword, tolerant(each)]));
  for (const keyword of ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'pattern'])
    if (typeof loose[keyword] !== 'object') Reflect.deleteProperty(loose, keyword);
  const listed = values ?? ('const' in node ? [only] : []);
  const type = [...new Set(listed.map((value) => (value === null ? 'null' : typeof value)))];
  // Branches that differ only in their listed values overlap without these.
  const { oneOf, ...others } = loose;
  return { ...others, ...(oneOf !== undefined && { anyOf: oneOf }), ...(type.length > 0 && { type }) };
}

describe('a change of a schema', () => {
  const all = everyMutation();

  it('is tested in every file and of every kind', () => {
    expect(new Set(all.map(({ schema }) => schema)).size).toBeGreaterThan(50);
    expect(new Set(all.map(({ name }) => name.replace(/member .+$/, ''))).size).toBeGreaterThan(25);
  });

  it('narrows or widens the accepted values exactly if it is reported to', () => {
    let [narrower, wider, neither] = [0, 0, 0];
    fc.assert(
      fc.property(someMutation(), (mutation) => {
        const newer = mutated(mutation);
        const changes = compare(unchanged, newer, mutation.schema, mutation.pointer);
        const reported = JSON.stringify(changes);
        const [narrows, widens] = [changes.some((each) => each.narrows), changes.some((each) => each.widens)];
        const refused = witness(unchanged, newer, mutation, changes);
        const taken = witness(newer, unchanged, mutation, changes);
        expect(refused !== undefined, `refused now: ${JSON.stringify(refused)}; changes: ${reported}`).toBe(narrows);
        expect(taken !== undefined, `taken now: ${JSON.stringify(taken)}; changes: ${reported}`).toBe(widens);
        narrower += Number(narrows);
        wider += Number(widens);
        neither += Number(!narrows && !widens);
      }),
      { seed: 1, numRuns: 100 },
    );
    expect(Math.min(narrower, wider)).toBeGreaterThan(10);
    expect(neither).toBeGreaterThan(0);
  });

  it('breaks no side, in the whole message and among other changes, if it is reported to break none', () => {
    let [safeToSend, safeToRead] = [0, 0];
    fc.assert(
      fc.property(fc.array(someMutation(), { minLength: 1, maxLength: 3 }), (mutations) => {
        const newer = mutated(...mutations);
        const schema = mutations[0]?.schema ?? 'ping';
        const place = { schema, pointer: '' };
        const changes = compare(unchanged, newer, schema, '');
        if (!changes.some(({ narrows }) => narrows)) {
          safeToSend += 1;
          expect(witness(unchanged, newer, place, changes), JSON.stringify(changes)).toBeUndefined();
        }
        if (!changes.some(({ widens }) => widens)) {
          safeToRead += 1;
          expect(witness(newer, unchanged, place, changes), JSON.stringify(changes)).toBeUndefined();
        }
      }),
      { seed: 2, numRuns: 50 },
    );
    expect(Math.min(safeToSend, safeToRead)).toBeGreaterThan(5);
  });

  // Changes of values, bounds, patterns and formats, where the effect depends on tolerance.
  const events = all.filter(
    ({ schema, name }) =>
      messageDirections[schema] === serviceEvent && /^(lists|is another|has (a looser|no|another)) /.test(name),
  );
  it('of an event is accepted by an old receiver that ignores unknown fields, if it is reported to be', () => {
    let ignored = 0;
    fc.assert(
      fc.property(fc.constantFrom(...events), (mutation) => {
        const newer = mutated(mutation);
        const changes = compare(unchanged, newer, mutation.schema, '');
        const judged = judgeChanges(changes, { document: '', where: '' }, serviceEvent);
        if (judged.some(({ reader }) => reader.breaking)) return;
        const receiver = Object.fromEntries(Object.entries(unchanged).map(([name, each]) => [name, tolerant(each)]));
        const place = { schema: mutation.schema, pointer: '' };
        expect(witness(newer, receiver as Version, place, changes), JSON.stringify(changes)).toBeUndefined();
        ignored += Number(judged.some(({ reader }) => reader.because !== undefined));
      }),
      { seed: 3, numRuns: 40 },
    );
    expect(ignored).toBeGreaterThan(4);
  });

  it.each([
    ['messageReceived', '/$defs/History', 'maxItems', true],
    ['contactData', '/properties/crmAiInfo', 'maxLength', true],
    ['contactData', '/properties/city', 'maxLength', false],
  ] as const)('%s%s: a greater %s breaks old receivers where the description names the number', (schema, pointer, keyword, breaks) => {
    const name = `has a looser ${keyword}`;
    const mutation = all.find((each) => each.schema === schema && each.pointer === pointer && each.name === name);
    if (!mutation) expect.fail(`expected a mutation of ${schema}${pointer}`);
    const changes = compare(unchanged, mutated(mutation), schema, pointer);
    const [judged] = judgeChanges(changes, { document: '', where: '' }, serviceEvent);
    expect(judged).toMatchObject({ rule: 'bound-changed', sender: { breaking: false }, reader: { breaking: breaks } });
  }); // prettier-ignore

  it('is none between a schema and itself', () => {
    const other = structuredClone(unchanged);
    for (const schema of Object.keys(schemas) as SchemaName[])
      expect(compare(unchanged, other, schema, '')).toEqual([]);
  });
});
