import type { Command } from 'commander';
import type { TargetOptions } from './read-target.ts';
import { addRunOptions, type RunOptions } from './run-options.ts';
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
  addRunOptions(command).action(async (options: TargetOptions & RunOptions & { capture?: string }) => {
    const { capture } = options;
    if (capture !== undefined) {
      const { checkCapture } = await import('./check-capture.ts');
      return await checkCapture({ ...options, capture });
    }
    const { readTarget } = await import('./read-target.ts');
    const { config, flags, configFile } = await readTarget(options, process.env);
    const { certify } = await import('./certify.ts');
    await certify({ config, command: ['check', ...flags], notes: [], options, configFile });
  });
}
