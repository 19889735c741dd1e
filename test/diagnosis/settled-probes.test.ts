import { describe, expect, it } from 'vitest';
import { Connection } from '../../diagnosis/connection.ts';
import { diagnose } from '../../diagnosis/diagnose.ts';
import { metRequirements, settledProbes } from '../../diagnosis/settled-probes.ts';
import { requirements, type Requirement } from '../../specs/requirements/catalogue.ts';
import type { CheckResult } from '../../specs/generated/types.ts';
import { surfaceOf } from '../../specs/surfaces.ts';
import { everyMistake } from './mistakes/every-mistake.ts';
import { mistakeConfig } from './mistakes/mistake-config.ts';

const surface = 'own-ai-chat';
const passed = Object.entries<Requirement>(requirements)
  .filter(([id, { unobservable }]) => surfaceOf(id) === surface && unobservable === undefined)
  .map(([id, { level }]) => check(id, { level }));

function check(requirement: string, over: Partial<CheckResult> = {}): CheckResult {
  const id = `${requirement}#a-check`;
  return { id, requirement, surface, title: id, level: 'must', verdict: 'pass', durationMs: 1, evidence: [], ...over };
}

const withFailed = (requirement: string) =>
  passed.map((one) => (one.requirement === requirement ? { ...one, verdict: 'fail' as const } : one));

describe('a run in which every check passed', () => {
  it('settles every probe', () => {
    expect([...settledProbes(passed, surface)].toSorted()).toEqual(
      ['answer', 'callback', 'deduplication', 'payload', 'signature', 'timing', 'weakness', 'window'].toSorted(),
    );
  });

  it('settles nothing on another surface', () => {
    expect([...settledProbes(passed, 'api-webhooks')]).toEqual([]);
  });
});

describe('a run with a failed check', () => {
  it('leaves open what its probe examines, and what may be the cause of it', () => {
    const settled = settledProbes(withFailed(`${surface}/answer-is-a-json-object`), surface);
    expect(settled.has('signature')).toBe(true);
    expect([settled.has('answer'), settled.has('payload')]).toEqual([false, false]);
  });

  it.each(['not-exercised', 'blocked', 'fail'] as const)('settles nothing with the verdict %s', (verdict) => {
    const id = `${surface}/refuses-short-v1`;
    const some = passed.map((one) => (one.requirement === id ? { ...one, verdict } : one));
    const settled = settledProbes(some, surface);
    expect([settled.has('signature'), settled.has('answer')]).toEqual([false, true]);
  });

  it('settles what does not apply', () => {
    const id = `${surface}/refuses-short-v1`;
    const some = passed.map((one) => (one.requirement === id ? { ...one, verdict: 'not-applicable' as const } : one));
    expect(settledProbes(some, surface).has('signature')).toBe(true);
  });

  it('settles nothing that it has not judged', () => {
    const some = passed.filter(({ requirement }) => requirement !== `${surface}/refuses-short-v1`);
    const settled = settledProbes(some, surface);
    expect([settled.has('signature'), settled.has('answer')]).toEqual([false, true]);
  });
});

describe('a requirement', () => {
  const id = `${surface}/refuses-short-v1`;
  it.each([
    [['pass'], true],
    [['pass', 'not-applicable'], true],
    [['not-applicable'], false],
    [['pass', 'not-exercised'], false],
    [['pass', 'fail'], false],
  ] as const)('with the verdicts %s is met: %s', (verdicts, isMet) => {
    expect(metRequirements(verdicts.map((verdict) => check(id, { verdict }))).has(id)).toBe(isMet);
  });
});

describe('a diagnosis from such a run', () => {
  const utf8mb3 = everyMistake.find(({ name }) => name === 'a column is utf8mb3');
  if (!utf8mb3) throw new TypeError('expected an endpoint with this name');
  const diagnosed = async (settled: ReturnType<typeof settledProbes>) => {
    await using running = await utf8mb3.start();
    await using connection = await Connection.open(surface, mistakeConfig(utf8mb3, running), {
      seed: 3,
      withinMs: 60_000,
    });
    return await diagnose(connection, { settled });
  };

  it('finds the same cause with fewer deliveries', async () => {
    const settled = settledProbes(withFailed(`${surface}/answers-any-valid-event`), surface);
    const [whole, short] = [await diagnosed(new Set()), await diagnosed(settled)];
    expect(short.cause).toEqual(whole.cause);
    expect(short.cause?.id).toBe('payload/astral-characters');
    expect(short.deliveries).toBeLessThan(whole.deliveries - 4);
    expect(short.passed).toContain('A run has already judged the check of signatures, and nothing failed.');
  });
});
