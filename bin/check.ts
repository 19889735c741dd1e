import type { Command } from 'commander';
import { HarnessFault } from '../harness/checks/faults.ts';
import type { TargetOptions } from '../run/config/read-target.ts';
import { addRunOptions, optionGroups } from './run-options.ts';
import type { RunFlags } from './show-run.ts';
import { addTargetOptions } from './target-options.ts';

/** `svc-conform check`: certifies the endpoints of a config file or of flags. */
export function addCheck(program: Command): void {
  const command = addTargetOptions(
    program
      .command('check')
      .description('certify the endpoints of svc-conform.config.{ts,js,json,yaml}, or those given by flags')
      .optionsGroup(optionGroups.endpoints),
  )
    .optionsGroup(optionGroups.what)
    .option(
      '--capture <file>',
      'judge recorded traffic and send nothing: a HAR file, its entries as NDJSON, or the log of serve --json',
    )
    .option(
      '--suites <pattern>',
      'your own suites, in addition to those of the config; repeatable',
      (pattern, earlier) => (Array.isArray(earlier) ? [...(earlier as string[]), pattern] : [pattern]),
    )
    .option('--no-suites', 'skip your own suites that the config lists')
    .optionsGroup(optionGroups.during)
    .option('--watch', 'after the run, re-run what failed whenever the endpoint has restarted or answers differently');
  addRunOptions(command).action(async (given: TargetOptions & RunFlags & { capture?: string; watch?: boolean }) => {
    const { defaultReportDirectory } = await import('../run/plan/report-directory.ts');
    const options = { ...given, defaultOut: defaultReportDirectory };
    const { capture } = options;
    if (capture !== undefined) {
      const { showRun } = await import('./show-run.ts');
      const { runCapture } = await import('../run/run-capture.ts');
      if (options.watch) throw new HarnessFault('flags-conflict:watch', { flag: '--capture' });
      await showRun(options, (output) => runCapture({ ...options, capture }, output));
      return;
    }
    const { readTarget } = await import('../run/config/read-target.ts');
    const { config, flags, configFile, configInRepository } = await readTarget(options, process.env);
    const { limitYoungGeneration, showRun } = await import('./show-run.ts');
    const { runConformance } = await import('../run/run-conformance.ts');
    const command = ['check', ...flags];
    limitYoungGeneration();
    const input = { config, command, notes: [], options, configFile, configInRepository };
    if (!options.watch) {
      await showRun(options, (output) => runConformance(input, output));
      return;
    }
    const { assertWatchable, watch } = await import('./watch.ts');
    assertWatchable(options, config, process.stdin.isTTY);
    const first = await showRun(options, (output) => runConformance(input, output));
    // A partial run has a directory within that of the complete one. Another seed could miss what failed.
    const { out = defaultReportDirectory, ...rest } = options;
    const others = { ...rest, seed: first.report.seed };
    const rerun = async (only: string[]) => {
      const again = { ...others, ...(only.length === 0 ? { out } : { only, surface: [], defaultOut: out }) };
      return await showRun(again, (output) => runConformance({ ...input, options: again }, output));
    };
    await watch({ first, config, rerun });
  });
}
