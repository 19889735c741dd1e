import type { Report } from '../../specs/generated/types.ts';
import type { ReportFormat } from '../text/format-names.ts';
import { renderAnnotations } from './annotations/render-annotations.ts';
import { renderBadgeJson, renderBadgeSvg } from './badge/render-badge.ts';
import { renderCtrf } from './ctrf/render-ctrf.ts';
import { renderHar } from './har/render-har.ts';
import { renderHtml } from './html/render-html.ts';
import { renderJson } from './json/render-json.ts';
import { renderJunit } from './junit/render-junit.ts';
import { renderMarkdown } from './markdown/render-markdown.ts';
import { renderSarif } from './sarif/render-sarif.ts';

/** One way to write a report down. */
export interface Format {
  /** Plain file names, each with what makes its text; the first is the one that is shown where only one can be. */
  readonly files: Readonly<Record<string, (report: Report) => string>>;
}

/** Every format by its name. */
export const formats: Readonly<Record<ReportFormat, Format>> = {
  json: { files: { 'report.json': (report) => renderJson(report) } },
  html: { files: { 'report.html': (report) => renderHtml(report) } },
  junit: { files: { 'junit.xml': renderJunit } },
  ctrf: { files: { 'ctrf.json': renderCtrf } },
  sarif: { files: { 'report.sarif': renderSarif } },
  markdown: { files: { 'report.md': (report) => renderMarkdown(report) } },
  annotations: { files: { 'annotations.txt': renderAnnotations } },
  har: { files: { 'report.har': renderHar } },
  badge: { files: { 'badge.svg': renderBadgeSvg, 'badge.json': renderBadgeJson } },
};

/** The files of these formats, plain name to text, as `writeReport` takes them. */
export function renderFormats(report: Report, names: readonly ReportFormat[]): Record<string, string> {
  const files = names.flatMap((name) => Object.entries(formats[name].files));
  return Object.fromEntries(files.map(([file, render]) => [file, render(report)]));
}
