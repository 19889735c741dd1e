import { writeSync } from 'node:fs';
import { HarnessFault } from '../harness/checks/faults.ts';
import { ReportNotWritten } from '../reports/write/write-report.ts';
import { faults } from '../specs/faults/fault-table.ts';
import { usageExitCode } from '../reports/model/verdict.ts';
import { endingExitCode } from '../run/execute/end-on-signals.ts';
import { incompleteExitCode } from '../run/exit-code.ts';

/** Whether an error means wrong usage or config (exit code 2); its message is for the user. */
export function isUsageFault(error: unknown): error is HarnessFault | ReportNotWritten {
  const isCoded = error instanceof HarnessFault || error instanceof ReportNotWritten;
  return isCoded && faults[error.code].exitCode === usageExitCode;
}

let decided: number | undefined;

/**
 * Decides the exit code of this process; the last decision counts. `process.exitCode` is not used: Vitest sets it to 1 for
 * its own reasons, Node does so for an uncaught error, and 1 is the code of a verdict.
 */
export function decideExitCode(code: number): void {
  decided = code;
}

/** The exit code that was decided last; `undefined` before the first decision. */
export function decidedExitCode(): number | undefined {
  return decided;
}

/** Forgets the exit code of an earlier command line of this process. */
export function forgetExitCode(): void {
  decided = undefined;
}

/** Makes this process exit with the decided code, however it ends. Without a decision it was interrupted: incomplete. */
export function guardExitCode(): void {
  process.on('exit', () => {
    // Code that still ran during the shutdown may have decided another one.
    const code = endingExitCode() ?? decided;
    if (code === undefined) writeCutShort();
    process.exitCode = code ?? incompleteExitCode;
  });
}

function writeCutShort(): void {
  try {
    writeSync(process.stderr.fd, 'svc-conform ended before it finished, so there is no verdict.\n');
  } catch {
    // Standard error is closed; the exit code is still set.
  }
}
