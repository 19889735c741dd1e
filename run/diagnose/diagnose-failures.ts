import type { HintOptions } from '../../diagnosis/fill-hints.ts';
import type { RunSettings } from '../../harness/config/settings.ts';
import { establishedCause, isBlockedByConnection, isDiagnosedFailure } from '../../diagnosis/for-requirement.ts';
import { visibleControls } from '../../reports/text/visible-controls.ts';
import type { CheckResult } from '../../specs/generated/types.ts';
import type { CollectedRun } from '../collect/collect-run.ts';
import { beforeEnd, unlessEnding } from '../execute/end-on-signals.ts';
import type { RunEvents } from '../publish/run-events.ts';
import { runnerSafe } from '../publish/runner-safe.ts';

/** Milliseconds for all causes of one run: as long as somebody waits for a reason without asking for one. */
const diagnosisMs = 20_000;

/** Looks for the causes of what a run has found to fail, and returns its checks with what was told in their hints. */
export async function diagnoseFailures(
  run: CollectedRun,
  { config, seed }: RunSettings,
  events?: RunEvents,
): Promise<CheckResult[]> {
  const isWanted = (check: CheckResult) =>
    isDiagnosedFailure(check) || isBlockedByConnection(check) || establishedCause(check) !== undefined;
  if (!run.checks.some(isWanted)) return run.checks;
  const note = (text: string) => {
    process.stderr.write(`${runnerSafe(visibleControls(text))}\n`);
    events?.note(text);
  };
  using _end = beforeEnd((reason) => {
    note('Stopped. No report was written.');
    events?.stopped(reason);
  });
  note(
    `Looking for the causes of what did not hold, for at most ${diagnosisMs / 1000} s; --no-diagnose leaves this out.`,
  );
  const checks = await hinted(run, { config, seed, withinMs: diagnosisMs, note });
  await unlessEnding();
  return checks;
}

/** Apart from what uses `using`: there tsc (6.0) leaves the name of a module that is loaded later as it is. */
async function hinted(run: CollectedRun, options: HintOptions): Promise<CheckResult[]> {
  try {
    const { fillHints } = await import('../../diagnosis/fill-hints.ts');
    return await fillHints(run, options);
  } catch (error) {
    // The run stands on its own.
    options.note?.(`The causes could not be looked for: ${String(error)}`);
    return run.checks;
  }
}
