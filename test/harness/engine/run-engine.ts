/** A separate process for runs of the engine, because Vitest does not start inside Vitest. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { HarnessFault } from '../../../harness/checks/faults.ts';
import { runSuites, type FinishedCheck } from '../../../harness/checks/engine.ts';
import type { RunSettings } from '../../../harness/config/settings.ts';
import type { Shard } from '../../../specs/generated/types.ts';

export interface EngineRun {
  settings: RunSettings;
  surfaces: string[];
  shard?: Shard;
  root?: string;
}

/** Result of a run: its checks in the order of their ends, or the fault that ended it. */
export interface EngineResult {
  checks: FinishedCheck[];
  fault?: { code: string; message: string };
  /** Checks that were reported during the run. */
  reported: number;
  ms: number;
}

const thisFile = fileURLToPath(import.meta.url);

/** Runs the engine in a child process. */
export function runEngine(run: EngineRun): Promise<EngineResult> {
  return new Promise((resolve, reject) => {
    const child = fork(thisFile, ['run'], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.once('message', (result: EngineResult) => {
      resolve(result);
      child.disconnect();
    });
    child.once('exit', (code) => reject(new Error(`The process of the engine ended early with ${code}.`)));
    child.send(run);
  });
}

if (process.argv[1] === thisFile && process.argv[2] === 'run') {
  process.once('disconnect', () => process.exit());
  process.once('message', (run: EngineRun) => {
    const from = performance.now();
    let reported = 0;
    runSuites({ ...run, onCheck: () => reported++ }).then(
      (checks) => process.send?.({ checks, reported, ms: performance.now() - from } satisfies EngineResult),
      (error: unknown) => {
        if (!(error instanceof HarnessFault)) throw error;
        const { code, message } = error;
        process.send?.({
          checks: [],
          fault: { code, message },
          reported,
          ms: performance.now() - from,
        } satisfies EngineResult);
      },
    );
  });
}
