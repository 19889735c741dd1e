import { Option, type Command } from 'commander';
import { diffFormats, type DiffFormat } from '../reports/text/diff-formats.ts';

interface DiffOptions {
  format: DiffFormat;
  out?: string;
}

/** `svc-conform report diff`: compares two reports. Its exit code is not a verdict on the endpoint. */
export function addReportDiff(command: Command): void {
  command
    .command('diff')
    .description('compare two reports: new failures, fixed failures, requirements that are no longer judged')
    .argument('<first>', 'the earlier report.json, or its directory')
    .argument('<second>', 'the later report.json, or its directory')
    .addOption(new Option('--format <name>', 'output format').choices(Object.keys(diffFormats)).default('text'))
    .option('--out <file>', 'write the comparison to a file')
    .action(async (first: string, second: string, { format, out }: DiffOptions) => {
      const { diffReports } = await import('../reports/model/diff-reports.ts');
      const { renderDiff } = await import('../reports/write/diff/render-diff.ts');
      const { readReport } = await import('../run/input/read-report.ts');
      const { outputWidth, wantsColour } = await import('../run/output/terminal.ts');
      const { writeRendered } = await import('./write-rendered.ts');
      const diff = diffReports(await readReport(first), await readReport(second), [first, second]);
      const toTerminal = out === undefined ? process.stdout : undefined;
      const text = renderDiff(diff, format, {
        colour: toTerminal !== undefined && wantsColour(toTerminal),
        width: toTerminal && outputWidth(toTerminal),
      });
      await writeRendered({ [`diff.${diffFormats[format]}`]: text }, { out, read: [first, second] });
    });
}
