import type { Report } from '../../specs/generated/types.ts';
import type { ReportFormat } from '../text/format-names.ts';
import { renderAnnotations } from './annotations/render-annotations.ts';
import { renderBadgeJson, renderBadgeSvg } from './badge/render-badge.ts';
import { renderCtrf } from './ctrf/render-ctrf.ts';
import { renderHar } from './har/render-har.ts';
import { renderHtml, type HtmlOptions } from './html/render-html.ts';
import { renderJson } from './json/render-json.ts';
import { renderJunit } from './junit/render-junit.ts';
import { renderMarkdown } from './markdown/render-markdown.ts';
import { renderSarif } from './sarif/render-sarif.ts';

/** The data that a format shows in addition to the report. */
export type FormatOptions = Pick<HtmlOptions, 'samples'>;

/** An output format of a report. */
export interface Format {
  /** Renderers by plain file name; the first is shown where only one can be. */
  readonly files: Readonly<Record<string, (report: Report, options: FormatOptions) => string>>;
}

export const formats: Readonly<Record<ReportFormat, Format>> = {
  json: { files: { 'report.json': (report) => renderJson(report) } },
  html: { files: { 'report.html': (report, options) => renderHtml(report, options) } },
  junit: { files: { 'junit.xml': renderJunit } },
  ctrf: { files: { 'ctrf.json': renderCtrf } },
  sarif: { files: { 'report.sarif': renderSarif } },
  markdown: { files: { 'report.md': (report) => renderMarkdown(report) } },
  annotations: { files: { 'annotations.txt': renderAnnotations } },
  har: { files: { 'report.har': renderHar } },
  badge: { files: { 'badge.svg': renderBadgeSvg, 'badge.json': renderBadgeJson } },
};

/** Renders these formats to files (plain name to content) for `writeReport`. */
export function renderFormats(
  report: Report,
  names: readonly ReportFormat[],
  options: FormatOptions = {},
): Record<string, string> {
  const files = names.flatMap((name) => Object.entries(formats[name].files));
  return Object.fromEntries(files.map(([file, render]) => [file, render(report, options)]));
}
