import { createHash } from 'node:crypto';
import { entriesToFix, findingGroups } from '../reports/model/finding-groups.ts';
import type { CauseEntry } from '../reports/model/cause-entries.ts';
import { describeFailure } from '../reports/model/findings.ts';
import { gateExitCode } from '../reports/model/apply-gate.ts';
import { visibleOnOneLine } from '../reports/text/visible-controls.ts';
import { parseReport } from '../run/input/read-report.ts';
import type { Certified, SentTraffic, TargetCause } from './ledger.ts';

/** What the ledger keeps of a report. */
export interface ReadCertification {
  certified: Certified;
  /** A time could not be judged, because this machine was too slow. */
  isTooSlow: boolean;
  /** Messages and calls that the limits counted; absent without limits. */
  sent?: SentTraffic;
}

/** Characters of a summary. */
const mostCharacters = 300;

/** Reads the report of a check. Throws HarnessFault if it is not one. */
export function readCertification(text: string, file: string): ReadCertification {
  const report = parseReport(text, file);
  const { verdict, harness, startedAt, durationMs, summary, requirements, checks, limits } = report;
  return {
    certified: {
      state: 'complete',
      verdict,
      exitCode: gateExitCode(report),
      version: harness.version,
      startedAt,
      durationMs,
      digest: digestOf(text),
      requirements: summary,
      causes: entriesToFix(findingGroups(report)).flatMap((entry) => causeOf(entry) ?? []),
      failed: requirements.filter((one) => one.level === 'must' && one.verdict === 'fail').map(({ id }) => id),
    },
    isTooSlow: checks.some((check) => check.verdict === 'blocked' && check.code === 'own-delay'),
    ...(limits && { sent: { messages: limits.messages?.sent ?? 0, calls: limits.calls?.sent ?? 0 } }),
  };
}

/** The digest of a report.json: `sha256:…`. */
export function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** The cause without the details of one target, so that the same cause of others is equal. */
function causeOf({ surface, lead, cause }: CauseEntry): TargetCause | undefined {
  const { status, finding } = lead;
  if (status !== 'fail' && status !== 'blocked' && status !== 'warn') return undefined;
  const { requirement, deciding } = finding;
  const place = status === 'blocked' && deciding?.code !== undefined ? deciding.code : requirement.id;
  const said = cause?.summary ?? (deciding && describeFailure(deciding)) ?? requirement.message ?? requirement.id;
  return {
    key: cause ? `${surface} ${cause.id}` : `${surface} ${status} ${place}`,
    id: cause?.id ?? null,
    surface,
    requirement: requirement.id,
    status,
    summary: visibleOnOneLine(said).slice(0, mostCharacters),
    remediation: cause?.remediation ?? null,
  };
}
