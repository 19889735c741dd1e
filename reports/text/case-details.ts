import type { CauseReferences } from '../model/cause-references.ts';
import type { ReportCase } from '../model/report-cases.ts';
import { caseAdvice } from './describe-entry.ts';
import { describeSource, formatExchange, formatRepeats } from './wording.ts';

/**
 * Everything needed to understand and fix a case, as `label: text`. Contains outside text: escape it for the output
 * format.
 *
 * @param referenceOf finds the cause that the case describes in full or refers to
 */
export function caseDetails(
  { requirement, check, message, note, exchanges }: ReportCase,
  referenceOf?: CauseReferences,
): string[] {
  const { id, statement, remediation } = requirement;
  const deciding = exchanges.at(-1);
  const isToFix = check?.verdict === 'fail';
  const advice = caseAdvice(referenceOf?.(id, check), check, isToFix ? remediation : undefined);
  const lines: (readonly [string, string | undefined])[] = [
    ['', message],
    ['expected', check?.expected],
    ['received', check?.received],
    ['failed', formatRepeats(check)],
    ['gate', note],
    ...advice.map(({ label, text }) => [label.toLowerCase(), text] as const),
    ['rule', `${statement} (${describeSource(requirement)})`],
    ['requirement', id],
    ['evidence', deciding && `${deciding.id}: ${formatExchange(deciding)}`],
    ['rerun', check?.reproduce],
  ];
  return lines.flatMap(([label, text]) =>
    text === undefined || text === '' ? [] : [label === '' ? text : `${label}: ${text}`],
  );
}
