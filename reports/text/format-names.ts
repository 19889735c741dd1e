/** What a report can be written as, by the name that `--format` takes: what it is, or who reads it, in a few words. */
export const formatAbout = {
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
export type FormatName = keyof typeof formatAbout;

/** All of them, in the order in which they are told. */
export const formatNames = Object.keys(formatAbout) as readonly FormatName[];

/** The word is the name of a format. */
export function isFormatName(word: string): word is FormatName {
  return Object.hasOwn(formatAbout, word);
}
