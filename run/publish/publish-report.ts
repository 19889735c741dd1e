import { appendFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReportFormat } from '../../reports/text/format-names.ts';
import { renderFormats } from '../../reports/write/formats.ts';
import { renderAnnotations } from '../../reports/write/annotations/render-annotations.ts';
import { renderJson, renderJsonParts } from '../../reports/write/json/render-json.ts';
import { renderMarkdown } from '../../reports/write/markdown/render-markdown.ts';
import { renderTerminal } from '../../reports/write/terminal/render-terminal.ts';
import { writeReport } from '../../reports/write/write-report.ts';
import type { Report } from '../../specs/generated/types.ts';
import { codeSamples } from './code-samples.ts';
import { nextCommands } from './next-commands.ts';
import { removeOutdated } from './remove-outdated.ts';
import { removeCertificate } from './remove-certificate.ts';
import { outputWidth, wantsColour, write, type Stream } from '../output/terminal.ts';

interface WriteOptions {
  /** Directory of the report. */
  out: string;
  /** The formats that are written in addition to `report.json`. */
  formats: readonly ReportFormat[];
}

interface PrintOptions {
  /** Print `report.json`, and nothing else. */
  json?: boolean | undefined;
  /** Where the verdict is printed; default standard output. */
  printTo?: Stream | undefined;
  environment?: NodeJS.ProcessEnv;
}

export type PublishOptions = WriteOptions & PrintOptions;

/**
 * Writes the report and prints it. The verdict is printed even when the report cannot be written; that error
 * (`ReportNotWritten`) is thrown afterwards.
 */
export async function publishReport(report: Report, options: PublishOptions): Promise<void> {
  const written = await writeReportFiles(report, options);
  await printReport(report, { ...options, place: 'place' in written ? written.place : undefined });
  if ('failure' in written) throw written.failure;
}

/**
 * Writes the report in its formats, and removes the files of an earlier report from the directory: its certificate and its
 * other formats. Returns the file to open, or why the files were not written (`ReportNotWritten`).
 */
export async function writeReportFiles(
  report: Report,
  { out, formats }: WriteOptions,
): Promise<{ place: string } | { failure: Error }> {
  // The page is complete without code, so a missing file costs only the code.
  const samples = formats.includes('html') ? await codeSamples(report).catch(() => undefined) : undefined;
  const others = formats.filter((name) => name !== 'json');
  const files = { 'report.json': renderJsonParts(report), ...renderFormats(report, others, { samples }) };
  try {
    await writeReport(out, files);
    await Promise.all([removeCertificate(out), removeOutdated(out, files)]);
    return { place: join(out, formats.includes('html') ? 'report.html' : 'report.json') };
  } catch (error) {
    return { failure: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Prints the verdict, and in a job of GitHub Actions adds annotations and the summary of the job. */
export async function printReport(
  report: Report,
  {
    place,
    json = false,
    printTo = process.stdout,
    environment = process.env,
  }: PrintOptions & { place: string | undefined },
): Promise<void> {
  if (json) {
    await write(printTo, renderJson(report), { notation: 'json', environment });
  } else {
    const next = nextCommands(report, place);
    const shown = renderTerminal(report, { colour: wantsColour(printTo), width: outputWidth(printTo), place, next });
    await write(printTo, `\n${shown}`, { environment });
  }
  // The job that merges the shards reports their results, once.
  if (environment['GITHUB_ACTIONS'] === 'true' && !report.selection?.shard) {
    await reportToGithub(report, json ? process.stderr : printTo, environment['GITHUB_STEP_SUMMARY']);
  }
}

async function reportToGithub(report: Report, stream: Stream, summary: string | undefined): Promise<void> {
  const annotations = renderAnnotations(report);
  if (annotations !== '') await write(stream, annotations, { notation: 'commands' });
  // The summary is a courtesy; the report is there without it.
  if (summary !== undefined && summary !== '') await addSummary(report, summary).catch(() => undefined);
}

/** Maximum size of a step summary in bytes (1 MiB); GitHub shows nothing of a longer one. */
const mostSummaryBytes = 1_048_576;

async function addSummary(report: Report, file: string): Promise<void> {
  const usedBytes = await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
  const text = renderMarkdown(report, { mostBytes: mostSummaryBytes - usedBytes });
  if (usedBytes + Buffer.byteLength(text) <= mostSummaryBytes) await appendFile(file, text);
}
