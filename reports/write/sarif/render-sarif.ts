import { createHash } from 'node:crypto';
import type { Level, Report, ReportComparison, RequirementResult } from '../../../specs/generated/types.ts';
import { gateExitCode } from '../../model/apply-gate.ts';
import { causeReferences, type CauseReferences } from '../../model/cause-references.ts';
import { findingGroups } from '../../model/finding-groups.ts';
import { findingsOf } from '../../model/requirement-finding.ts';
import type { RequirementFinding } from '../../model/requirement-finding.ts';
import { formatJson } from '../../text/format-json.ts';
import { sarifExchange } from './sarif-exchange.ts';
import { runProblems, gateStatuses } from '../../model/gate-status.ts';
import type { Gated, GateStatus } from '../../model/gate-status.ts';
import { visibleControls } from '../../text/visible-controls.ts';
import { labelPartial } from '../../text/headline.ts';
import { environmentNotes } from '../../text/run-notes.ts';
import { caseAdvice, describeFault, describeReference, entryAdvice } from '../../text/describe-entry.ts';
import { counted, describeSection, describeSource, formatRepeats, verdictReason } from '../../text/wording.ts';

/**
 * The location of findings when flags named the target outside GitHub Actions. GitHub shows no result without a file, so
 * findings point to the file that contains the address of the endpoint.
 */
const usualConfigFile = 'svc-conform.config.json';

/** The most results that GitHub accepts in one run; it rejects longer lists. */
const mostResults = 25_000;

/** Characters of a rule's description that GitHub shows. */
const descriptionLength = 1024;

const severities = {
  must: { level: 'error', problem: 'error' },
  should: { level: 'warning', problem: 'warning' },
  advice: { level: 'note', problem: 'recommendation' },
} as const satisfies Readonly<Record<Level, unknown>>;

/** GitHub acts neither on `suppressions` nor on `baselineState`, so the severity has to show what is excused. */
function severityOf(level: Level, standing: GateStatus): (typeof severities)[Level] {
  if (standing === 'fail') return severities.must;
  return standing === 'waived' || standing === 'known' ? severities.advice : severities[level];
}

/** The rule of results that are not requirements: blocked causes, stale waivers. */
const runRule = {
  id: 'svc-conform/run',
  shortDescription: { text: 'The run can be judged.' },
  fullDescription: { text: 'Reasons why requirements could not be judged or the gate failed.' },
  help: {
    text: 'Fix the cause in the message, then run the check again. No waiver or baseline covers a requirement that could not be judged.',
  },
  defaultConfiguration: { level: 'error' },
};

/**
 * The findings as SARIF 2.1.0 for code scanning: a rule for each requirement, a result for each failure and for each cause
 * that blocked requirements. Waived failures are suppressed, known ones are `unchanged`, and both are notes.
 */
export function renderSarif(report: Report): string {
  const locations = locationsIn(report.configInRepository ?? report.configFile ?? usualConfigFile);
  const statusOf = gateStatuses(report);
  const rules = [
    ...report.requirements.map((row) =>
      rule(row, statusOf({ requirement: row.id, level: row.level, verdict: row.verdict })),
    ),
    runRule,
  ];
  const ruleIndex = new Map(rules.map(({ id }, index) => [id, index]));
  const referenceOf = causeReferences(report);
  const failing = (['fail', 'warn', 'advice'] as const)
    .flatMap((outcome) => findingsOf(report, outcome))
    .map((finding) => {
      const { id, level, verdict } = finding.requirement;
      return result(finding, statusOf({ requirement: id, level, verdict }), { report, referenceOf });
    });
  const results = [...failing, ...runResults(report)]
    .slice(0, mostResults)
    .map((one) => ({
      ...one,
      ruleIndex: ruleIndex.get(one.ruleId) ?? rules.length - 1,
      locations: locations(one.about),
    }))
    .map(({ about: _, ...one }) => one);
  const exitCode = gateExitCode(report);
  const part = labelPartial(report);
  const limits = [...(part === undefined ? [] : [`${part}.`]), ...environmentNotes(report.environment)];
  const notes = limits.map((text) => ({ level: 'warning', message: { text } }));
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'svc-conform', semanticVersion: report.harness.version, rules },
        },
        automationDetails: { id: `svc-conform/${report.startedAt}` },
        invocations: [
          {
            executionSuccessful: exitCode !== 3,
            exitCode,
            startTimeUtc: report.startedAt,
            endTimeUtc: new Date(Date.parse(report.startedAt) + report.durationMs).toISOString(),
            ...(notes.length > 0 && { toolConfigurationNotifications: notes }),
          },
        ],
        columnKind: 'utf16CodeUnits',
        results,
        properties: {
          verdict: report.verdict,
          why: verdictReason(report),
          ...(report.environment && { environment: report.environment }),
          protocol: report.protocol,
          seed: report.seed,
          target: report.target,
          ...(report.selection && { selection: report.selection }),
          ...(part !== undefined && { partial: part }),
          ...(report.gate && { gate: report.gate }),
        },
      },
    ],
  };
  return formatJson(document, 2);
}

function rule(requirement: RequirementResult, { status: standing }: Gated) {
  const { id, statement, level, remediation, surface } = requirement;
  // GitHub shows an alert with the severity of its rule, of which a run has one result at most.
  const severity = severityOf(level, standing).problem;
  const text = `${remediation === '' ? statement : remediation}\n\nSource: ${describeSection(requirement)}. More: svc-conform explain ${id}`;
  return {
    id,
    name: id.slice(0, 255),
    shortDescription: { text: statement.slice(0, descriptionLength) },
    fullDescription: { text: `${statement} (${describeSource(requirement)})`.slice(0, descriptionLength) },
    help: { text },
    defaultConfiguration: { level: severities[level].level },
    properties: { tags: [surface, level], precision: 'very-high', 'problem.severity': severity },
  };
}

interface SarifResult {
  readonly ruleId: string;
  readonly about: string;
  readonly [field: string]: unknown;
}

function result(
  { requirement, deciding, others, exchanges }: RequirementFinding,
  stand: Gated,
  { report, referenceOf }: { report: Report; referenceOf: CauseReferences },
): SarifResult {
  const { id, level, message = 'The requirement failed', remediation } = requirement;
  const { status: standing, note } = stand;
  const deciders = exchanges.at(-1);
  const repeats = formatRepeats(deciding);
  const advice = caseAdvice(referenceOf(id, deciding), deciding, remediation);
  const sentences = [
    message,
    repeats && `Failed ${repeats}`,
    others.length > 0 && `${counted(others.length, 'further check')} of this requirement also failed`,
    note,
    ...advice.map(({ label, text }) => `${label}: ${text}`),
    deciding?.reproduce && `Rerun: ${deciding.reproduce}`,
  ];
  const { baseline, waivers } = report.gate ?? {};
  const waiver = standing === 'waived' ? waivers?.find((one) => one.requirement === id) : undefined;
  return {
    ruleId: id,
    about: id,
    level: severityOf(level, standing).level,
    message: { text: sarifMessage(sentences.flatMap((sentence) => sentence || [])) },
    partialFingerprints: fingerprint(id),
    ...baselineState(id, standing, baseline),
    ...(waiver && {
      suppressions: [
        { kind: 'external', status: 'accepted', justification: `${waiver.reason} (until ${waiver.until})` },
      ],
    }),
    ...(deciders && sarifExchange(deciders)),
    properties: {
      verdict: 'fail',
      standing,
      ...(deciding?.expected !== undefined && { expected: deciding.expected }),
      ...(deciding?.received !== undefined && { received: deciding.received }),
      ...(deciding?.repeats && { repeats: deciding.repeats }),
    },
  };
}

/**
 * Omitted for levels that do not count, and for a known failure that fails the run, since viewers hide unchanged
 * results.
 */
function baselineState(
  id: string,
  standing: GateStatus,
  baseline: ReportComparison | undefined,
): { baselineState?: 'unchanged' | 'new' } {
  if (baseline?.known.includes(id)) return standing === 'fail' ? {} : { baselineState: 'unchanged' };
  return baseline?.new.includes(id) ? { baselineState: 'new' } : {};
}

function runResults(report: Report): SarifResult[] {
  const groups = findingGroups(report);
  const blocked = [...groups.fails, ...groups.blocked].flatMap((entry) => {
    const ids = [entry.lead, ...entry.rest].flatMap(({ status, finding: { requirement } }) =>
      status === 'blocked' ? [requirement.id] : [],
    );
    if (ids.length === 0) return [];
    const text = `${counted(ids.length, 'requirement')} of ${entry.surfaces.join(' and ')} could not be judged`;
    const isDescribed = entry.lead.status !== 'blocked';
    const cause = isDescribed
      ? [text, `Same cause: ${describeReference(entry)}`]
      : [`${text}: ${describeFault(entry)}`, ...entryAdvice(entry).map(({ label, text: one }) => `${label}: ${one}`)];
    return {
      about: entry.surface,
      text: [...cause, `Requirements: ${ids.join(', ')}`],
      key: `blocked ${ids.join(' ')}`,
      verdict: 'blocked',
    };
  });
  const problems = runProblems(report).map(({ about, title, message, status: standing }) => ({
    about,
    text: [`Expected that ${title}: ${message}`],
    key: `${standing} ${about}`,
    verdict: standing,
  }));
  const parts = groups.partlyBlocked.map(
    ({
      finding: {
        requirement: { id },
      },
    }) => ({
      about: id,
      text: [`Part of ${id} could not be judged, which no waiver or baseline covers`],
      key: `partly blocked ${id}`,
      verdict: 'blocked',
    }),
  );
  return [...blocked, ...parts, ...problems].map(({ about, text, key, verdict }) => ({
    ruleId: runRule.id,
    about,
    level: 'error',
    message: { text: sarifMessage(text) },
    partialFingerprints: fingerprint(key),
    properties: { verdict },
  }));
}

function locationsIn(artifact: string) {
  const segments = artifact.toWellFormed().replace(/^\/+/, '').split('/');
  const uri = segments.map(encodeURIComponent).join('/');
  const physicalLocation = {
    artifactLocation: { uri },
    region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 },
  };
  return (about: string) => [
    { physicalLocation, logicalLocations: [{ fullyQualifiedName: about, kind: 'requirement' }] },
  ];
}

// GitHub compares only this fingerprint, so a finding keeps its alert when the config file changes.
function fingerprint(key: string) {
  return { primaryLocationLineHash: `${createHash('sha256').update(key).digest('hex').slice(0, 16)}:1` };
}

/**
 * Joins the sentences of a message. Embedded links (3.11.6) and placeholders (3.11.5) of SARIF are broken up, since
 * outside text must not create them. Other braces are kept, because GitHub shows them unchanged.
 */
function sarifMessage(sentences: readonly string[]): string {
  const text = sentences.map((sentence) => (/[.!?:]$/.test(sentence) ? sentence : `${sentence}.`)).join(' ');
  return visibleControls(text)
    .replaceAll('](', '] (')
    .replace(/\{(\d+)\}/g, '{ $1 }');
}
