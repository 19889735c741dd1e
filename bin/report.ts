import type { Command } from 'commander';
import { addReportDiff } from './report-diff.ts';
import { addReportMerge } from './report-merge.ts';
import { addReportRender } from './report-render.ts';
import { addReportShow } from './report-show.ts';
import { addReportVerify } from './report-verify.ts';

/** `svc-conform report`: the commands for reports of earlier runs. */
export function addReport(program: Command): void {
  const command = program
    .command('report')
    .description('show, convert, compare or merge reports of earlier runs, or verify a certificate');
  addReportShow(command);
  addReportRender(command);
  addReportDiff(command);
  addReportMerge(command);
  addReportVerify(command);
}
