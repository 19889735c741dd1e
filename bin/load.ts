import { InvalidArgumentError, Option, type Command } from 'commander';
import type { LoadFlags } from '../load/load-command.ts';
import { largestSeed } from '../run/run-input.ts';
import { decideExitCode } from './exit-codes.ts';
import { listOption } from './list-option.ts';
import { placeArgument } from './place-argument.ts';
import { addEndpointOptions } from './target-options.ts';

/** Deliveries per second: of the first step, and at most. */
const usualFirstRate = 1;
const usualMostRate = 100;
const mostRate = 10_000;
/** Concurrent calls at most: by default, few enough for a phone AI that pays for each. */
const usualMostCalls = 20;
const mostCalls = 10_000;
/** Seconds for each surface. */
const usualMostSeconds = 300;
const mostSeconds = 3_600;

/** `svc-conform load`: finds the load up to which an endpoint meets its deadlines. */
export function addLoad(program: Command): void {
  const command = program
    .command('load')
    .description('find the load up to which an endpoint meets its deadlines, and judge its answers on the way');
  addEndpointOptions(command, 'addresses and secrets of your endpoint (default: the nearest svc-conform.config.*)')
    .addOption(listOption('--surface <name>', 'only this surface; repeatable, or comma-separated', 'all configured'))
    .option('--first-rate <number>', 'deliveries per second of the first step', number(mostRate), usualFirstRate)
    .option('--max-rate <number>', 'deliveries per second at most', number(mostRate), usualMostRate)
    .option('--first-calls <number>', 'own-ai-phone: concurrent calls of the first step', whole(mostCalls), 1)
    .option('--max-calls <number>', 'own-ai-phone: concurrent calls at most', whole(mostCalls), usualMostCalls)
    .option(
      '--step-seconds <number>',
      'duration of a step (default: 10, or twice the deadline if that is longer)',
      number(mostSeconds),
    )
    .option(
      '--max-seconds <number>',
      'begin no step of a surface after this time',
      number(mostSeconds),
      usualMostSeconds,
    )
    .option('--seed <number>', 'seed of the arrival times (default: random; the report shows it)', seed)
    .option('--yes', 'confirm the load on an endpoint that is not on this machine')
    .option('--out <directory>', 'write load.json and load.html to this directory', placeArgument, 'load-report')
    .option('--json', 'print only the JSON report on standard output')
    .addOption(
      new Option(
        '--export <engine>',
        'write a script for this load engine instead, to run it on several machines',
      ).choices(['artillery']),
    )
    .argument('[file]', 'with --export: the script to write (default: load.artillery.json)', placeArgument)
    .addHelpText(
      'after',
      `
Exit codes: 0 no MUST requirement failed under load, 1 one failed or its deadline was missed at the first load, 2 wrong
usage or config, 3 incomplete. The edge, the highest load that meets the deadline, is not itself a failure.`,
    )
    .action(async (file: string | undefined, flags: LoadFlags) => {
      const { loadCommand } = await import('../load/load-command.ts');
      decideExitCode(await loadCommand(file, flags));
    });
}

function number(most: number): (value: string) => number {
  return (value) => {
    const given = /^\d+(\.\d+)?$/.test(value) ? Number(value) : NaN;
    if (!(given > 0 && given <= most)) throw new InvalidArgumentError(`expected a number above 0, at most ${most}`);
    return given;
  };
}

function whole(most: number): (value: string) => number {
  const read = number(most);
  return (value) => {
    const given = read(value);
    if (!Number.isInteger(given)) throw new InvalidArgumentError(`expected a whole number from 1 to ${most}`);
    return given;
  };
}

function seed(value: string): number {
  const given = /^\d+$/.test(value) ? Number(value) : NaN;
  if (!(given <= largestSeed)) throw new InvalidArgumentError(`expected a whole number from 0 to ${largestSeed}`);
  return given;
}
