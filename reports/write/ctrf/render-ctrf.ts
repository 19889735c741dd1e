import type { Report } from '../../../specs/generated/types.ts';
import { gateExitCode } from '../../model/apply-gate.ts';
import { causeReferences, type CauseReferences } from '../../model/cause-references.ts';
import { caseDetails } from '../../text/case-details.ts';
import { describedBy } from '../../text/describe-entry.ts';
import { formatJson } from '../../text/format-json.ts';
import { reportCases } from '../../model/report-cases.ts';
import type { ReportCase } from '../../model/report-cases.ts';
import { runProblems } from '../../model/gate-status.ts';
import type { RunProblem, GateStatus } from '../../model/gate-status.ts';
import { labelPartial } from '../../text/headline.ts';
import { environmentNotes } from '../../text/run-notes.ts';

/** The supported revision of ctrf.io. */
const specVersion = '0.0.0';

type Status = 'passed' | 'failed' | 'skipped' | 'other';

/** Excused failures and warnings neither pass nor fail the run: `other`. */
const statuses: Readonly<Record<GateStatus, Status>> = {
  pass: 'passed',
  fail: 'failed',
  blocked: 'failed',
  warn: 'other',
  advice: 'other',
  waived: 'other',
  known: 'other',
  'not-exercised': 'skipped',
  'not-applicable': 'skipped',
};

/** The checks in the Common Test Report Format. Something is `failed` exactly when the exit code is not 0. */
export function renderCtrf(report: Report): string {
  const start = Date.parse(report.startedAt);
  const referenceOf = causeReferences(report);
  const tests = [
    ...[...reportCases(report).values()].flat().map((one) => caseTest(one, referenceOf)),
    ...runProblems(report).map(problemTest),
  ];
  const { shard } = report.selection ?? {};
  const part = labelPartial(report);
  const isPassed = gateExitCode(report) === 0;
  const counts = { tests: tests.length, passed: 0, failed: 0, skipped: 0, pending: 0, other: 0 };
  for (const { status } of tests) counts[status] += 1;
  const document = {
    reportFormat: 'CTRF',
    specVersion,
    timestamp: new Date(start + report.durationMs).toISOString(),
    generatedBy: `svc-conform ${report.harness.version}`,
    results: {
      tool: { name: 'svc-conform', version: report.harness.version },
      summary: {
        ...counts,
        suites: new Set(tests.map(({ suite }) => suite[0])).size,
        start,
        stop: start + Math.round(report.durationMs),
        duration: Math.round(report.durationMs),
      },
      tests,
      environment: {
        ...(shard && { shardId: `${shard.index}/${shard.of}` }),
        ...(part !== undefined && { reportName: `svc-conform (${part})` }),
        // A part that passed does not show that the endpoint is healthy.
        ...((part === undefined || !isPassed) && { healthy: isPassed }),
      },
      extra: {
        verdict: report.verdict,
        protocol: report.protocol,
        seed: report.seed,
        target: report.target,
        ...(report.environment && { environment: report.environment, notes: environmentNotes(report.environment) }),
        ...(report.selection && { selection: report.selection }),
        ...(part !== undefined && { partial: part }),
        ...(report.gate && { gate: report.gate }),
        ...(report.container && { container: report.container }),
      },
    },
  };
  return formatJson(document, 2);
}

function caseTest(one: ReportCase, referenceOf: CauseReferences) {
  const { id, title, requirement, check, message, note } = one;
  const status = statuses[one.status];
  const { of = 1 } = check?.repeats ?? {};
  const { hint, causes } = describedBy(referenceOf(requirement.id, check), check);
  return {
    testId: id,
    name: title || id,
    status,
    rawStatus: one.status,
    duration: Math.round(check?.durationMs ?? 0),
    suite: [requirement.surface, requirement.id],
    ...(message !== undefined && { message }),
    ...(status !== 'passed' && { trace: caseDetails(one, referenceOf).join('\n') }),
    ...(of > 1 && { retries: of - 1 }),
    labels: { requirement: requirement.id, level: requirement.level, section: requirement.section },
    extra: {
      ...(check?.expected !== undefined && { expected: check.expected }),
      ...(check?.received !== undefined && { received: check.received }),
      ...(hint !== undefined && { hint }),
      ...(causes && { causes }),
      ...(check?.verdict === 'fail' && { remediation: requirement.remediation }),
      ...(check?.reproduce !== undefined && { reproduce: check.reproduce }),
      ...(check?.code !== undefined && { code: check.code }),
      ...(check?.repeats && { repeats: check.repeats }),
      ...(check && check.evidence.length > 0 && { evidence: check.evidence }),
      ...(note !== undefined && { gate: note }),
    },
  };
}

function problemTest({ about, title, status, message }: RunProblem) {
  return {
    testId: `run/${about}`,
    name: title,
    status: statuses[status],
    rawStatus: status,
    duration: 0,
    suite: ['run'],
    message,
  };
}
