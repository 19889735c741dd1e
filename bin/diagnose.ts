import { InvalidArgumentError, Option, type Command } from 'commander';
import type { DiagnosedSurface } from '../specs/generated/types.ts';
import { largestSeed } from '../run/run-input.ts';

/** The flags of `diagnose`. */
export interface DiagnoseFlags {
  config?: string;
  url?: string;
  /** `env:NAME`, as all of them. */
  secret?: string;
  token?: string;
  oldSecret?: string;
  report?: string;
  timeoutSeconds?: number;
  /** Seconds. */
  within: number;
  seed?: number;
  json?: boolean;
}

/** Seconds for the whole of it: what is slow or waits for callbacks needs the most. */
const usualWithinSeconds = 120;
const mostWithinSeconds = 3_600;

/** `svc-conform diagnose`: one connection that fails, down to the root cause. */
export function addDiagnose(program: Command): void {
  program
    .command('diagnose')
    .description('one connection, stage by stage: what is fine, what is wrong, the root cause and its fix')
    .argument('<surface>', 'own-ai-chat, own-ai-phone, crm-webhook or api-webhooks')
    .option('--config <file>', 'this config file instead of the nearest one')
    .option('--url <address>', 'the address of the endpoint, in place of the one in a config')
    .option('--secret <env:NAME>', 'the variable that holds its secret')
    .option('--token <env:NAME>', 'crm-webhook: the variable that holds its bearer token')
    .option(
      '--report <file>',
      'the report of a run: begins with what failed there; the endpoint comes from a config or flags all the same',
    )
    .option(
      '--old-secret <env:NAME>',
      'the variable that holds the secret or token from before, to see whether it is still used',
    )
    .addOption(
      new Option('--timeout-seconds <seconds>', 'own-ai: the waiting time of the assistant').argParser(
        whole(1, mostWithinSeconds),
      ),
    )
    .option('--within <seconds>', 'end after this time', whole(1, mostWithinSeconds), usualWithinSeconds)
    .option(
      '--seed <number>',
      'seed of generated events; a random one is chosen and told otherwise',
      whole(0, largestSeed),
    )
    .option('--json', 'print one JSON object, and nothing else, on standard output')
    .addHelpText(
      'after',
      `
Exit codes: 0 nothing is wrong, 1 the cause was found, 2 wrong usage or config, 3 something is wrong or could not be
looked at, and no cause could be told.`,
    )
    .action(async (surface: string, flags: DiagnoseFlags) => {
      const { diagnoseOne } = await import('./diagnose-one.ts');
      await diagnoseOne(surface as DiagnosedSurface, flags);
    });
}

function whole(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : NaN;
    if (!(number >= least && number <= most)) {
      throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}`);
    }
    return number;
  };
}
