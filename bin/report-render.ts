import type { Command } from 'commander';
import { formatDescriptions, formatNames } from '../reports/text/format-names.ts';
import { formatOption } from './format-option.ts';

interface RenderOptions {
  format?: string[];
  out?: string;
  anonymize?: boolean;
}

/** `svc-conform report render`: writes any format of a report, from `report.json` alone. */
export function addReportRender(command: Command): void {
  command
    .command('render')
    .description('write a report in another format, from its report.json alone')
    .argument('<report>', 'report.json, or its directory')
    .addOption(
      formatOption(
        `format to write; repeatable, or comma-separated\n${formatNames.map((name) => `${name}: ${formatDescriptions[name]}`).join('\n')}`,
      ).makeOptionMandatory(),
    )
    .option('--out <place>', 'a file, or a directory for several formats (default: standard output, for one format)')
    .option('--anonymize', 'replace hosts, phone numbers, names, addresses and ids, each consistently')
    .action(async (place: string, options: RenderOptions) => {
      const { anonymize } = await import('../reports/model/anonymize.ts');
      const { brandedReport, unbrandedReport } = await import('../reports/model/brand-report.ts');
      const { renderFormats } = await import('../reports/write/formats.ts');
      const { parseFormatNames } = await import('../run/plan/parse-format-names.ts');
      const { readReport } = await import('../run/input/read-report.ts');
      const { writeRendered } = await import('./write-rendered.ts');
      const formats = await parseFormatNames(options.format ?? []);
      const report = await readReport(place);
      const shown = options.anonymize === true ? brandedReport(anonymize(unbrandedReport(report))) : report;
      const { codeSamples } = await import('../run/publish/code-samples.ts');
      const files = renderFormats(shown, formats, {
        samples: formats.includes('html') ? await codeSamples(shown).catch(() => undefined) : undefined,
      });
      await writeRendered(files, { out: options.out, read: [place] });
    });
}
