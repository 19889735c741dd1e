import { Option, type Command } from 'commander';
import { diffFormats, type DiffFormat } from '../reports/text/diff-formats.ts';

interface DiffOptions {
  format: DiffFormat;
  out?: string;
}

/** `svc-conform report diff`: what changed from one report to another. Its exit code says nothing of the endpoint. */
export function addReportDiff(command: Command): void {
  command
    .command('diff')
    .description('what changed from one report to another: new failures, fixed ones, what is not judged any more')
    .argument('<first>', 'report.json, or the directory that holds it')
    .argument('<second>', 'the later one')
    .addOption(new Option('--format <name>', 'how it is told').choices(Object.keys(diffFormats)).default('text'))
    .option('--out <file>', 'write it to a file')
    .action(async (first: string, second: string, { format, out }: DiffOptions) => {
      const { diffReports } = await import('../reports/model/diff-reports.ts');
      const { renderDiff } = await import('../reports/write/diff/render-diff.ts');
      const { readReport } = await import('../run/input/read-report.ts');
      const { wantsColour } = await import('../run/publish/terminal.ts');
      const { writeRendered } = await import('./write-rendered.ts');
      const diff = diffReports(await readReport(first), await readReport(second), [first, second]);
      const toTerminal = out === undefined ? process.stdout : undefined;
      const text = renderDiff(diff, format, {
        colour: toTerminal !== undefined && wantsColour(toTerminal),
        width: toTerminal?.columns,
      });
      await writeRendered({ [`diff.${diffFormats[format]}`]: text }, { out, read: [first, second] });
    });
}
