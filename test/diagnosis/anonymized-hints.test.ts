import { expect, it } from 'vitest';
import { causes } from '../../diagnosis/causes.ts';
import { anonymize } from '../../reports/model/anonymize.ts';
import type { Report } from '../../specs/generated/types.ts';
import { check, cleanReport } from '../reports/sample-report.ts';

/** A report with these hints, one for each check. */
function withHints(hints: readonly string[]): Report {
  return { ...cleanReport, checks: hints.map((hint) => check('crm-webhook/refuses-wrong-token', 'fail', { hint })) };
}

it('keeps the wording of the catalogue of causes unchanged in an anonymised report, and no name with it', () => {
  const sentences = Object.values(causes).map(({ summary, remediation }) => `${summary} ${remediation}`);
  const named = 'Annegret Wandsbek has changed the secret.';
  const hints = anonymize(withHints([...sentences, named])).checks.map(({ hint }) => hint);
  expect(hints.slice(0, -1)).toEqual(sentences);
  expect(hints.at(-1)).not.toMatch(/Annegret|Wandsbek/);
});
