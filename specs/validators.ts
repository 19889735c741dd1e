import { createRequire } from 'node:module';
import type * as Validation from 'ajv/dist/2020.js';
import { explainViolations, shortJson, type ExplainedViolation as SchemaViolation } from './explain-violations.ts';
import { formats } from './formats.ts';
import { schemas, type SchemaName } from './schemas.ts';

export type { SchemaViolation };

/** A violation of a schema: JSON Pointer, the expected form, and the received value as short JSON text. */
export type Violation = Pick<SchemaViolation, 'pointer' | 'expected' | 'received'>;

const require = createRequire(import.meta.url);

/** Loaded at its first use, so that commands that validate nothing start sooner. */
function loadAjv(): Validation.Ajv2020 {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof Validation;
  return new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    schemas: Object.values(schemas),
    formats,
    // A test validates them against the dialect; repeating it would cost a fifth of the start time of the service.
    validateSchema: false,
  });
}

let ajv: Validation.Ajv2020 | undefined;

/** Loads the validator now, so that no exchange whose time matters waits for it. */
export function prepareValidation(): void {
  ajv ??= loadAjv();
}

const compiled = new Map<SchemaName, Validation.ValidateFunction>();

function compile(name: SchemaName): Validation.ValidateFunction {
  const { $id } = schemas[name];
  prepareValidation();
  const check = ajv?.getSchema($id);
  if (!check) throw new Error(`expected a schema ${$id}, received none`);
  compiled.set(name, check);
  return check;
}

/** Whether a parsed JSON value matches a schema. Compiled at its first use. */
export function matchesSchema(name: SchemaName, value: unknown): boolean {
  return (compiled.get(name) ?? compile(name))(value);
}

/**
 * Every place, up to 20, where a parsed JSON value violates a schema; empty when it is valid.
 *
 * `validate('chatAnswer', { action: 'hangup' })` gives `[{ pointer: '/action', expected: 'one of none, handover, end,
 * null', received: '"hangup"', rule: { keyword: 'enum', values: ['none', 'handover', 'end', null] }, value: 'hangup' }]`.
 */
export function validate(name: SchemaName, value: unknown): SchemaViolation[] {
  if (matchesSchema(name, value)) return [];
  const found = explain(name, value);
  // Never empty: the validator's messages cover violations that ours miss.
  if (found.length > 0) return found;
  return (compiled.get(name)?.errors ?? []).map((error) => {
    const message = error.message ?? error.keyword;
    return {
      pointer: error.instancePath,
      expected: message,
      received: shortJson(value),
      rule: { keyword: 'other', message },
      value,
    };
  });
}

function explain(name: SchemaName, value: unknown): SchemaViolation[] {
  return explainViolations(schemas[name], value, schemas[name].$id);
}

/** One line per violation: `at /text: expected …, received …`. */
export function formatViolation({ pointer, expected, received }: Violation): string {
  return `${pointer === '' ? '' : `at ${pointer}: `}expected ${expected}, received ${received}`;
}
