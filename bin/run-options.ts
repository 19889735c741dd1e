import { InvalidArgumentError, Option, type Command } from 'commander';
import { limits } from '../specs/limits.ts';

/** Seeds are those of fast-check: 32-bit integers; ours are never negative. */
export const largestSeed = 0x7fff_ffff;
const mostRuns = 1_000_000;
const mostCallbackWaitSeconds = limits.crmCallbackWithinMs / 1000;
/** Seconds; no answer is waited for longer than a callback is. */
const mostPatienceSeconds = mostCallbackWaitSeconds;

/** The flags that `check` and `demo` share. */
export interface RunOptions {
  surface: string[];
  only: string[];
  seed?: number;
  runs?: number;
  thorough?: boolean;
  path?: string;
  /** Seconds. */
  callbackWait?: number;
  /** Seconds. */
  patience?: number;
  out: string;
  json?: boolean;
}

/** Adds the flags of {@link RunOptions} to a verb. */
export function addRunOptions(command: Command): Command {
  return command
    .addOption(listOption('--surface <name>', 'only this surface; repeatable, or a list with commas'))
    .addOption(listOption('--only <id>', 'only this requirement or check; repeatable, or a list with commas'))
    .option(
      '--seed <number>',
      'seed of generated events and dialogues; a random one is chosen and told otherwise',
      whole(0, largestSeed),
    )
    .option('--runs <number>', 'generated events per property; calls and dialogues are fewer', whole(1, mostRuns))
    .option('--thorough', 'many more generated events and dialogues, and more time for them')
    .option('--path <path>', 'with --only and --seed: replay a recorded counterexample', counterexamplePath)
    .option(
      '--callback-wait <seconds>',
      `wait less than the ${mostCallbackWaitSeconds} s of the interface for a callback after 202`,
      seconds(mostCallbackWaitSeconds),
    )
    .option('--patience <seconds>', 'wait this long for an answer that has no limit', seconds(mostPatienceSeconds))
    .option('--out <folder>', 'where the report goes', 'conformance-report')
    .option('--json', 'print report.json, and nothing else, on standard output');
}

/** The flags of a run as words, to repeat it with other checks; `only`, `seed` and `path` are left to the caller. */
export function repeatedFlags({ runs, thorough, patience, callbackWait }: RunOptions): string[] {
  return [
    ...(runs === undefined ? [] : ['--runs', String(runs)]),
    ...(thorough === true ? ['--thorough'] : []),
    ...(patience === undefined ? [] : ['--patience', String(patience)]),
    ...(callbackWait === undefined ? [] : ['--callback-wait', String(callbackWait)]),
  ];
}

function listOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(collect).default([], 'all');
}

function collect(value: string, earlier: string[]): string[] {
  return [
    ...earlier,
    ...value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ];
}

function whole(least: number, most: number) {
  return (value: string): number => {
    const number = /^\d+$/.test(value) ? Number(value) : NaN;
    if (!(number >= least && number <= most)) {
      throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}`);
    }
    return number;
  };
}

function seconds(most: number) {
  return (value: string): number => {
    const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : NaN;
    if (!(number > 0 && number <= most)) {
      throw new InvalidArgumentError(`expected seconds, more than 0 and at most ${most}`);
    }
    return number;
  };
}

function counterexamplePath(value: string): string {
  // After ~ stands which steps of a dialogue were played.
  if (!/^\d+(:\d+)*(~[\w+/]*:[\w+/]*)?$/.test(value))
    throw new InvalidArgumentError('expected the path of a counterexample, as a report shows it');
  return value;
}
