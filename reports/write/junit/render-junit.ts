import type { Report } from '../../../specs/generated/types.ts';
import { caseDetails } from '../../text/case-details.ts';
import { causeReferences, type CauseReferences } from '../../model/cause-references.ts';
import { groupOf } from '../../model/groups.ts';
import { reportCases, type ReportCase } from '../../model/report-cases.ts';
import { runProblems, type RunProblem, type GateStatus } from '../../model/gate-status.ts';
import { outcomeOf } from '../../model/verdict.ts';
import { environmentNotes, selectionNotes } from '../../text/run-notes.ts';
import { outcomeLabels } from '../../text/wording.ts';
import { labelPartial } from '../../text/headline.ts';
import { xmlElement, escapeXml } from './xml.ts';

interface TestCaseRow {
  readonly gateStatus: GateStatus;
  readonly seconds: number;
  readonly xml: string;
}

/**
 * The checks as JUnit XML: a suite for each surface, a class for each requirement. It is red exactly when the exit code
 * is not 0: excused failures and warnings are skipped with their reason, blocked checks are errors. Valid against the
 * schema of Jenkins' JUnit plugin, whose `skipped` contains text only. A cause is described in full in one case, to which the
 * others refer.
 */
export function renderJunit(report: Report): string {
  const referenceOf = causeReferences(report);
  const suites = [...reportCases(report)].map(([surface, cases]) =>
    suite(
      report,
      surface,
      cases.map((one) => caseRow(one, referenceOf)),
    ),
  );
  const problems = runProblems(report).map(problemRow);
  if (problems.length > 0) suites.push(suite(report, 'run', problems));
  const rows = suites.flatMap(({ rows: all }) => all);
  const part = labelPartial(report);
  const attributes = {
    name: part === undefined ? 'svc-conform' : `svc-conform (${part})`,
    tests: rows.length,
    failures: count(rows, 'failure'),
    errors: count(rows, 'error'),
    time: seconds(report.durationMs / 1000),
  };
  const root = xmlElement(
    'testsuites',
    attributes,
    suites.map(({ xml }) => xml),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

type TestCaseKind = 'failure' | 'error' | 'skipped' | 'passed';

const kinds: Readonly<Record<GateStatus, TestCaseKind>> = {
  pass: 'passed',
  fail: 'failure',
  blocked: 'error',
  warn: 'skipped',
  advice: 'skipped',
  waived: 'skipped',
  known: 'skipped',
  'not-exercised': 'skipped',
  'not-applicable': 'skipped',
};

const skippedBecause: Readonly<Partial<Record<GateStatus, string>>> = {
  warn: 'warning; does not fail the run',
  advice: 'advice; does not fail the run',
  waived: 'waived failure',
  known: 'known failure, also in the baseline',
};

function caseRow(one: ReportCase, referenceOf: CauseReferences): TestCaseRow {
  const { status: gateStatus, title, requirement, check, message } = one;
  const { id } = requirement;
  // Dots separate packages and classes in Jenkins and compatible readers.
  const attributes = {
    name: title.trim() === '' ? one.id : title,
    classname: id.replace('/', '.'),
    time: seconds((check?.durationMs ?? 0) / 1000),
  };
  const row = (content: readonly string[]) => ({
    gateStatus,
    seconds: (check?.durationMs ?? 0) / 1000,
    xml: xmlElement('testcase', attributes, content),
  });
  const kind = kinds[gateStatus];
  if (kind === 'passed') return row([]);
  const details = caseDetails(one, referenceOf);
  if (kind === 'skipped') {
    const because = skippedBecause[gateStatus] ?? outcomeLabels[check ? outcomeOf(check) : groupOf(requirement)].word;
    return row([
      xmlElement('skipped', {}, escapeXml([`${because}: ${details[0] ?? id}`, ...details.slice(1)].join('\n'))),
    ]);
  }
  const type = gateStatus === 'blocked' ? (check?.code ?? 'blocked') : requirement.level;
  return row([xmlElement(kind, { message: message ?? title, type }, escapeXml(details.join('\n')))]);
}

function problemRow({ about, title, status: gateStatus, message }: RunProblem): TestCaseRow {
  const kind = kinds[gateStatus];
  const content = [xmlElement(kind, { message, type: 'gate' }, escapeXml(`${about}: ${message}`))];
  return {
    gateStatus,
    seconds: 0,
    xml: xmlElement('testcase', { name: title, classname: 'run.gate', time: seconds(0) }, content),
  };
}

function suite(
  report: Report,
  name: string,
  rows: readonly TestCaseRow[],
): { readonly rows: readonly TestCaseRow[]; readonly xml: string } {
  const { url, command, file } = report.target[name] ?? {};
  const left = selectionNotes(report.selection);
  const weakened = environmentNotes(report.environment);
  const properties = {
    target: url ?? command ?? file,
    protocol: report.protocol,
    version: report.harness.version,
    seed: report.seed,
    verdict: report.verdict,
    partial: labelPartial(report),
    selection: left.length > 0 ? left.join(' ') : undefined,
    environment: weakened.length > 0 ? weakened.join(' ') : undefined,
  };
  const attributes = {
    name,
    tests: rows.length,
    failures: count(rows, 'failure'),
    errors: count(rows, 'error'),
    skipped: count(rows, 'skipped'),
    time: seconds(rows.reduce((sum, row) => sum + row.seconds, 0)),
    timestamp: withoutZone(report.startedAt),
  };
  const pairs = Object.entries(properties).filter(([, value]) => value !== undefined);
  return {
    rows,
    xml: xmlElement('testsuite', attributes, [
      xmlElement(
        'properties',
        {},
        pairs.map(([key, value]) => xmlElement('property', { name: key, value })),
      ),
      ...rows.map(({ xml }) => xml),
    ]),
  };
}

function count(rows: readonly TestCaseRow[], kind: TestCaseKind): number {
  return rows.filter(({ gateStatus }) => kinds[gateStatus] === kind).length;
}

function seconds(value: number): string {
  return value.toFixed(3);
}

/** Ant's schema allows neither zone nor fraction, and readers assume UTC. */
function withoutZone(iso: string): string {
  return iso.replace(/(\.\d+)?Z$/, '');
}
