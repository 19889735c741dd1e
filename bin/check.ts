import type { Command } from 'commander';
import type { TargetOptions } from '../run/config/read-target.ts';
import { decideExitCode } from './exit-codes.ts';
import { addRunOptions } from './run-options.ts';
import type { RunInput } from '../run/run-input.ts';
import { addTargetOptions } from './target-options.ts';

/** `svc-conform check`: certifies the endpoints that a config file or flags name. */
export function addCheck(program: Command): void {
  const command = addTargetOptions(
    program
      .command('check')
      .description('certify endpoints: those of svc-conform.config.{ts,js,json,yaml}, or those that flags name'),
  )
    .option(
      '--capture <file>',
      'judge recorded traffic and send nothing: a HAR file, its entries as NDJSON, or the log of serve --json',
    )
    .option('--suites <pattern>', 'suites of your own beside those of the config; repeatable', (pattern, earlier) =>
      Array.isArray(earlier) ? [...(earlier as string[]), pattern] : [pattern],
    )
    .option('--no-suites', 'none of the suites of your own that the config names');
  addRunOptions(command).action(async (options: TargetOptions & RunInput & { capture?: string }) => {
    const { capture } = options;
    if (capture !== undefined) {
      const { runCapture } = await import('../run/run-capture.ts');
      return decideExitCode(await runCapture({ ...options, capture }));
    }
    const { readTarget } = await import('../run/config/read-target.ts');
    const { config, flags, configFile } = await readTarget(options, process.env);
    const { runConformance } = await import('../run/run-conformance.ts');
    const command = ['check', ...flags];
    decideExitCode(await runConformance({ config, command, notes: [], options, configFile }));
  });
}
