/** Output formats of a report by their `--format` name, with a short description or the intended reader. */
export const formatDescriptions = {
  json: 'the complete record, from which every other format is made',
  html: 'one page for people',
  junit: 'JUnit XML for GitLab, Jenkins and most others',
  ctrf: 'Common Test Report Format',
  sarif: 'SARIF 2.1.0 for code scanning',
  markdown: 'a pull request comment or job summary',
  annotations: 'workflow commands of GitHub Actions',
  har: 'HAR 1.2 of the exchanges',
  badge: 'the verdict as a badge: SVG, and JSON for shields.io',
} as const;

/** A value of `--format`. */
export type ReportFormat = keyof typeof formatDescriptions;

/** All formats, in display order. */
export const formatNames = Object.keys(formatDescriptions) as readonly ReportFormat[];

export function isFormatName(word: string): word is ReportFormat {
  return Object.hasOwn(formatDescriptions, word);
}
