import { InvalidArgumentError, Option, type Command } from 'commander';
import type { DiagnoseFlags } from './diagnose-one.ts';
import type { DiagnosedSurface } from '../specs/generated/types.ts';
import {
  allowHttpOption,
  brandDescription,
  knownCallerDescription,
  targetOption,
  tunnelOption,
} from './target-options.ts';
import { largestSeed } from '../run/run-input.ts';

/** Seconds for the whole diagnosis: slow endpoints and missing callbacks need the most. */
const usualWithinSeconds = 120;
const mostWithinSeconds = 3_600;

/** `svc-conform diagnose`: finds the root cause of one failing connection. */
export function addDiagnose(program: Command): void {
  program
    .command('diagnose')
    .description('examine one connection, stage by stage: what works, what fails, the root cause and its fix')
    .argument('<surface>', 'own-ai-chat, own-ai-phone, crm-webhook or api-webhooks')
    .option('--config <file>', 'use this config file (default: the nearest svc-conform.config.*)')
    .addOption(targetOption())
    .option('--url <address>', 'address of the endpoint (default: that of the config)')
    .option('--brand <name>', brandDescription)
    .addOption(allowHttpOption())
    .addOption(tunnelOption())
    .option('--secret <env:NAME>', 'environment variable with its secret')
    .option('--token <env:NAME>', 'crm-webhook: environment variable with its bearer token')
    .option('--known-caller <number>', `crm-webhook: ${knownCallerDescription}`)
    .option(
      '--report <file>',
      'report of a run: start with its failures; the endpoint still comes from the config or flags',
    )
    .option(
      '--old-secret <env:NAME>',
      'environment variable with the previous secret or token, to detect whether the endpoint still uses it',
    )
    .addOption(
      new Option(
        '--timeout-seconds <seconds>',
        'own-ai-chat, own-ai-phone: the timeout that is set for the assistant',
      ).argParser(whole(1, mostWithinSeconds)),
    )
    .option('--within <seconds>', 'stop after this time', whole(1, mostWithinSeconds), usualWithinSeconds)
    .option(
      '--seed <number>',
      'seed of generated events (default: random; the note to forward shows it)',
      whole(0, largestSeed),
    )
    .option('--note <file>', 'write the note to forward to this file, with the deliveries and a test vector')
    .option(
      '--code <language>',
      'show the code that fixes the cause in this language or framework, such as python or express (default: the one that the answers reveal)',
    )
    .option(
      '--thorough',
      'try rare signature schemes, two mistakes at once and distant times too, if no answer points to a cause: up to 400 more invalid deliveries; own-ai-phone: a call that stays silent for a third of --within, at most 65 s',
    )
    .option('--no-checks', 'do not run the checks of the surface if no probe finds anything, as for an endpoint in use')
    .option('--json', 'print only one JSON object on standard output')
    .addHelpText(
      'after',
      `
Exit codes: 0 everything works, 1 the cause was found, 2 wrong usage or config, 3 something fails or could not be checked, and the cause is not certain.`,
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
