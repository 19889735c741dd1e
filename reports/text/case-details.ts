import type { ReportCase } from '../model/report-cases.ts';
import { adviceLines, formatExchange, formatRepeats } from './wording.ts';

/**
 * What a reader needs to understand and fix a case, a line or more each: `label: text`. Holds outside text as it is:
 * escape it for where it goes.
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
    ['exchange', deciding && `${deciding.id}: ${formatExchange(deciding)}`],
    ['repeat it', check?.reproduce],
  ];
  return lines.flatMap(([label, text]) =>
    text === undefined || text === '' ? [] : [label === '' ? text : `${label}: ${text}`],
  );
}
