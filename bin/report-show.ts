import type { Command } from 'commander';

/** `svc-conform report show`: prints an earlier report as its run did. Its exit code is not a verdict on the endpoint. */
export function addReportShow(command: Command): void {
  command
    .command('show')
    .description('print the report of an earlier run again, from its report.json')
    .argument('[report]', 'report.json, or its directory', 'conformance-report')
    .option('--all', 'print every finding in full')
    .action(async (place: string, { all = false }: { all?: boolean }) => {
      const { renderTerminal } = await import('../reports/write/terminal/render-terminal.ts');
      const { readReport } = await import('../run/input/read-report.ts');
      const { outputWidth, wantsColour, write } = await import('../run/output/terminal.ts');
      const report = await readReport(place);
      const text = renderTerminal(report, {
        colour: wantsColour(process.stdout),
        width: outputWidth(process.stdout),
        place,
        ...(all && { detailed: Infinity }),
      });
      await write(process.stdout, text);
    });
}
