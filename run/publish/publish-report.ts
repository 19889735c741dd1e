import { appendFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReportFormat } from '../../reports/text/format-names.ts';
import { renderFormats } from '../../reports/write/formats.ts';
import { renderAnnotations } from '../../reports/write/annotations/render-annotations.ts';
import { renderJson } from '../../reports/write/json/render-json.ts';
import { renderMarkdown } from '../../reports/write/markdown/render-markdown.ts';
import { renderTerminal } from '../../reports/write/terminal/render-terminal.ts';
import { writeReport } from '../../reports/write/write-report.ts';
import type { Report } from '../../specs/generated/types.ts';
import { removeOutdated } from './remove-outdated.ts';
import { removeCertificate } from './remove-certificate.ts';
import { wantsColour, write, type Stream } from './terminal.ts';

export interface PublishOptions {
  /** Directory of the report. */
  out: string;
  /** What is written beside `report.json`. */
  formats: readonly ReportFormat[];
  /** Print `report.json`, and nothing else. */
  json?: boolean | undefined;
  /** Where the verdict is printed; default standard output. */
  printTo?: Stream;
  environment?: NodeJS.ProcessEnv;
}

/**
 * Writes the report, prints the verdict, and in a job of GitHub Actions adds annotations and the job's summary. The
 * verdict is told even when the report cannot be written; that error (`ReportNotWritten`) comes after it. A certificate
 * of an earlier report, and what it wrote in other formats, does not stay beside this one.
 */
export async function publishReport(
  report: Report,
  { out, formats, json = false, printTo = process.stdout, environment = process.env }: PublishOptions,
): Promise<void> {
  const text = renderJson(report);
  const files = { 'report.json': text, ...renderFormats(report, formats) };
  const failure = await writeReport(out, files)
    .then(() => Promise.all([removeCertificate(out), removeOutdated(out, files)]))
    .then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    );
  const onGithub = environment['GITHUB_ACTIONS'] === 'true';
  if (json) {
    await write(printTo, text, { notation: 'json', environment });
  } else {
    const place = join(out, formats.includes('html') ? 'report.html' : 'report.json');
    const shown = `\n${renderTerminal(report, {
      colour: wantsColour(printTo),
      width: printTo.columns,
      place: failure === undefined ? place : undefined,
    })}`;
    await write(printTo, shown, { environment });
  }
  // Of a shard nothing is told: the job that merges all of them tells it, once.
  if (onGithub && !report.selection?.shard) {
    await tellGithub(report, json ? process.stderr : printTo, environment['GITHUB_STEP_SUMMARY']);
  }
  if (failure !== undefined) throw failure;
}

async function tellGithub(report: Report, stream: Stream, summary: string | undefined): Promise<void> {
  const annotations = renderAnnotations(report);
  if (annotations !== '') await write(stream, annotations, { notation: 'commands' });
  // The summary is a courtesy; the report is there without it.
  if (summary !== undefined && summary !== '') await addSummary(report, summary).catch(() => undefined);
}

/** Bytes of a step's summary that GitHub takes, which is 1 MiB; of a longer one it shows nothing. */
const mostSummaryBytes = 1_048_576;

async function addSummary(report: Report, file: string): Promise<void> {
  const taken = await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
  const text = renderMarkdown(report, { mostBytes: mostSummaryBytes - taken });
  if (taken + Buffer.byteLength(text) <= mostSummaryBytes) await appendFile(file, text);
}
