import examples from './generated/examples.json' with { type: 'json' };
import { schemas } from './schemas.ts';
import type { SchemaName } from './schemas.ts';
import type { JsonValue } from './json-value.ts';

/** A valid value of a schema, under a name that is unique among those of the schema. */
export interface SchemaExample {
  readonly name: string;
  readonly value: JsonValue;
}

const generated = examples as unknown as Readonly<Record<SchemaName, Readonly<Record<string, JsonValue>>>>;

/**
 * Examples of a schema: its own, then the plainest and the fullest that `npm run generate` made
 * from it. `messageReceived` has `messageReceived1`, `messageReceivedPlainest` and `messageReceivedFullest`.
 */
export function schemaExamples(name: SchemaName): SchemaExample[] {
  const written = (schemas[name].examples ?? []).map((value, at) => ({ name: `${name}${at + 1}`, value }));
  const made = Object.entries(generated[name]).map(([size, value]) => ({
    name: `${name}${size.charAt(0).toUpperCase()}${size.slice(1)}`,
    value,
  }));
  return [...written, ...made];
}
