/** What a report can be written as, by the name that `--format` takes: what it is, or who reads it, in a few words. */
export const formatDescriptions = {
  json: 'the whole record, from which every other format is made',
  html: 'one page for people',
  junit: 'JUnit XML for GitLab, Jenkins and most others',
  ctrf: 'Common Test Report Format',
  sarif: 'SARIF 2.1.0 for code scanning',
  markdown: 'a pull request comment or job summary',
  annotations: 'workflow commands of GitHub Actions',
  har: 'HAR 1.2 of the exchanges',
  badge: 'the verdict as a badge, drawn and for shields.io',
} as const;

/** A name that `--format` takes. */
export type ReportFormat = keyof typeof formatDescriptions;

/** All of them, in the order in which they are told. */
export const formatNames = Object.keys(formatDescriptions) as readonly ReportFormat[];

/** The word is the name of a format. */
export function isFormatName(word: string): word is ReportFormat {
  return Object.hasOwn(formatDescriptions, word);
}
