import type { DiffFormat } from '../../text/diff-formats.ts';
import type { ReportDiff } from '../../model/diff-reports.ts';
import { formatJson } from '../../text/format-json.ts';
import { renderDiffMarkdown } from './render-diff-markdown.ts';
import { renderDiffText, type DiffTextOptions } from './render-diff-text.ts';

/** What changed between two reports, in one of its formats. `options` are for the text. */
export function renderDiff(diff: ReportDiff, format: DiffFormat, options: DiffTextOptions = {}): string {
  switch (format) {
    case 'text':
      return renderDiffText(diff, options);
    case 'markdown':
      return renderDiffMarkdown(diff);
    case 'json':
      return formatJson(diff, 2);
  }
}
