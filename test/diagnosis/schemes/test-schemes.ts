import { describe, expect, it, vi } from 'vitest';
import { diagnoseSignature } from '../../../diagnosis/signature/diagnose-signature.ts';
import { runAtOnce } from '../run-at-once.ts';
import { everyTrial, type SchemeGroup } from './every-scheme.ts';
import { runTrial } from './run-trial.ts';
import { schemeName, type SignedSurface } from './scheme.ts';

/** The surface on which every applicable scheme is tried. */
const whole: SignedSurface = 'api-webhooks';
/**
 * On other surfaces, and for endpoints that need many questions, one of this many schemes is tried; the figures include
 * all.
 */
const sampled: Record<SchemeGroup, number> = {
  singles: 8,
  clock: 3,
  careless: 6,
  composites: 6,
  unknown: 4,
  right: 2,
};
const askedAtLength: readonly SchemeGroup[] = ['composites', 'unknown', 'careless'];
/** Every nth endpoint of these groups is diagnosed as users do it, without `--thorough`; of the composites none. */
const usualOf: Record<SchemeGroup, number> = {
  singles: 3,
  clock: 1,
  careless: 1,
  composites: Infinity,
  unknown: 2,
  right: 1,
};

function trialsOf(group: SchemeGroup) {
  // Endpoints that accept by chance are detected by chance; the figures include them.
  const all = everyTrial().filter((trial) => trial.group === group && trial.scheme.byChance !== true);
  const [here, elsewhere] = [true, false].map((isHere) => all.filter(({ surface }) => (surface === whole) === isHere));
  const some = <T>(trials: readonly T[] = []) => trials.filter((_, at) => at % sampled[group] === 0);
  const calls = all.filter(({ scheme: { surfaces }, group }) => group === 'singles' && surfaces?.length === 1);
  const chosen = new Set([
    ...(askedAtLength.includes(group) ? some(here) : (here ?? [])),
    ...some(elsewhere),
    ...calls,
  ]);
  return [...chosen].map((trial, at) => {
    const isThorough = (at + 1) % usualOf[group] !== 0;
    return { ...trial, isThorough, name: `${schemeName(trial.scheme)}${isThorough ? '' : ', without --thorough'}` };
  });
}

/** Whether the trial at this place of its group is one of those that `npm test` runs: one in five. */
export const isInSample = (place: number): boolean => place % 5 === 2;

type Trial = ReturnType<typeof trialsOf>[number];

/** Endpoints that are diagnosed at the same time: nearly all of the time is waiting. */
const atOnce = 12;

/** Milliseconds, including the wait for a free place. */
const timeoutMs = 180_000;

/** Diagnoses those of the chosen trials that this file selects, by their place in their group, and judges the results. */
export function testSchemes(isSelected: (place: number) => boolean): void {
  vi.setConfig({ testTimeout: timeoutMs });
  const some = (group: SchemeGroup) => trialsOf(group).filter((_, place) => isSelected(place));
  // In the order in which they start: the longest first.
  const trials = {
    unknown: some('unknown'),
    composites: some('composites'),
    singles: some('singles'),
    clock: some('clock'),
    careless: some('careless'),
    right: some('right'),
  };
  const results = runAtOnce<Trial, Awaited<ReturnType<typeof runTrial>>>(
    Object.values(trials).flat(),
    atOnce,
    (trial) => runTrial(trial, diagnoseSignature, trial),
  );

  describe('one mistake', () => {
    it.for(trials.singles.filter(({ isThorough }) => isThorough))('is named: $name, on $surface', async (trial) => {
      const { verdict, named } = (await results.get(trial))!;
      expect(`${named}: ${verdict}`).toMatch(/: right$/);
    });

    it.for(trials.singles.filter(({ isThorough }) => !isThorough))(
      'is named or suspected, but never another one: $name, on $surface',
      async (trial) => {
        const { verdict, named, suspected } = (await results.get(trial))!;
        expect(`${named}: ${verdict}`).toMatch(/: (?:right|none)$/);
        if (named === undefined) expect(suspected).toContain('unknown-scheme');
      },
    );
  });

  describe('two mistakes', () => {
    it.for(trials.composites)('are never confused with another mistake: $name, on $surface', async (trial) => {
      const { verdict } = (await results.get(trial))!;
      expect(['right', 'partly', 'none']).toContain(verdict);
    });
  });

  describe('an endpoint that accepts invalid signatures', () => {
    it.for(trials.careless)('is detected: $name, on $surface', async (trial) => {
      const { verdict, named } = (await results.get(trial))!;
      expect(`${named}: ${verdict}`).toMatch(/: right$/);
    });
  });

  describe('a clock or a limit', () => {
    it.for(trials.clock)('is named: $name, on $surface', async (trial) => {
      const { verdict, named } = (await results.get(trial))!;
      expect(`${named}: ${verdict}`).toMatch(/: right$/);
    });
  });

  describe('an unknown scheme', () => {
    it.for(trials.unknown)('is given no name: $name, on $surface', async (trial) => {
      const { named, suspected } = (await results.get(trial))!;
      expect(named).toBeUndefined();
      expect(suspected).not.toEqual([]);
    });
  });

  describe('a right endpoint', () => {
    it.for(trials.right)('has nothing named against it: $name, on $surface', async (trial) => {
      const { outcome } = (await results.get(trial))!;
      expect(outcome.found).toBeUndefined();
      expect(outcome.passed).not.toEqual([]);
    });
  });
}
