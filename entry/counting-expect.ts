import { currentRecord } from '../harness/check-record.ts';
import { expect as withMatchers } from '../suites/matchers/expect.ts';

/** Words of an assertion that judge nothing by themselves. */
const chains: ReadonlySet<PropertyKey> = new Set([
  'not',
  'resolves',
  'rejects',
  ...['to', 'be', 'been', 'is', 'that', 'which', 'and', 'has', 'have', 'with', 'at', 'of', 'same', 'but', 'does'],
  ...['still', 'also', 'deep', 'nested', 'own', 'ordered', 'any', 'all'],
]);

/** Members of `expect` that start an assertion as it does itself. */
const starters: ReadonlySet<PropertyKey> = new Set(['soft', 'poll']);

/** Members of `expect` that judge by being called. */
const judging: ReadonlySet<PropertyKey> = new Set(['fail', 'unreachable']);

type Callable = (...args: unknown[]) => object;

/**
 * Vitest's `expect` with the matchers of conformance, in which every assertion counts as a judgement of the check that is
 * running: one without any never passes.
 */
export const expect: typeof withMatchers = new Proxy(withMatchers, {
  apply: (start, self, args: unknown[]) => counting(Reflect.apply(start as Callable, self, args)),
  get: (start, name) => {
    const member: unknown = Reflect.get(start, name);
    if (judging.has(name)) countJudgement();
    if (!starters.has(name)) return member;
    return (...args: unknown[]) => counting((member as Callable)(...args));
  },
});

function counting<Assertion extends object>(assertion: Assertion): Assertion {
  return new Proxy(assertion, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (chains.has(name)) return counting(member as object);
      // Whoever awaits or prints an assertion has not judged by it.
      if (typeof name === 'string' && name !== 'then') countJudgement();
      if (typeof member !== 'function') return member;
      return new Proxy(member, { apply: (judge, _self, args) => Reflect.apply(judge, target, args) as unknown });
    },
  });
}

function countJudgement(): void {
  const record = currentRecord();
  if (record) record.judged++;
}
