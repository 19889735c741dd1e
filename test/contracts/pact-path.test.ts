import { describe, expect, it } from 'vitest';
import { mismatchFinding } from '../../contracts/mismatch-finding.ts';
import { isMatched, readMatchers } from '../../contracts/pact-matchers.ts';
import { pactPathSteps } from '../../contracts/pact-path-steps.ts';

describe('a path of Pact', () => {
  it.each([
    ['$', []],
    ['$.a.b[12].c', ['a', 'b', 12, 'c']],
    ["$['a.b'][0]", ['a.b', 0]],
    ['$["a b"][*].*', ['a b', '*', '*']],
    [String.raw`$['it\'s']`, ["it's"]],
    [String.raw`$['a\\b']`, [String.raw`a\b`]],
  ])('%s leads by %j', (path, steps) => {
    expect(pactPathSteps(path)).toEqual(steps);
  });

  it('means the same in a rule and in a difference', () => {
    const path = String.raw`$['it\'s'][0]`;
    const matchers = readMatchers({ body: { [path]: { matchers: [{ match: 'type' }] } } }, 4);
    expect(isMatched(matchers, ["it's", 0])).toBe(true);
    const { part } = mismatchFinding([{ type: 'BodyMismatch', path, expected: 1, mismatch: 'Odd.' }], 'where');
    expect(part).toEqual({ body: ["it's", 0] });
  });
});
