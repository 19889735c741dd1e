import { InvalidArgumentError, type Command } from 'commander';
import type { FleetFlags } from '../fleet/fleet-command.ts';
import type { SignFlags } from '../fleet/sign-fleet.ts';
import { addValidDays } from './certificate-options.ts';
import { decideExitCode } from './exit-codes.ts';
import { placeArgument } from './place-argument.ts';
import { shardArgument, whole } from './run-options.ts';

const usualOut = 'conformance-fleet';
/** Hours in which checks begin: a night. */
const usualMostHours = 12;
const mostHours = 168;
/** Megabytes of JavaScript memory of one check: twice what a check needs. */
const usualMemory = 512;
const leastMemory = 128;
const mostMemory = 50_000;
const mostConcurrent = 1_000;
/** More shards than a run has: a shard has many targets. */
const mostShards = 1_000;

/** `svc-conform fleet`: certifies a list of targets. */
export function addFleet(program: Command): void {
  const command = program
    .command('fleet')
    .description('certify the targets of a list, each once a night, with one report for each and an overview')
    .argument('<targets>', 'targets file (YAML or JSON)')
    .option('--out <directory>', 'directory of the ledger, the reports and the overview', placeArgument, usualOut)
    .option('--night <date>', 'the night, such as 2026-10-12 (default: the date of the last noon in UTC)', night)
    .option(
      '--shard <index/count>',
      'only this share of the targets, by id; fleet merge merges all',
      shardArgument(mostShards),
    )
    .option(
      '--queue <address>',
      'share the targets with the same command on other machines: redis://…, postgres://…, or env:NAME with the address',
    )
    .option('--no-overview', 'with --queue: write neither overview nor reports; another worker writes them')
    .option(
      '--max-concurrent <number>',
      'checks at the same time, at most (default: 8 for each processor); fewer while the machine is too slow',
      whole(1, mostConcurrent),
    )
    .option('--max-hours <hours>', 'begin no check after this time', whole(1, mostHours), usualMostHours)
    .option(
      '--memory <megabytes>',
      'JavaScript memory of each check; a check that needs more is ended',
      whole(leastMemory, mostMemory),
      usualMemory,
    )
    .option('--events <file>', 'write each event as one line of JSON; - for standard output', placeArgument)
    .option('--json', 'print only fleet.json on standard output')
    .addHelpText(
      'after',
      `
Exit codes, the first that applies: 2 the config of a target cannot be used, 1 a target is non-conformant, 3 a target is
incomplete or was not checked, 0 all are conformant.`,
    )
    .action(async (targets: string, flags: FleetFlags) => {
      const { fleetCommand } = await import('../fleet/fleet-command.ts');
      decideExitCode(await fleetCommand(targets, flags));
    });
  command
    .command('merge')
    .description('merge the directories of all shards of one night; the exit code is that of all targets')
    .argument('<directory...>', 'directory of each shard')
    .option('--out <directory>', 'directory of the result; it keeps the history that it has', placeArgument, usualOut)
    .option('--json', 'print only fleet.json on standard output')
    .action(async (places: string[], _: unknown, merge: Command) => {
      // Commander reads flags that both commands have as those of `fleet`.
      const { mergeFleets } = await import('../fleet/merge-fleets.ts');
      decideExitCode(await mergeFleets(places, merge.optsWithGlobals()));
    });
  const sign = command
    .command('sign')
    .description(
      'sign a certificate for each conformant target; only this step needs the key, and it contacts no endpoint',
    )
    .argument('<directory>', 'directory that fleet or fleet merge wrote')
    .requiredOption('--key <FILE|env:NAME>', 'private key that signs the certificates; keygen creates one')
    .option('--json', 'print the result as JSON');
  addValidDays(sign)
    .addHelpText('after', '\nExit codes: 0 each conformant target has a certificate, 1 a certificate is refused.')
    .action(async (place: string, _: unknown, own: Command) => {
      const { signFleet } = await import('../fleet/sign-fleet.ts');
      decideExitCode(await signFleet(place, own.optsWithGlobals<SignFlags>()));
    });
}

function night(value: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError('expected a date such as 2026-10-12');
  return value;
}
