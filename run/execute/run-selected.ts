import { runSuites, type EngineOptions, type FinishedCheck } from '../../harness/checks/engine.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { watchGroups } from '../../harness/container/process-group.ts';
import { onProgress } from '../../harness/checks/progress.ts';
import type { RunSettings } from '../../harness/config/settings.ts';
import type { Shard } from '../../specs/generated/types.ts';
import { confirmFailures, type ConfirmedCheck } from './confirm-failures.ts';
import { beforeEnd } from './end-on-signals.ts';
import type { RunEvents } from '../publish/run-events.ts';
import { RunProgress } from '../publish/run-progress.ts';
import type { SelectedChecks } from '../plan/select-checks.ts';

/** Runs what of its kind the settings select, and returns every check that ended. */
export type RunChecks = (options: EngineOptions) => Promise<FinishedCheck[]>;

export interface SelectedRun {
  settings: RunSettings;
  selected: SelectedChecks;
  /** Told before the run. */
  notes: readonly string[];
  shard?: Shard | undefined;
  /** Further runs of what failed. */
  confirm: number;
  /** Whether a failure decides the exit code. */
  isDecisive: (check: FinishedCheck) => boolean;
  events?: RunEvents | undefined;
  /** Nothing of what the endpoint says is told. */
  isDiscreet: boolean;
  /** Default: the suites. */
  run?: RunChecks | undefined;
}

/** Runs the selected checks, repeats what failed, and tells on standard error how it goes. */
export async function runSelected(run: SelectedRun): Promise<ConfirmedCheck[]> {
  const { settings, selected, notes, shard, confirm, isDecisive, events, isDiscreet } = run;
  const runChecks = run.run ?? runSuites;
  using progress = new RunProgress(process.stderr, shard ? undefined : selected.expected, isDiscreet);
  const note = (text: string) => {
    progress.note(text);
    events?.note(text);
  };
  using _told = onProgress(({ text }) => {
    progress.waiting(text);
    events?.note(text);
  });
  using clients = watchGroups();
  // What was not judged would look like a verdict in a report, so none is written.
  using _end = beforeEnd((reason) => {
    clients.killAll();
    progress.note('Stopped. No report was written.');
    events?.stopped(reason);
  });
  for (const text of notes) note(text);
  const finished = await runChecks({
    settings,
    surfaces: selected.surfaces,
    ...(shard && { shard }),
    onCheck: (check) => {
      progress.ended(check);
      events?.checkFinished(check);
    },
  });
  if (finished.length === 0) {
    const where = shard ? `Shard ${shard.index}/${shard.of} has` : 'The selection leaves';
    throw new HarnessFault('selection-empty', `${where} no check to run.`);
  }
  const confirmed = await confirmFailures(finished, {
    times: confirm,
    isDecisive,
    note,
    rerun: (only, surfaces) =>
      runChecks({ settings: { ...settings, only: only.length > 0 ? only : settings.only }, surfaces }),
  });
  for (const check of confirmed) if (check.repeats) events?.checkRepeated(check, check.repeats);
  return confirmed;
}
