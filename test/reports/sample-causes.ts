import { buildReport } from '../../reports/model/build-report.ts';
import type { CheckCause, CheckResult, Exchange, Report } from '../../specs/generated/types.ts';
import { cascadeRun, check } from './sample-report.ts';

/** A check by the id of its requirement, or of own-ai-chat by its name, and the status that its evidence received. */
export type DiagnosedRow = readonly [name: string, rest: Partial<CheckResult>, status?: number | undefined];

/** A diagnosed cause. */
export function cause(id: string, certain = true, summary = `The endpoint has ${id}.`): CheckCause {
  return { id, summary, remediation: `Remove ${id}.`, certain };
}

/** An exchange with this answer, without its other fields. */
export function answered(status: number, body: string): Partial<Exchange> {
  return { response: { status, headers: [], body, bodyBytes: body.length } };
}

/** A report with these checks; the default verdict is a failure. */
export function diagnosedReport(rows: readonly DiagnosedRow[]): Report {
  const [sample] = cascadeRun.exchanges;
  return buildReport({
    ...cascadeRun,
    checks: rows.map(([name, rest], at) =>
      check(name.includes('/') ? name : `own-ai-chat/${name}`, rest.verdict ?? 'fail', {
        evidence: [`ex-${at}`],
        ...rest,
      }),
    ),
    exchanges: rows.map(([, , status = 202], at) => ({
      ...(sample as Exchange),
      ...answered(status, ''),
      id: `ex-${at}`,
    })),
  });
}

export const otherSecret = cause('signature/other-secret', false);
export const secretPrefix = cause('config/secret-without-prefix');

/** The first requirement has only a suspect, a blocked one the certain cause; three have only the same answer. */
export const distantCause: readonly DiagnosedRow[] = [
  ['accepts-valid-signature', { causes: [otherSecret] }, 401],
  ['answers-ping', {}, 401],
  ['accepts-30-turns', {}, 401],
  ['accepts-every-role', {}, 401],
  ['refuses-altered-body', { verdict: 'blocked', causes: [secretPrefix], hint: 'Enter it with whsec_.' }, 401],
];
