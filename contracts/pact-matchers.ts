import { isJsonObject } from '../specs/json-object.ts';
import { pactPathSteps } from './pact-path-steps.ts';

/** Matching rules of one side of an interaction, in one form for all versions of Pact. */
export interface Matchers {
  /** Rules of the body, by the steps to a field; `*`: any field or index. */
  readonly body: readonly { readonly steps: readonly (string | number)[]; readonly kinds: readonly string[] }[];
  /** For the status: a class of Pact such as `success`, or a list. */
  readonly status: string | readonly number[] | undefined;
}

/** Statuses of the classes that Pact has. */
const statusClasses: Readonly<Record<string, readonly [from: number, to: number]>> = {
  info: [100, 199],
  information: [100, 199],
  success: [200, 299],
  redirect: [300, 399],
  clientError: [400, 499],
  serverError: [500, 599],
  nonError: [100, 399],
  error: [400, 599],
};

/** Reads matching rules: version 2 by path (`$.body.id`), version 3 and 4 by part. Unknown ones are omitted. */
export function readMatchers(rules: unknown, version: number): Matchers {
  if (!isJsonObject(rules)) return { body: [], status: undefined };
  const isByPath = version < 3 || Object.keys(rules).some((name) => name.startsWith('$'));
  if (isByPath) {
    const body = Object.entries(rules).flatMap(([path, rule]) => {
      const [first, ...steps] = pactPathSteps(path);
      return first === 'body' ? [{ steps, kinds: kindsOf([rule]) }] : [];
    });
    return { body, status: undefined };
  }
  const ofBody = isJsonObject(rules['body']) ? Object.entries(rules['body']) : [];
  const body = ofBody.map(([path, rule]) => ({ steps: pactPathSteps(path), kinds: kindsOf(listOf(rule)) }));
  const ofStatus = isJsonObject(rules['status'])
    ? listOf(rules['status']['$'] ?? rules['status'][''] ?? rules['status'])
    : [];
  const status = ofStatus.map((rule) => fieldOf(rule, 'status')).find((one) => one !== undefined);
  return {
    body,
    status: typeof status === 'string' || Array.isArray(status) ? (status as string | number[]) : undefined,
  };
}

/** Whether a matching rule applies to a field: its own, or one of a parent that covers all below. */
export function isMatched(matchers: Matchers, steps: readonly (string | number)[]): boolean {
  const kinds = nearestKinds(matchers, steps);
  return kinds !== undefined && !kinds.includes('equality');
}

/** Rules that every value of a type meets. */
const ofTypes = ['type', 'integer', 'number', 'decimal', 'boolean', 'notEmpty'];

/** Whether a field is compared by format or by exact value rather than by type alone. */
export function comparesForm(matchers: Matchers, steps: readonly (string | number)[]): boolean {
  return nearestKinds(matchers, steps)?.some((kind) => !ofTypes.includes(kind)) ?? true;
}

function nearestKinds({ body }: Matchers, steps: readonly (string | number)[]): readonly string[] | undefined {
  const covering = body.filter(
    (rule) =>
      rule.steps.length <= steps.length &&
      rule.steps.every((step, at) => step === '*' || String(step) === String(steps[at])),
  );
  return covering.toSorted((a, b) => b.steps.length - a.steps.length)[0]?.kinds;
}

/** Whether the contract accepts a status. */
export function acceptsStatus({ status: rule }: Matchers, example: number, status: number): boolean {
  if (rule === undefined) return status === example;
  if (typeof rule !== 'string') return rule.includes(status);
  const [from, to] = statusClasses[rule] ?? [example, example];
  return status >= from && status <= to;
}

function listOf(rule: unknown): unknown[] {
  const matchers = fieldOf(rule, 'matchers');
  return Array.isArray(matchers) ? matchers : [];
}

function kindsOf(rules: readonly unknown[]): string[] {
  return rules.flatMap((rule) => {
    const match = fieldOf(rule, 'match');
    if (typeof match === 'string') return [match];
    if (fieldOf(rule, 'regex') !== undefined) return ['regex'];
    return fieldOf(rule, 'min') !== undefined || fieldOf(rule, 'max') !== undefined ? ['type'] : [];
  });
}

/** A field of a value that may be an object; `undefined` otherwise. */
export function fieldOf(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
