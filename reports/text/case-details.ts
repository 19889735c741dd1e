import type { CauseReference } from '../model/cause-references.ts';
import type { ReportCase } from '../model/report-cases.ts';
import { describeReference } from './describe-entry.ts';
import { adviceLines, formatExchange, formatRepeats } from './wording.ts';

/**
 * Everything needed to understand and fix a case, as `label: text`. Contains outside text: escape it for the output
 * format.
 *
 * @param referenceOf refers to the case that describes the cause in full, instead of repeating it
 */
export function caseDetails(
  { requirement, check, message, note, exchanges }: ReportCase,
  referenceOf?: CauseReference,
): string[] {
  const { id, level, section, statement, remediation } = requirement;
  const deciding = exchanges.at(-1);
  const isToFix = check?.verdict === 'fail';
  const elsewhere = referenceOf?.(id, check);
  const advice = elsewhere ? [] : adviceLines(check, isToFix ? remediation : undefined);
  const lines: (readonly [string, string | undefined])[] = [
    ['', message],
    ['expected', check?.expected],
    ['received', check?.received],
    ['failed', formatRepeats(check)],
    ['gate', note],
    ['same cause', elsewhere && describeReference(elsewhere)],
    ...advice.map(({ label, text }) => [label.toLowerCase(), text] as const),
    ['rule', `${statement} (${level}, section ${section})`],
    ['requirement', id],
    ['evidence', deciding && `${deciding.id}: ${formatExchange(deciding)}`],
    ['rerun', check?.reproduce],
  ];
  return lines.flatMap(([label, text]) =>
    text === undefined || text === '' ? [] : [label === '' ? text : `${label}: ${text}`],
  );
}
