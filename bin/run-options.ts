import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Shard } from '../specs/generated/types.ts';
import { formatOption } from './format-option.ts';
import { addCertificateOptions } from './certificate-options.ts';
import { addGateOptions } from './gate-options.ts';
import { placeArgument } from './place-argument.ts';
import {
  largestSeed,
  mostCallbackWaitSeconds,
  maxAnswerTimeoutSeconds,
  mostRepeats,
  mostRuns,
} from '../run/run-input.ts';
import { counterexamplePath, secondsUpTo, wholeNumber, type ReadValue } from '../run/run-values.ts';

const mostShards = 64;

/** Adds the flags of `RunOptions` to a verb. */
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
    .option('--path <path>', 'with --only and --seed: replay a recorded counterexample', argument(counterexamplePath))
    .option(
      '--callback-wait <seconds>',
      `wait less than the ${mostCallbackWaitSeconds} s of the interface for a callback after 202`,
      seconds(mostCallbackWaitSeconds),
    )
    .option(
      '--answer-timeout <seconds>',
      'wait this long for an answer that has no limit',
      seconds(maxAnswerTimeoutSeconds),
    )
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

export function whole(least: number, most: number): ReadValue<number> {
  return argument(wholeNumber(least, most));
}

export function seconds(most: number): ReadValue<number> {
  return argument(secondsUpTo(most));
}

/** The same reader for Commander, which reports an `InvalidArgumentError` together with the flag. */
function argument<Value>(read: ReadValue<Value>): ReadValue<Value> {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
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
