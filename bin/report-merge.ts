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
 * `svc-conform report merge`: one report of the shards of a run. Its exit code is that of the whole run, held against
 * the waivers and the level of the shards.
 */
export function addReportMerge(command: Command): void {
  const merge = command
    .command('merge')
    .description('put the reports of all shards of a run together; the exit code is that of the whole run')
    .argument('<report...>', 'report.json of every shard, or the directories that hold them')
    .option('--out <directory>', 'where the merged report goes', 'conformance-report')
    .addOption(formatOption('formats beside report.json; repeatable, or a list with commas (default: html)'))
    .option('--json', 'print report.json, and nothing else, on standard output');
  addGateOptions(merge, 'that of the shards');
  addCertificateOptions(merge).action(async (places: string[], options: MergeOptions) => {
    const { mergeShards } = await import('../run/gate/merge-shards.ts');
    decideExitCode(await mergeShards(places, options));
  });
}
