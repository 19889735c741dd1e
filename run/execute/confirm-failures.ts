import type { FinishedCheck } from '../../harness/checks/engine.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { Repeats, Verdict } from '../../specs/generated/types.ts';

/** A check whose failure was repeated carries how often it failed. */
export type ConfirmedCheck = FinishedCheck & { repeats?: Repeats };

export interface ConfirmOptions {
  /** Further runs of what failed. */
  times: number;
  /**
   * Runs checks again under the settings of the first run. `only` holds check ids; empty, it is everything that the
   * first run had selected of these surfaces.
   */
  rerun: (only: string[], surfaces: string[]) => Promise<readonly FinishedCheck[]>;
  /**
   * Whether a failure decides the exit code. One that does and does not come again is `blocked`; any other stays what it
   * is, told as k of n: to doubt it must not make the run worse than to believe it. Default: that of a must.
   */
  isDecisive?: (check: FinishedCheck) => boolean;
  /** Told before each round, and when a round could not be run. */
  note?: (line: string) => void;
}

/**
 * Repeats the checks that failed, so that a failure is believed only when it comes again. Each is first repeated alone;
 * one that does not fail alone is repeated with the whole of its surface, as it ran first: it may judge what the others
 * bring about. A repeat in which nothing could be judged neither confirms nor refutes.
 *
 * @returns all checks, in their order; of those that failed, with the evidence of the first time
 */
export async function confirmFailures(
  finished: readonly FinishedCheck[],
  { times, rerun, isDecisive = ({ level }) => level === 'must', note = () => undefined }: ConfirmOptions,
): Promise<ConfirmedCheck[]> {
  const failed = finished.filter(({ verdict }) => verdict === 'fail');
  const seen = new Map(failed.map(({ id }) => [id, { failed: 1, passed: 0 }]));
  let alone = failed;
  let together: FinishedCheck[] = [];
  try {
    for (let round = 1; round <= times && failed.length > 0; round++) {
      note(`Repeating ${failed.length} that did not hold, ${round} of ${times}.`);
      const verdicts = await rerunAlone(alone, rerun);
      if (round === 1) {
        together = alone.filter(({ id }) => verdicts.get(id) !== 'fail');
        alone = alone.filter(({ id }) => verdicts.get(id) === 'fail');
      }
      // Before the next run, which may not come to its end.
      count(alone, verdicts);
      count(together, await rerunSurfaces(together, rerun));
    }
  } catch (error) {
    // The first run stands on its own; what it found must not be lost with a repeat.
    if (!(error instanceof HarnessFault)) throw error;
    note(`What did not hold could not be repeated further: ${error.message}`);
  }
  function count(checks: readonly FinishedCheck[], outcomes: ReadonlyMap<string, Verdict>): void {
    for (const { id } of checks) {
      const counts = seen.get(id);
      const verdict = outcomes.get(id);
      if (counts && verdict === 'fail') counts.failed++;
      if (counts && verdict === 'pass') counts.passed++;
    }
  }
  return finished.map((check) => {
    const counts = times > 0 ? seen.get(check.id) : undefined;
    if (!counts || check.verdict !== 'fail') return check;
    const repeats = { failed: counts.failed, of: counts.failed + counts.passed };
    if (counts.failed > 1 || counts.passed === 0 || !isDecisive(check)) return { ...check, repeats };
    return {
      ...check,
      verdict: 'blocked' as const,
      code: 'not-reproducible' as const,
      message: `It failed once and then passed ${counts.passed === 1 ? 'when it was repeated' : `${counts.passed} times`}: ${check.message ?? check.title}`,
      repeats,
    };
  });
}

type Rerun = ConfirmOptions['rerun'];

async function rerunAlone(checks: readonly FinishedCheck[], rerun: Rerun): Promise<ReadonlyMap<string, Verdict>> {
  if (checks.length === 0) return new Map();
  return verdictsOf(
    await rerun(
      checks.map(({ id }) => id),
      surfacesOf(checks),
    ),
  );
}

async function rerunSurfaces(checks: readonly FinishedCheck[], rerun: Rerun): Promise<ReadonlyMap<string, Verdict>> {
  return checks.length === 0 ? new Map() : verdictsOf(await rerun([], surfacesOf(checks)));
}

function verdictsOf(checks: readonly FinishedCheck[]): ReadonlyMap<string, Verdict> {
  return new Map(checks.map(({ id, verdict }) => [id, verdict]));
}

function surfacesOf(checks: readonly FinishedCheck[]): string[] {
  return [...new Set(checks.map(({ requirement }) => requirement.split('/', 1)[0] ?? requirement))];
}
