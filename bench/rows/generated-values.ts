import fc from 'fast-check';
import { fromSchema } from '../../generators/from-schema.ts';
import { resolveRef, schemas, type JsonSchema } from '../../specs/schemas.ts';
import { validate } from '../../specs/validators.ts';
import { messageReceivedByHand } from '../message-received-by-hand.ts';
import type { Baseline, MissingBaseline, Row } from '../row.ts';
import { installTool } from '../tool.ts';

const values = 5_000;
const valuesOfFaker = 50;
/** Values whose validity and variety are examined before anything is measured. */
const examined = 2_000;

export const rows: readonly Row[] = [
  {
    name: 'generated-values',
    what: 'values of message.received from its schema, all valid and of full variety',
    unit: 'values/s',
    better: 'more',
    rounds: 9,
    run: async (compare) => {
      const fromOurs = fromSchema(schemas.messageReceived);
      for (const [name, arbitrary] of [
        ['fromSchema', fromOurs],
        ['by hand', messageReceivedByHand],
      ] as const) {
        assertVariety(name, fc.sample(arbitrary, { numRuns: examined, seed: 1 }));
      }
      await compare(sampled(fromOurs), [
        await faker(),
        { name: 'fast-check by hand', goal: { ratio: 0.7 }, measure: sampled(messageReceivedByHand) },
      ]);
    },
  },
];

function sampled(arbitrary: fc.Arbitrary<unknown>): () => Promise<number> {
  let seed = 0;
  return () => {
    const from = performance.now();
    const made = fc.sample(arbitrary, { numRuns: values, seed: seed++ });
    return Promise.resolve(made.length / ((performance.now() - from) / 1000));
  };
}

async function faker(): Promise<Baseline | MissingBaseline> {
  const goal = { ratio: 10 };
  const tool = await installTool('json-schema-faker');
  if ('skipped' in tool) return { name: 'json-schema-faker', goal, ...tool };
  const { createGeneratorSync, registerFormat } = ((await import(tool.entry)) as { tool: Faker }).tool;
  // Unknown formats are free text for it.
  registerFormat('svc-utc-timestamp', () => new Date(Math.random() * 3e12).toISOString().slice(0, 19));
  const schema = withoutRefs(schemas.messageReceived, schemas.messageReceived.$id);
  const generator = createGeneratorSync({ seed: 1, optionalsProbability: 0.6 });
  return {
    name: tool.title,
    goal,
    measure: () => {
      const from = performance.now();
      for (let at = 0; at < valuesOfFaker; at++) generator.generate(schema);
      return Promise.resolve(valuesOfFaker / ((performance.now() - from) / 1000));
    },
  };
}

/** The used part of json-schema-faker. */
interface Faker {
  createGeneratorSync: (options: object) => { generate: (schema: object) => unknown };
  registerFormat: (name: string, generate: () => string) => void;
}

/** The schema with every reference replaced by what it refers to: json-schema-faker does not know our base addresses. */
function withoutRefs(schema: JsonSchema, base: string): JsonSchema {
  if (schema.$ref !== undefined) {
    const found = resolveRef(schema.$ref, base);
    return withoutRefs(found.schema, found.base);
  }
  const { $defs: _, examples: __, ...rest } = schema;
  const inside = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(inside)
      : typeof value === 'object' && value !== null
        ? '$ref' in value
          ? withoutRefs(value as JsonSchema, base)
          : Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inside(each)]))
        : value;
  return inside(rest) as JsonSchema;
}

/** Throws unless the values are valid and have every branch, missing and present fields, and short and long contents. */
function assertVariety(name: string, all: readonly unknown[]): void {
  const events = all.map((value) => {
    const violations = validate('messageReceived', value);
    if (violations.length > 0) throw new Error(`${name} made an invalid value: ${JSON.stringify(violations[0])}`);
    return value as { data: Data };
  });
  const is = {
    'every state': new Set(events.map(({ data }) => data.autoReply.state)).size === 3,
    'every channel': new Set(events.map(({ data }) => data.channel)).size === 4,
    'contacts with and without fields': new Set(events.map(({ data }) => Object.keys(data.contact).length)).size === 4,
    'no turn': events.some(({ data }) => data.history.length === 0),
    'as many turns as allowed': events.some(({ data }) => data.history.length === 30),
    'the longest text': events.some(({ data }) => [...data.message.text].length === 4000),
    'text beyond ASCII': events.some(({ data }) => /[\u0600-\uffff]/.test(data.message.text)),
  };
  const missing = Object.entries(is).find(([, found]) => !found);
  if (missing) throw new Error(`${name} made no value with: ${missing[0]}`);
}

interface Data {
  channel: string;
  contact: object;
  message: { text: string };
  history: readonly unknown[];
  autoReply: { state: string };
}
