import type { ReportCase } from '../model/report-cases.ts';
import { adviceLines, formatExchange, formatRepeats } from './wording.ts';

/**
 * Everything needed to understand and fix a case, as `label: text`. Contains outside text: escape it for the output
 * format.
 */
export function caseDetails({ requirement, check, message, note, exchanges }: ReportCase): string[] {
  const { id, level, section, statement, remediation } = requirement;
  const deciding = exchanges.at(-1);
  const isToFix = check?.verdict === 'fail';
  const lines: (readonly [string, string | undefined])[] = [
    ['', message],
    ['expected', check?.expected],
    ['received', check?.received],
    ['failed', formatRepeats(check)],
    ['gate', note],
    ...adviceLines(check, isToFix ? remediation : undefined).map(
      ({ label, text }) => [label.toLowerCase(), text] as const,
    ),
    ['rule', `${statement} (${level}, section ${section})`],
    ['requirement', id],
    ['evidence', deciding && `${deciding.id}: ${formatExchange(deciding)}`],
    ['rerun', check?.reproduce],
  ];
  return lines.flatMap(([label, text]) =>
    text === undefined || text === '' ? [] : [label === '' ? text : `${label}: ${text}`],
  );
}
