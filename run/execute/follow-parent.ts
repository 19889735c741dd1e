import { reportWaits, reportWaitsVariable } from '../../harness/wire/processor-wait.ts';
import { incompleteExitCode } from '../exit-code.ts';
import { endProcess } from './end-on-signals.ts';

/**
 * Ends this process when the command `fleet` that started it has ended, however it did, and reports to it how long this
 * process waits for a processor. Does nothing in a process that was started otherwise.
 */
export function followParent(): void {
  if (process.env[reportWaitsVariable] === undefined || !process.connected) return;
  process.once('disconnect', () => void endProcess(incompleteExitCode, 'The fleet ended.'));
  process.channel?.unref();
  reportWaits((wait) => process.connected && process.send?.(wait, undefined, undefined, () => undefined));
}
