/** Matching rules of one side of an interaction, in one form for all versions of Pact. */
export interface Matchers {
  /** Rules of the body, by the steps that lead to a member; `*`: any member or index. */
  readonly body: readonly { readonly steps: readonly string[]; readonly kinds: readonly string[] }[];
  /** Of the status: a class of Pact such as `success`, or a list. */
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

/** Reads matching rules: of version 2 by path (`$.body.id`), of version 3 and 4 by part. What is not understood is left out. */
export function readMatchers(rules: unknown, version: number): Matchers {
  if (!isObject(rules)) return { body: [], status: undefined };
  const isByPath = version < 3 || Object.keys(rules).some((name) => name.startsWith('$'));
  if (isByPath) {
    const body = Object.entries(rules).flatMap(([path, rule]) => {
      const [first, ...steps] = stepsOfPath(path);
      return first === 'body' ? [{ steps, kinds: kindsOf([rule]) }] : [];
    });
    return { body, status: undefined };
  }
  const ofBody = isObject(rules['body']) ? Object.entries(rules['body']) : [];
  const body = ofBody.map(([path, rule]) => ({ steps: stepsOfPath(path), kinds: kindsOf(listOf(rule)) }));
  const ofStatus = isObject(rules['status'])
    ? listOf(rules['status']['$'] ?? rules['status'][''] ?? rules['status'])
    : [];
  const status = ofStatus.map((rule) => memberOf(rule, 'status')).find((one) => one !== undefined);
  return {
    body,
    status: typeof status === 'string' || Array.isArray(status) ? (status as string | number[]) : undefined,
  };
}

/** Whether a member is compared by more than its value: a rule for it, or one above it that goes for all below. */
export function isMatched({ body }: Matchers, steps: readonly (string | number)[]): boolean {
  const covering = body
    .filter(
      (rule) =>
        rule.steps.length <= steps.length && rule.steps.every((step, at) => step === '*' || step === String(steps[at])),
    )
    .toSorted((a, b) => b.steps.length - a.steps.length);
  const [nearest] = covering;
  return nearest !== undefined && !nearest.kinds.includes('equality');
}

/** Whether a status is one of those that the contract takes. */
export function takesStatus({ status: rule }: Matchers, example: number, status: number): boolean {
  if (rule === undefined) return status === example;
  if (typeof rule !== 'string') return rule.includes(status);
  const [from, to] = statusClasses[rule] ?? [example, example];
  return status >= from && status <= to;
}

function listOf(rule: unknown): unknown[] {
  const matchers = memberOf(rule, 'matchers');
  return Array.isArray(matchers) ? matchers : [];
}

function kindsOf(rules: readonly unknown[]): string[] {
  return rules.flatMap((rule) => {
    const match = memberOf(rule, 'match');
    if (typeof match === 'string') return [match];
    if (memberOf(rule, 'regex') !== undefined) return ['regex'];
    return memberOf(rule, 'min') !== undefined || memberOf(rule, 'max') !== undefined ? ['type'] : [];
  });
}

/** Steps of a path of Pact without its `$`: `$.a['b c'][0][*].*` is a, b c, 0, *, *. */
export function stepsOfPath(path: string): string[] {
  return Array.from(
    path.matchAll(/\.([^.[\]]+)|\[(\d+|\*)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/g),
    (found) => (found[1] ?? found[2] ?? found[3] ?? found[4] ?? '').replaceAll(/\\(.)/g, '$1'),
  );
}

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of what may be an object; `undefined` otherwise. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
