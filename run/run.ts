import type { RunRequest, RunResult } from './run-request.ts';

let isRunning = false;

/**
 * Certifies endpoints as `svc-conform check` does, and returns the report. It prints nothing and leaves the exit code of
 * this process unchanged. While it runs, SIGINT, SIGTERM and SIGHUP end this process after the containers and clients
 * that it started.
 *
 * @throws HarnessFault, an Error with a stable `code`, for a request or config that cannot be used and for a run that
 *   could not be executed; also when another run of this process has not ended. An error that `onEvent` throws is thrown
 *   after the run.
 */
export async function run(request: RunRequest = {}): Promise<RunResult> {
  // Loaded here, because every config file that calls defineConfig loads this module.
  const { runRequest } = await import('./run-request.ts');
  const { HarnessFault } = await import('../harness/checks/faults.ts');
  if (isRunning) throw new HarnessFault('run-in-progress');
  isRunning = true;
  const { exitCode } = process;
  try {
    return await runRequest(request);
  } finally {
    isRunning = false;
    // Vitest, which executes the checks, sets it for a failed check.
    process.exitCode = exitCode;
  }
}
