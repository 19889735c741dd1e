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

/** `svc-conform replay REPORT [ID]`: what a report has recorded, brought about again. */
export function addReplay(program: Command): void {
  const command = program
    .command('replay')
    .description('a recorded failure again, freshly signed: fixed, still failing, or different')
    .argument('<report>', 'report.json, or the directory that has it')
    .argument('[id]', 'a check, requirement or exchange of the report; without it, everything that failed')
    .option('--url <address>', 'the endpoint, where the report is about one surface')
    .option('--secret <env:NAME>', 'the variable that holds its secret')
    .option('--token <env:NAME>', 'the variable that holds its bearer token (CRM webhook)');
  addTargetOptions(command)
    .option('--json', 'print the outcomes as JSON, and nothing else, on standard output')
    .addHelpText(
      'after',
      '\nOnly what these flags or the nearest config name is contacted, read or run; a report alone names nothing.\nExit codes: 0 all fixed, 1 something still fails or is different, 2 wrong usage or config, 3 something could not be tried.',
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
  const { wantsColour, write } = await import('../run/output/terminal.ts');
  if (isJson) {
    await write(process.stdout, `${JSON.stringify({ replayed }, null, 2)}\n`, { notation: 'json' });
    return;
  }
  if (replayed.length === 0) {
    await write(process.stdout, 'Nothing failed or was blocked in this report, so there is nothing to replay.\n');
    return;
  }
  const { replayText } = await import('./replay-view.ts');
  const { createPaint } = await import('../reports/write/terminal/terminal-paint.ts');
  const width = Math.min(100, process.stdout.columns || 100);
  await write(process.stdout, replayText(replayed, { paint: createPaint(wantsColour(process.stdout)), width }));
}
