import type { Command } from 'commander';
import type { TargetOptions } from '../run/config/read-target.ts';
import { decideExitCode } from './exit-codes.ts';
import { addTargetOptions } from './target-options.ts';

interface ReplayFlags extends TargetOptions {
  url?: string;
  secret?: string;
  token?: string;
  json?: boolean;
}

/** `svc-conform replay REPORT [ID]`: repeats recorded failures. */
export function addReplay(program: Command): void {
  const command = program
    .command('replay')
    .description('re-run recorded failures, freshly signed: fixed, still failing, or different')
    .argument('<report>', 'report.json, or its directory')
    .argument('[id]', 'a check, requirement or exchange of the report; default: everything that failed or was blocked')
    .option('--url <address>', 'address of the endpoint, if the report is about one surface')
    .option('--secret <env:NAME>', 'environment variable with its secret')
    .option('--token <env:NAME>', 'environment variable with its bearer token (CRM webhook)');
  addTargetOptions(command)
    .option('--json', 'print only the outcomes, as JSON, on standard output')
    .addHelpText(
      'after',
      '\nThe targets come from these flags or the nearest config; an address, file or command that only the report names is\nnever contacted, read or run.\nExit codes: 0 everything is fixed, 1 something still fails or is different, 2 wrong usage or config, 3 something could not\nbe replayed.',
    )
    .action(async (report: string, id: string | undefined, { url, secret, token, ...options }: ReplayFlags) => {
      if (secret !== undefined && token !== undefined) {
        const { UsageError } = await import('../run/usage-error.ts');
        throw new UsageError('Give either --secret or --token: an endpoint has only one of them.');
      }
      const { replayReport } = await import('../run/replay/replay-report.ts');
      decideExitCode(await replayReport(report, id, { url, credential: secret ?? token, ...options }));
    });
}
