import { setFlagsFromString } from 'node:v8';
import { Command, CommanderError } from 'commander';
import { HarnessFault } from '../harness/checks/faults.ts';
import { resourceFault } from '../harness/wire/resource-limits.ts';
import { visibleControls } from '../reports/text/visible-controls.ts';
import { usageExitCode } from '../reports/model/verdict.ts';
import { addCheck } from './check.ts';
import { addDemo } from './demo.ts';
import { addDiagnose } from './diagnose.ts';
import { followParent } from '../run/execute/follow-parent.ts';
import { endCompilations } from '../run/execute/end-compilations.ts';
import { endOnFaults, endProcess } from '../run/execute/end-on-signals.ts';
import { addExplain } from './explain.ts';
import { addFleet } from './fleet.ts';
import { addInit } from './init.ts';
import { addKeygen } from './keygen.ts';
import { addLink } from './link.ts';
import { addLoad } from './load.ts';
import { addPact } from './pact.ts';
import { addReplay } from './replay.ts';
import { addReport } from './report.ts';
import { addSchemas } from './schemas.ts';
import { addSend } from './send.ts';
import { addServe } from './serve.ts';
import { decidedExitCode, decideExitCode, forgetExitCode, guardExitCode, isUsageFault } from './exit-codes.ts';
import { incompleteExitCode } from '../run/exit-code.ts';
import { runnerSafe } from '../run/output/runner-safe.ts';
import { version } from '../run/version.ts';

/** Creates the program with all its commands. An action that decides no exit code exits with 0. */
export function createProgram(): Command {
  const program = new Command('svc-conform')
    .description("Certifies an integrator's endpoints against the Conversation-Assistant Integration Interface.")
    .version(version())
    .exitOverride()
    .configureOutput({
      // A value that was meant for another flag may be a secret.
      outputError: (text, write) => write(text.replaceAll(/(--[\w-]+)=[^\s']*/g, '$1=…')),
    })
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      '\nExit codes: 0 conformant (with or without warnings), 1 non-conformant,\n2 wrong usage or config, 3 incomplete.',
    );
  program.commandsGroup('First steps:');
  addDemo(program);
  addInit(program);
  addCheck(program);
  program.commandsGroup('After a failure:');
  addDiagnose(program);
  addExplain(program);
  addReplay(program);
  addReport(program);
  program.commandsGroup('Development:');
  addServe(program);
  addSend(program);
  addLink(program);
  addSchemas(program);
  addPact(program);
  program.commandsGroup('Load, many targets, certificates:');
  addLoad(program);
  addFleet(program);
  addKeygen(program);
  return program;
}

/** Runs one command line and ends the process with its exit code. */
export async function main(args: readonly string[]): Promise<void> {
  // V8 doubles the space for short-lived objects in each thread up to 48 MB, which costs memory and saves no time here.
  setFlagsFromString('--semi-space-growth-factor=1');
  guardExitCode();
  endOnFaults(reportError);
  followParent();
  const output = watchOutput(args);
  decideExitCode(await runProgram(args));
  // A write error is emitted after the write.
  await new Promise((resolve) => setImmediate(resolve));
  if (output.failure) decideExitCode(reportWriteFailure(output.failure));
  await endCompilations();
  process.exit();
}

/** Runs one command line and returns its exit code; the process continues. */
export async function runProgram(args: readonly string[]): Promise<number> {
  forgetExitCode();
  try {
    const program = createProgram();
    if (args.length === 0) program.help();
    await program.parseAsync(args, { from: 'user' });
    return decidedExitCode() ?? 0;
  } catch (error) {
    return reportError(error);
  }
}

/** Commands whose exit code is a verdict, even if no one reads their output. `serve --record` is handled separately. */
const judging: ReadonlySet<string | undefined> = new Set([
  'check',
  'demo',
  'diagnose',
  'fleet',
  'load',
  'pact',
  'replay',
  'report',
  'schemas',
]);

/** Write errors of a closed pipe or terminal. */
const readerGone: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO', 'ECONNRESET']);

/**
 * A closed pipe (`| head`) is not an error: commands whose exit code is a verdict keep running, the others stop. Any other
 * error of standard output, such as a full disk, means that the result is lost: it is kept in `failure`.
 */
function watchOutput(args: readonly string[]): { readonly failure: NodeJS.ErrnoException | undefined } {
  const isJudging = judging.has(args[0]) || args.some((arg) => arg.startsWith('--record'));
  const output: { failure: NodeJS.ErrnoException | undefined } = { failure: undefined };
  for (const stream of [process.stdout, process.stderr]) {
    let hasFailed = false;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // Every further write fails too, with a less specific error.
      if (hasFailed) return;
      hasFailed = true;
      if (stream === process.stdout && !readerGone.has(error.code)) output.failure = error;
      if (isJudging) return;
      void endProcess(output.failure ? reportWriteFailure(output.failure) : (decidedExitCode() ?? 0));
    });
  }
  return output;
}

/** Reports on standard error that the result could not be printed; returns the exit code for it. */
function reportWriteFailure({ message }: Error): number {
  printError(`The result cannot be written to standard output: ${message}.`);
  return usageExitCode;
}

/** Reports an error on standard error; returns its exit code. */
function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageExitCode;
  if (isUsageFault(error)) {
    printError(error.message);
    return usageExitCode;
  }
  const fault = resourceFault(error) ?? error;
  const text = fault instanceof Error ? fault.message : String(fault);
  const code = fault instanceof HarnessFault ? fault.code : 'engine-failed';
  const what = code === 'engine-failed' ? 'Internal error of svc-conform; there is no verdict' : 'There is no verdict';
  printError(`${what} (${code}): ${text}`);
  return incompleteExitCode;
}

function printError(text: string): void {
  process.stderr.write(`${runnerSafe(visibleControls(text))}\n`);
}
