import type { Command } from 'commander';

interface ReplayFlags {
  url?: string;
  secret?: string;
  token?: string;
  config?: string;
  image?: string;
  json?: boolean;
}

/** `svc-conform replay REPORT [ID]`: what a report has recorded, brought about again. */
export function addReplay(program: Command): void {
  program
    .command('replay')
    .description('a recorded failure again, freshly signed: fixed, still failing, or different')
    .argument('<report>', 'report.json, or the folder that has it')
    .argument('[id]', 'a check, requirement or exchange of the report; without it, everything that failed')
    .option('--url <address>', 'this endpoint instead of the one of the report')
    .option('--secret <env:NAME>', 'the variable that holds its secret')
    .option('--token <env:NAME>', 'the variable that holds its bearer token (CRM webhook)')
    .option('--config <file>', 'the endpoints of this config file instead')
    .option('--image <name>', 'start a container of this image, where the report or config is about one')
    .option('--json', 'print the outcomes as JSON, and nothing else, on standard output')
    .addHelpText(
      'after',
      '\nExit codes: 0 all fixed, 1 something still fails or is different, 2 wrong usage or config, 3 something could not be tried.',
    )
    .action(
      async (report: string, id: string | undefined, { url, secret, token, config, image, json }: ReplayFlags) => {
        if (secret !== undefined && token !== undefined) {
          const { UsageError } = await import('./usage-error.ts');
          throw new UsageError('--secret and --token are both given: an endpoint has one of them.');
        }
        const { replayReport } = await import('./replay-report.ts');
        await replayReport(report, id, { url, credential: secret ?? token, config, image, json });
      },
    );
}
