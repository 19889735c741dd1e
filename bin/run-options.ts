import { InvalidArgumentError, type Command } from 'commander';
import type { Shard } from '../specs/generated/types.ts';
import { listOption } from './list-option.ts';
import { formatOption } from './format-option.ts';
import { addCertificateOptions } from './certificate-options.ts';
import { addGateOptions } from './gate-options.ts';
import { placeArgument } from './place-argument.ts';
import {
  largestSeed,
  mostBudgetSeconds,
  mostCallbackWaitSeconds,
  maxAnswerTimeoutSeconds,
  mostRepeats,
  mostRuns,
} from '../run/run-input.ts';
import { counterexamplePath, secondsUpTo, wholeNumber, type ReadValue } from '../run/run-values.ts';

const mostShards = 64;

/** Describes `--out`, whose default depends on the run. */
const outDescription =
  'directory of the report (default: conformance-report, and conformance-report/partial for a partial run)';

/** Headings of the flags of a run in its help. */
export const optionGroups = {
  endpoints: 'Endpoints:',
  what: 'What is checked:',
  during: 'During the run:',
  report: 'Report:',
} as const;

/** Adds the flags of `RunOptions` to a command. */
export function addRunOptions(command: Command, out = outDescription): Command {
  command
    .optionsGroup(optionGroups.what)
    .addOption(listOption('--surface <name>', 'only this surface; repeatable, or comma-separated'))
    .addOption(listOption('--only <id>', 'only this requirement or check; repeatable, or comma-separated'))
    .option(
      '--seed <number>',
      'seed of generated events and dialogues (default: random; the report shows it)',
      whole(0, largestSeed),
    )
    .option('--runs <number>', 'generated events per property; calls and dialogues use fewer', whole(1, mostRuns))
    .option('--thorough', 'generate many more events and dialogues, with more time for them')
    .option('--path <path>', 'replay a recorded counterexample; needs --only and --seed', argument(counterexamplePath))
    .option('--contracts', "also verify the service's Pact contracts, in the same report")
    .option(
      '--shard <index/count>',
      'run this share of the suites; needs --seed; report merge merges the shards',
      shardArgument(mostShards),
    )
    .optionsGroup(optionGroups.during)
    .option(
      '--budget <seconds>',
      'time for the whole run, except the wait for a callback; the report shows what it cut off (default: 120, 600 while the endpoint answers everything, 3600 with --thorough)',
      seconds(mostBudgetSeconds),
    )
    .option(
      '--callback-wait <seconds>',
      `wait this long for a callback after 202, up to the ${mostCallbackWaitSeconds} s of the interface (default)`,
      seconds(mostCallbackWaitSeconds),
    )
    .option(
      '--answer-timeout <seconds>',
      'timeout for answers without a limit in the interface',
      seconds(maxAnswerTimeoutSeconds),
    )
    .option('--bail', 'stop after the first failure that makes the run fail; the report is partial')
    .option('--confirm <times>', 're-run failures this many times to confirm them', whole(1, mostRepeats))
    .option('--no-diagnose', 'skip the search for the causes of failures, which would send more requests after the run')
    .option('--no-trouble', "do not make the endpoint's requests to API v1 fail on purpose")
    .option('--chaos', 'kill the endpoint after an effect and repeat the delivery; needs --start or --image')
    .optionsGroup(optionGroups.report)
    .option('--out <directory>', out)
    .addOption(formatOption('formats in addition to report.json; repeatable, or comma-separated (default: html)'))
    .option('--json', 'print only report.json on standard output')
    .option('--events <file>', 'write each event of the run as one line of JSON; - for standard output', placeArgument)
    .option('--anonymize', 'replace hosts, phone numbers, names, addresses and ids in all output')
    .optionsGroup('Exit code and certificate:');
  addGateOptions(command, 'must');
  return addCertificateOptions(command);
}

export function whole(least: number, most: number): ReadValue<number> {
  return argument(wholeNumber(least, most));
}

export function seconds(most: number): ReadValue<number> {
  return argument(secondsUpTo(most));
}

/** Adapts a reader to Commander, which reports an `InvalidArgumentError` together with the flag. */
function argument<Value>(read: ReadValue<Value>): ReadValue<Value> {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  };
}

/** Reads `2/4`. */
export function shardArgument(most: number): ReadValue<Shard> {
  return (value) => {
    const [, index = '', of = ''] = /^(\d+)\/(\d+)$/.exec(value) ?? [];
    const read = { index: Number(index), of: Number(of) };
    if (!(read.of >= 1 && read.of <= most && read.index >= 1 && read.index <= read.of)) {
      throw new InvalidArgumentError(`expected index/count such as 1/4, with at most ${most} shards`);
    }
    return read;
  };
}
