import type { Command } from 'commander';

/** `svc-conform report show`: a report as the run printed it. Its exit code says nothing of the endpoint. */
export function addReportShow(command: Command): void {
  command
    .command('show')
    .description('print a report as the run did, from its report.json')
    .argument('[report]', 'report.json, or the directory that holds it', 'conformance-report')
    .option('--all', 'every finding in full, however many there are')
    .action(async (place: string, { all = false }: { all?: boolean }) => {
      const { renderTerminal } = await import('../reports/write/terminal/render-terminal.ts');
      const { readReport } = await import('../run/input/read-report.ts');
      const { wantsColour, write } = await import('../run/publish/terminal.ts');
      const report = await readReport(place);
      const text = renderTerminal(report, {
        colour: wantsColour(process.stdout),
        width: process.stdout.columns,
        place,
        ...(all && { detailed: Infinity }),
      });
      await write(process.stdout, text);
    });
}
