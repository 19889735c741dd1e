import { InvalidArgumentError, Option, type Command } from 'commander';
import { limits } from '../specs/limits.ts';
import type { Shard } from '../specs/types.ts';
import { formatOption } from './format-option.ts';
import { addCertificateOptions, type CertificateOptions } from './certificate-options.ts';
import { addGateOptions, type GateFlagOptions } from './gate-options.ts';
import { placeArgument } from './place-argument.ts';
import { UsageError } from './usage-error.ts';

/** Seeds are those of fast-check: 32-bit integers; ours are never negative. */
export const largestSeed = 0x7fff_ffff;
export const mostRuns = 1_000_000;
export const mostCallbackWaitSeconds = limits.crmCallbackWithinMs / 1000;
/** Seconds; no answer is waited for longer than a callback is. */
export const mostPatienceSeconds = mostCallbackWaitSeconds;
export const mostRepeats = 20;
const mostShards = 64;

/** The flags that `check` and `demo` share. */
export interface RunOptions extends CertificateOptions, GateFlagOptions {
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
  /** Names of formats beside report.json. */
  format?: string[];
  /** File that events go to while the run goes on, `-` for standard output. */
  events?: string;
  /** Further runs of what failed. */
  confirm?: number;
  /** Whether causes of what failed are looked for afterwards. */
  diagnose: boolean;
  anonymize?: boolean;
  /** Contracts are verified after the suites. */
  contracts?: boolean;
  shard?: Shard;
}

/** Adds the flags of {@link RunOptions} to a verb. */
export function addRunOptions(command: Command): Command {
  command
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
    .option('--out <directory>', 'where the report goes', 'conformance-report')
    .addOption(formatOption('formats beside report.json; repeatable, or a list with commas (default: html)'))
    .option('--json', 'print report.json, and nothing else, on standard output')
    .option(
      '--events <file>',
      'write an event per line as JSON while the run goes on; - for standard output',
      placeArgument,
    );
  addGateOptions(command, 'must')
    .option('--contracts', "also verify the service's Pact contracts, into the same report")
    .option('--confirm <times>', 'repeat what failed before believing it', whole(1, mostRepeats))
    .option('--no-diagnose', 'omit the search for causes of what failed, which sends more after the run')
    .option('--anonymize', 'replace hosts, phone numbers, names, addresses and ids in everything that is written')
    .option(
      '--shard <index/count>',
      'run this share of the suites, with --seed; report merge puts shards together',
      shard,
    );
  return addCertificateOptions(command);
}

/**
 * Refuses a share of what cannot be shared out.
 *
 * @throws UsageError (exit code 2) without a seed, and with `--only`: most shards would have no check, and write no report
 */
export function assertShardable({ shard, seed, only }: RunOptions): void {
  if (!shard) return;
  if (seed === undefined) {
    throw new UsageError('--shard needs --seed, the same for all shards: together they are one run.');
  }
  if (only.length > 0) {
    throw new UsageError(
      '--shard divides whole suites, and --only leaves some checks of them: omit --shard, a few checks are quick by themselves.',
    );
  }
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

export function listOption(flags: string, description: string): Option {
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

export function whole(least: number, most: number) {
  return (value: string): number => {
    const number = /^\d+$/.test(value) ? Number(value) : NaN;
    if (!(number >= least && number <= most)) {
      throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}`);
    }
    return number;
  };
}

/** `2/4`. */
function shard(value: string): Shard {
  const [, index = '', of = ''] = /^(\d+)\/(\d+)$/.exec(value) ?? [];
  const read = { index: Number(index), of: Number(of) };
  if (!(read.of >= 1 && read.of <= mostShards && read.index >= 1 && read.index <= read.of)) {
    throw new InvalidArgumentError(`expected index/count such as 1/4, with at most ${mostShards} shards`);
  }
  return read;
}

export function seconds(most: number) {
  return (value: string): number => {
    const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : NaN;
    if (!(number > 0 && number <= most)) {
      throw new InvalidArgumentError(`expected seconds, more than 0 and at most ${most}`);
    }
    return number;
  };
}

export function counterexamplePath(value: string): string {
  // After ~ stands which steps of a dialogue were played.
  if (!/^\d+(:\d+)*(~[\w+/]*:[\w+/]*)?$/.test(value))
    throw new InvalidArgumentError('expected the path of a counterexample, as a report shows it');
  return value;
}
