import { createRequire } from 'node:module';
import type * as Validation from 'ajv/dist/2020.js';
import { explainViolations, shortJson, type ExplainedViolation as SchemaViolation } from './explain-violations.ts';
import { formats } from './formats.ts';
import { schemas, type SchemaName } from './schemas.ts';
import { validatorOptions } from './validator-options.ts';

export type { SchemaViolation };

/** A violation of a schema: JSON Pointer, the expected form, and the received value as short JSON text. */
export type Violation = Pick<SchemaViolation, 'pointer' | 'expected' | 'received'>;

const require = createRequire(import.meta.url);

const isBuilt = import.meta.url.endsWith('.js');

type Validators = (name: SchemaName) => Validation.ValidateFunction | undefined;

/** The build compiles the schemas; where the sources run, each is compiled at its first use. */
function loadValidators(): Validators {
  if (isBuilt) {
    const load = require('./compiled-validators.cjs') as (
      given: typeof formats,
    ) => Record<SchemaName, Validation.ValidateFunction>;
    const built = load(formats);
    return (name) => built[name];
  }
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof Validation;
  const ajv = new Ajv2020(validatorOptions);
  return (name) => ajv.getSchema(schemas[name].$id);
}

let validators: Validators | undefined;

/** Loads the validators now, so that no exchange whose time matters waits for them. */
export function prepareValidation(): void {
  validators ??= loadValidators();
}

const compiled = new Map<SchemaName, Validation.ValidateFunction>();

function compile(name: SchemaName): Validation.ValidateFunction {
  prepareValidation();
  const check = validators?.(name);
  if (!check) throw new Error(`expected a schema ${schemas[name].$id}, received none`);
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
