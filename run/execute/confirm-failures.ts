import type { FinishedCheck } from '../../harness/checks/engine.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { Repeats, Verdict } from '../../specs/generated/types.ts';

/** A check; `repeats` states how often its failure occurred again. */
export type ConfirmedCheck = FinishedCheck & { repeats?: Repeats };

export interface ConfirmOptions {
  /** Number of times that failed checks are repeated. */
  times: number;
  /**
   * Runs checks again with the settings of the first run. `only` lists check ids; if empty, everything that the first run
   * had selected for these surfaces runs.
   */
  rerun: (only: string[], surfaces: string[]) => Promise<readonly FinishedCheck[]>;
  /**
   * Whether a failure decides the exit code. Such a failure becomes `blocked` when it is not reproducible; any other stays
   * a failure, with k of n: re-running it must never turn a warning into a blocked result. Default: failures of a must.
   */
  isDecisive?: (check: FinishedCheck) => boolean;
  /** Receives a line before each round, and when a round could not be run. */
  note?: (line: string) => void;
}

/**
 * Repeats the failed checks, to confirm that the failures are reproducible. Each check is first repeated alone; one that
 * passes alone is repeated with all checks of its surface, as in the first run, because it may depend on effects of the
 * others. A repeat that could not be judged neither confirms nor refutes.
 *
 * @returns all checks in their order; failed ones with the evidence of the first run
 */
export async function confirmFailures(
  finished: readonly FinishedCheck[],
  { times, rerun, isDecisive = ({ level }) => level === 'must', note = () => undefined }: ConfirmOptions,
): Promise<ConfirmedCheck[]> {
  // Requests of the endpoint occur only in a whole run.
  const failed = finished.filter(({ verdict, source }) => verdict === 'fail' && source !== 'observed');
  const seen = new Map(failed.map(({ id }) => [id, { failed: 1, passed: 0 }]));
  let alone = failed;
  let together: FinishedCheck[] = [];
  try {
    for (let round = 1; round <= times && failed.length > 0; round++) {
      note(
        `Re-running ${failed.length} failed ${failed.length === 1 ? 'check' : 'checks'}, round ${round} of ${times}.`,
      );
      const verdicts = await rerunAlone(alone, rerun);
      if (round === 1) {
        together = alone.filter(({ id }) => verdicts.get(id) !== 'fail');
        alone = alone.filter(({ id }) => verdicts.get(id) === 'fail');
      }
      // Counted before the next run, which may not finish.
      count(alone, verdicts);
      count(together, await rerunSurfaces(together, rerun));
    }
  } catch (error) {
    // The findings of the first run must not be lost when a repeat fails.
    if (!(error instanceof HarnessFault)) throw error;
    note(`The failed checks could not be repeated further: ${error.message}`);
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
