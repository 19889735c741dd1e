import { writeSync } from 'node:fs';
import { HarnessFault, type FaultCode } from '../harness/checks/faults.ts';
import { ReportNotWritten } from '../reports/write/write-report.ts';
import { endingExitCode } from '../run/execute/end-on-signals.ts';
import { incompleteExitCode } from '../run/exit-code.ts';
import { UsageError } from '../run/usage-error.ts';

/** Faults that the user can fix in the command or the config. */
const usageFaults: ReadonlySet<FaultCode> = new Set<FaultCode>([
  'config-not-found',
  'config-unreadable',
  'config-invalid',
  'secret-missing',
  'address-not-allowed',
  'public-url-astray',
  'capture-unreadable',
  'selection-empty',
  'suite-unusable',
  'report-not-written',
]);

/** Whether an error means wrong usage or config (exit code 2); its message is for the user. */
export function isUsageFault(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof ReportNotWritten) return true;
  return error instanceof HarnessFault && usageFaults.has(error.code);
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
