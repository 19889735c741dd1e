import { setFlagsFromString } from 'node:v8';
import { CommandLineOutput } from '../run/output/command-line-output.ts';
import type { RunOptions } from '../run/run-input.ts';
import type { FinishedRun } from '../run/run-pipeline.ts';
import type { RunOutput } from '../run/run-step.ts';
import { decideExitCode } from './exit-codes.ts';

/** The options of a run and of its output, as `addRunOptions` reads them. */
export interface RunFlags extends RunOptions {
  json?: boolean;
  events?: string;
}

/**
 * Megabytes of V8's young generation for the threads of a run. Exchanges are short-lived; with V8's default their space
 * grows to several times the need, and no run gets faster.
 */
const youngMegabytes = 4;

/** Limits the memory of this process; call it before a run starts its threads. */
export function limitYoungGeneration(): void {
  setFlagsFromString(`--max-semi-space-size=${youngMegabytes}`);
}

/** Executes a run, shows its progress and result according to the flags, decides the exit code, and returns the run. */
export async function showRun(flags: RunFlags, run: (output: RunOutput) => Promise<FinishedRun>): Promise<FinishedRun> {
  using output = new CommandLineOutput(flags);
  const finished = await run(output);
  output.reportMissingEvents();
  decideExitCode(finished.exitCode);
  return finished;
}
