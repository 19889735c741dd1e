import type { Report } from '../../../specs/generated/types.ts';
import { formatJson } from '../../text/format-json.ts';

export interface JsonOptions {
  /** Spaces per level; 0 writes one line. */
  readonly indent?: number;
}

/** The report as JSON text after report.schema.json, with control and direction characters as `\u` escapes. */
export function renderJson(report: Report, { indent = 2 }: JsonOptions = {}): string {
  return formatJson(report, indent);
}
