import type { FinishedCheck } from '../harness/checks/engine.ts';
import type { Repeats, Report, RunStarted } from '../specs/generated/types.ts';
import type { SignalExitCode } from './execute/end-on-signals.ts';
import type { RunExitCode } from './exit-code.ts';
import type { KnownCheck } from './plan/known-checks.ts';

/** One thing that happens in a run. `run-started` comes first; `run-finished` or `run-stopped` comes last. */
export type RunStep =
  | RunBegins
  | { step: 'note'; text: string }
  /** The run waits for something that takes time. */
  | { step: 'waiting'; text: string }
  /** A check begins, or begins to wait for its turn. */
  | { step: 'check-started'; id: string; title: string }
  /** A check ended for the first time. */
  | { step: 'check-finished'; check: FinishedCheck }
  /** The verdict of a check after its failure was repeated. */
  | { step: 'check-repeated'; check: FinishedCheck; repeats: Repeats }
  /** No further check runs. */
  | { step: 'checks-executed' }
  /** The diagnosis identified the cause of a failed check. */
  | { step: 'cause-found'; check: string; cause: string }
  | { step: 'run-finished'; report: Report; exitCode: RunExitCode | SignalExitCode; file: string | undefined }
  /** The run ends early. `isCutShort`: the process ends with it, by a signal or an error that nothing caught. */
  | { step: 'run-stopped'; reason: string | Error; isCutShort: boolean };

export interface RunBegins extends Omit<RunStarted, 'event' | 'at' | 'schemaVersion'> {
  step: 'run-started';
  /** The checks that will run; `undefined` without a build. */
  expected: readonly KnownCheck[] | undefined;
  /** Milliseconds that the latest run of the same kind took. */
  usualMs?: number | undefined;
}

/** Receives the steps of a run, which prints nothing itself. */
export interface RunOutput {
  /** Called once when the plan is accepted and before anything is sent. Throws `HarnessFault` for an unusable place. */
  open?: () => Promise<void>;
  emit: (step: RunStep) => void;
  /** Prints the complete report. `place` is the file to open; `undefined` when no file was written. */
  print?: (report: Report, place: string | undefined) => Promise<void>;
  /** Receives a line about the surroundings of the run (container, certificate, broker), without secrets. */
  note: (line: string) => void;
}
