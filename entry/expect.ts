import { chai } from 'vitest';
import { currentRecord } from '../harness/checks/check-record.ts';
import { expect as withMatchers } from '../suites/matchers/expect.ts';

/** Language chains of an assertion, which judge nothing themselves. */
const chains: ReadonlySet<PropertyKey> = new Set([
  'not',
  'resolves',
  'rejects',
  ...['to', 'be', 'been', 'is', 'that', 'which', 'and', 'has', 'have', 'with', 'at', 'of', 'same', 'but', 'does'],
  ...['still', 'also', 'deep', 'nested', 'own', 'ordered', 'any', 'all'],
]);

/** Fields of `expect` that start an assertion as it does itself. */
const starters: ReadonlySet<PropertyKey> = new Set(['soft', 'poll']);

/** Fields of `expect` that judge by being called. */
const judging: ReadonlySet<PropertyKey> = new Set(['fail', 'unreachable']);

type Callable = (...args: unknown[]) => object;

/**
 * Vitest's `expect` with our matchers, in which every assertion counts as a judgement of the running check; a check
 * without one never passes.
 */
export const expect: typeof withMatchers = new Proxy(withMatchers, {
  apply: (start, self, args: unknown[]) => counting(Reflect.apply(start as Callable, self, args)),
  get: (start, name) => {
    const field: unknown = Reflect.get(start, name);
    if (judging.has(name)) return counting(field as Callable, start);
    if (!starters.has(name)) return field;
    return (...args: unknown[]) => counting((field as Callable)(...args));
  },
});

/**
 * Wraps an assertion so that it counts when it judges: matchers when they are called, properties such as `ok` when they
 * are read. Chains such as `length` and `an` may be called, or lead to a matcher.
 */
function counting<Subject extends object>(subject: Subject, self?: object): Subject {
  return new Proxy(subject, {
    get: (target, name) => {
      const field: unknown = Reflect.get(target, name, target);
      if (typeof target === 'function' && name in Function.prototype) return field;
      if (typeof field === 'function') return counting(field, target);
      if (chains.has(name)) return counting(field as object);
      if (field instanceof chai.Assertion) countJudgement();
      return field;
    },
    apply: (judge, _self, args: unknown[]) => {
      countJudgement();
      return Reflect.apply(judge as Callable, self, args);
    },
  });
}

function countJudgement(): void {
  const record = currentRecord();
  if (record) record.judged++;
}
