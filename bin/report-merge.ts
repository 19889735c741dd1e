import type { Command } from 'commander';
import { addCertificateOptions } from './certificate-options.ts';
import type { CertificateInput } from '../run/run-input.ts';
import { decideExitCode } from './exit-codes.ts';
import { formatOption } from './format-option.ts';
import { addGateOptions } from './gate-options.ts';
import type { GateInput } from '../run/run-input.ts';

interface MergeOptions extends CertificateInput, GateInput {
  out: string;
  format?: string[];
  json?: boolean;
}

/**
 * `svc-conform report merge`: merges the shards of a run into one report. Its exit code is that of the complete run, with
 * the waivers and the `--fail-on` level of the shards.
 */
export function addReportMerge(command: Command): void {
  const merge = command
    .command('merge')
    .description('merge the reports of all shards of a run; the exit code is that of the complete run')
    .argument('<report...>', 'report.json of every shard, or its directory')
    .option('--out <directory>', 'directory of the merged report', 'conformance-report')
    .addOption(formatOption('formats in addition to report.json; repeatable, or comma-separated (default: html)'))
    .option('--json', 'print only report.json on standard output');
  addGateOptions(merge, 'that of the shards');
  addCertificateOptions(merge).action(async (places: string[], options: MergeOptions) => {
    const { mergeShards } = await import('../run/gate/merge-shards.ts');
    decideExitCode(await mergeShards(places, options));
  });
}
