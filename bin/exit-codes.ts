import { writeSync } from 'node:fs';
import { HarnessFault } from '../harness/checks/faults.ts';
import { ReportNotWritten } from '../reports/write/write-report.ts';
import { faults } from '../specs/faults/fault-table.ts';
import { usageExitCode } from '../reports/model/verdict.ts';
import { endingExitCode } from '../run/execute/end-on-signals.ts';
import { incompleteExitCode } from '../run/exit-code.ts';

/** Whether an error means wrong usage or config, which is exit code 2; its message is for the reader. */
export function isUsageFault(error: unknown): error is HarnessFault | ReportNotWritten {
  const isCoded = error instanceof HarnessFault || error instanceof ReportNotWritten;
  return isCoded && faults[error.code].exitCode === usageExitCode;
}

let decided: number | undefined;

/**
 * Decides the exit code of this process; the last decision counts. Nothing else sets one: Vitest sets 1 for reasons of its
 * own, as Node does for an error that nothing caught, and 1 is the code of a verdict.
 */
export function decideExitCode(code: number): void {
  decided = code;
}

/** The exit code that was decided last; `undefined` before. */
export function decidedExitCode(): number | undefined {
  return decided;
}

/** Forgets the exit code of an earlier command line of this process. */
export function forgetExitCode(): void {
  decided = undefined;
}

/** Ends this process with the decided exit code, however it ends; without one it was cut short, which is incomplete. */
export function guardExitCode(): void {
  process.on('exit', () => {
    // What continued while the process was being ended may have decided another one.
    const code = endingExitCode() ?? decided;
    if (code === undefined) writeCutShort();
    process.exitCode = code ?? incompleteExitCode;
  });
}

function writeCutShort(): void {
  try {
    writeSync(process.stderr.fd, 'svc-conform ended before its work was done, so nothing was judged.\n');
  } catch {
    // Without a reader of standard error the exit code remains.
  }
}
