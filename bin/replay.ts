import type { Command } from 'commander';
import type { TargetOptions } from '../run/config/read-target.ts';
import type { Replayed } from '../run/replay/replay-result.ts';
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
      '\nThe targets come from these flags or the nearest config; an address, file or command that only the report names is\nnever contacted, read or run.\nExit codes: 0 everything is fixed or unchanged, 1 something still fails or is different, 2 wrong usage or config, 3 something could not\nbe replayed.',
    )
    .action(async (report: string, id: string | undefined, { url, secret, token, ...options }: ReplayFlags) => {
      if (secret !== undefined && token !== undefined) {
        const { HarnessFault } = await import('../harness/checks/faults.ts');
        throw new HarnessFault('flags-conflict:credentials');
      }
      const { replayReport } = await import('../run/replay/replay-report.ts');
      const { writeNote } = await import('../run/output/terminal.ts');
      const { json, ...target } = options;
      const flags = { url, credential: secret ?? token, ...target };
      const { replayed, exitCode } = await replayReport(report, id, flags, writeNote);
      await printReplayed(replayed, json === true);
      decideExitCode(exitCode);
    });
}

async function printReplayed(replayed: readonly Replayed[], isJson: boolean): Promise<void> {
  const { outputWidth, wantsColour, write } = await import('../run/output/terminal.ts');
  if (isJson) {
    await write(process.stdout, `${JSON.stringify({ replayed }, null, 2)}\n`, { notation: 'json' });
    return;
  }
  if (replayed.length === 0) {
    await write(process.stdout, 'Nothing failed or was blocked in this report, so there is nothing to replay.\n');
    return;
  }
  const { renderReplays } = await import('./replay-view.ts');
  const { createPaint } = await import('../reports/write/terminal/terminal-paint.ts');
  const width = Math.min(100, outputWidth(process.stdout));
  await write(process.stdout, renderReplays(replayed, { paint: createPaint(wantsColour(process.stdout)), width }));
}
