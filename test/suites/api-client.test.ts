import { describe, expect, it } from 'vitest';
import { apiClient } from '../../specs/requirements/api-client.ts';
import type { Requirement } from '../../specs/requirements/requirement.ts';
import { conductCases } from './api-client-conduct.ts';
import { requestCases } from './api-client-requests.ts';
import { allRules, traffic, verdict, type Sketch } from './api-exchanges.ts';

const cases = [...requestCases, ...conductCases];
const told = (sketches: readonly Sketch[]) =>
  sketches
    .slice(0, 3)
    .map(
      ({ method = 'POST', path, body, key }) =>
        `${method} ${path} ${JSON.stringify(body ?? '').slice(0, 60)} ${key ?? ''}`,
    )
    .join(', ');

describe('the rules about API clients', () => {
  it('are one for each requirement that can be seen', () => {
    const observable = Object.entries(apiClient as Record<string, Requirement>)
      .filter(([, { unobservable }]) => unobservable === undefined)
      .map(([id]) => id);
    expect(allRules.map(({ requirement }) => requirement).toSorted()).toEqual(observable.toSorted());
  });

  it('are each shown to hold, to fail and to have nothing to judge', () => {
    expect(cases.map(({ rule }) => `api-client/${rule}`).toSorted()).toEqual(
      allRules.map(({ requirement }) => requirement).toSorted(),
    );
    for (const { rule, holds, fails, nothing } of cases) {
      expect(
        [holds, fails, nothing].every((list) => list.length > 0),
        rule,
      ).toBe(true);
    }
  });

  it('say nothing about a client that sent nothing', () => {
    expect(
      allRules.filter(({ requirement }) => verdict(requirement.slice('api-client/'.length), traffic()) !== 'nothing'),
    ).toEqual([]);
  });
});

describe.each(cases)('$rule', ({ rule, holds, fails, nothing }) => {
  it.each(holds.map((sketches) => [told(sketches), sketches] as const))('holds for %s', (_, sketches) => {
    expect(verdict(rule, traffic(...sketches))).toBe('holds');
  });

  it.each(fails.map(([sketches, part]) => [told(sketches), sketches, part] as const))(
    'fails for %s',
    (_, sketches, part) => {
      const said = verdict(rule, traffic(...sketches));
      expect(said).toMatch(/^expected .+, received .+/);
      expect(said).toContain(part);
    },
  );

  it.each(nothing.map((sketches) => [told(sketches), sketches] as const))(
    'has nothing to judge in %s',
    (_, sketches) => {
      expect(verdict(rule, traffic(...sketches))).toBe('nothing');
    },
  );
});
