/** A use of a replaced term that stays. */
export interface AllowedTerm {
  /** A file, or the beginning of paths. */
  readonly path: string;
  /** The term with the words around it, as on one line; for an exported name, the name. */
  readonly text: string;
  readonly reason: string;
}

const said = 'a sentence of a customer or an assistant, as sample data';
const inGolden = 'sample data of a golden file';

/** Uses that are not the wording of this project. */
export const allowedTerms: readonly AllowedTerm[] = [
  ...['I tell them.', 'tell your colleagues', 'Tell the workshop', 'somebody of your team', 'nobody picked up'].map(
    (text) => ({ path: 'test/proving/', text, reason: said }),
  ),
  { path: 'test/service/run-traffic.test.ts', text: 'Tell Sales.', reason: said },
  { path: 'test/mutants/own-ai-phone-frames.ts', text: 'there is much to tell about it', reason: said },
  ...['diff-reports.test.ts', 'golden/diff.'].map((name) => ({
    path: `test/reports/${name}`,
    text: 'expected a text, received',
    reason: inGolden,
  })),
  ...['render-html-gate.test.ts', 'sample-gates.ts', 'sample-report.ts'].map((name) => ({
    path: `test/reports/${name}`,
    text: 'holds.',
    reason: inGolden,
  })),
  { path: 'test/reports/sample-report.ts', text: 'an id of its own', reason: inGolden },
];
