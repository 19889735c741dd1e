import { HarnessFault, type FaultCode } from '../harness/faults.ts';
import { ReportNotWritten } from '../reports/write-report.ts';
import { UsageError } from './usage-error.ts';

/** Something could not be judged. */
export const incompleteExitCode = 3;

/** Faults that the person at the keyboard can mend in the command or the config. */
const usageFaults: ReadonlySet<FaultCode> = new Set<FaultCode>([
  'config-not-found',
  'config-unreadable',
  'config-invalid',
  'secret-missing',
  'address-not-allowed',
  'capture-unreadable',
  'selection-empty',
  'suite-unusable',
  'report-not-written',
]);

/** Whether an error means wrong usage or config, which is exit code 2; its message is for the reader. */
export function isUsageFault(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof ReportNotWritten) return true;
  return error instanceof HarnessFault && usageFaults.has(error.code);
}
