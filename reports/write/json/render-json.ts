import type { Report } from '../../../specs/generated/types.ts';
import { formatJson, formatJsonParts } from '../../text/format-json.ts';

export interface JsonOptions {
  /** Spaces per level; 0 writes one line. */
  readonly indent?: number;
}

/** The report as JSON according to report.schema.json, with control and direction characters as `\u` escapes. */
export function renderJson(report: Report, { indent = 2 }: JsonOptions = {}): string {
  return formatJson(report, indent);
}

/** {@link renderJson} in parts: a report may have more exchanges than fit into one string. */
export function renderJsonParts(report: Report, { indent = 2 }: JsonOptions = {}): Iterable<string> {
  return formatJsonParts(report, indent);
}
