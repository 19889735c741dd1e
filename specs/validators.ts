import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { explainViolations, shortJson, type ExplainedViolation as SchemaViolation } from './explain-violations.ts';
import { formats } from './formats.ts';
import { schemas, type SchemaName } from './schemas.ts';

export type { SchemaViolation };

/** A violation as people read it: JSON Pointer, what is expected there, short JSON text of what was received. */
export type Violation = Pick<SchemaViolation, 'pointer' | 'expected' | 'received'>;

const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  schemas: Object.values(schemas),
  formats,
  // A test has held them to the dialect; doing it again costs a fifth of the time in which the service starts.
  validateSchema: false,
});
const compiled = new Map<SchemaName, ValidateFunction>();

function compile(name: SchemaName): ValidateFunction {
  const { $id } = schemas[name];
  const check = ajv.getSchema($id);
  if (!check) throw new Error(`expected a schema ${$id}, received none`);
  compiled.set(name, check);
  return check;
}

/** Whether a parsed JSON value holds to a schema. Compiled at its first use. */
export function matchesSchema(name: SchemaName, value: unknown): boolean {
  return (compiled.get(name) ?? compile(name))(value);
}

/**
 * Every place, up to 20, where a parsed JSON value breaks a schema; empty when it holds.
 *
 * `validate('chatAnswer', { action: 'hangup' })` gives `[{ pointer: '/action', expected: 'one of none, handover, end,
 * null', received: '"hangup"', rule: { keyword: 'enum', values: ['none', 'handover', 'end', null] }, value: 'hangup' }]`.
 */
export function validate(name: SchemaName, value: unknown): SchemaViolation[] {
  if (matchesSchema(name, value)) return [];
  const { $id } = schemas[name];
  const found = explainViolations(schemas[name], value, $id);
  // Never empty: what our own words miss, the validator's say.
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

/** One line per violation: `at /text: expected …, received …`. */
export function formatViolation({ pointer, expected, received }: Violation): string {
  return `${pointer === '' ? '' : `at ${pointer}: `}expected ${expected}, received ${received}`;
}
