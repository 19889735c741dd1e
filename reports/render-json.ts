import type { Report } from '../specs/types.ts';

export interface JsonOptions {
  /** Spaces per level; 0 writes one line. */
  readonly indent?: number;
}

// JSON.stringify leaves these as they are; written as \u escapes the file can be shown on a terminal.
const unsafe = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** The report as JSON text after report.schema.json, with control and direction characters as `\u` escapes. */
export function renderJson(report: Report, { indent = 2 }: JsonOptions = {}): string {
  const text = JSON.stringify(report, undefined, indent);
  return `${text.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
