import type { Report } from '../../../specs/generated/types.ts';
import { gateExitCode } from '../../model/apply-gate.ts';
import { omittedSurfaces, reasonsOf, surfaceViews } from '../../model/findings.ts';
import type { BlockedGroup } from '../../model/findings.ts';
import {
  markdownAdvice,
  markdownBrief,
  markdownFinding,
  markdownIds,
  markdownPartlyBlocked,
  markedId,
} from './markdown-finding.ts';
import { codeCell, codeSpan, markdownProse } from './markdown-text.ts';
import { sameCauses } from '../../model/same-cause.ts';
import { findingGroups } from '../../model/gate-status.ts';
import type { GatedFinding } from '../../model/gate-status.ts';
import {
  baselineLabels,
  counted,
  environmentNotes,
  gateReason,
  formatLongDuration,
  runNotes,
  verdictReason,
  labelVerdict,
  describeWaiver,
} from '../../text/wording.ts';

export interface MarkdownOptions {
  /** Bytes in UTF-8 that there is room for; default is what a comment of GitHub takes. */
  readonly mostBytes?: number | undefined;
}

/** A comment of GitHub takes so many characters, each of which is a byte at least. */
const commentLimit = 65_536;

/** Room that is kept for the sentence on what did not fit. */
const closingRoom = 300;

/** Reasons for what was not judged that are told. */
const reasonsShown = 5;

/** Requirements in one list of what does not fail the run. */
const rowsShown = 40;

/** A piece of the text that is there as a whole or not at all. */
interface Part {
  readonly text: string;
  readonly isFinding?: boolean;
}

/**
 * The report for a pull request comment or a job summary on GitHub: the verdict and the gate, surfaces at a glance, then
 * what to fix, first things first. What does not fit is counted. Text from outside stands in code, or with all that
 * GitHub would act on made plain.
 */
export function renderMarkdown(report: Report, { mostBytes = commentLimit }: MarkdownOptions = {}): string {
  const parts: Part[] = [
    ...[...judgementSection(report), surfaceTable(report), ...gateSection(report)].map((text) => ({ text })),
    ...findingParts(report),
    ...notJudgedSection(report).map((text) => ({ text })),
  ];
  const closing = footer(report);
  let room = mostBytes - Buffer.byteLength(closing) - closingRoom;
  const cut = parts.findIndex(({ text }) => (room -= Buffer.byteLength(text) + 2) < 0);
  const kept = cut < 0 ? parts : parts.slice(0, cut);
  return `${[...kept.map(({ text }) => text), ...leftOutNote(parts.slice(kept.length)), closing].join('\n\n')}\n`;
}

function leftOutNote(left: readonly Part[]): string[] {
  if (left.length === 0) return [];
  const findings = left.filter(({ isFinding }) => isFinding).length;
  const what = findings > 0 ? counted(findings, 'more finding') : 'A list';
  return [`_${what} did not fit here; report.html has everything._`];
}

function judgementSection(report: Report): string[] {
  const signs = { 0: report.verdict === 'conformant' ? '✅' : '⚠️', 1: '❌', 3: '❔' } as const;
  const sign = signs[gateExitCode(report)];
  const environment = environmentNotes(report.environment);
  const otherNotes = runNotes(report).filter((note) => !environment.includes(note));
  return [
    `## ${sign} svc-conform: ${labelVerdict(report)}${report.selection ? ' (a part of it)' : ''}`,
    [...environment, verdictReason(report), ...otherNotes].map(markdownProse).join(' '),
  ];
}

function surfaceTable(report: Report): string {
  const views = surfaceViews(report);
  const cell = (count: number) => (count === 0 ? '' : `**${count}**`);
  const rows = views
    .filter(({ omitted }) => omitted === undefined)
    .map(({ surface, target, counts }) =>
      [
        codeCell(surface),
        target === undefined ? '' : codeCell(target),
        cell(counts.fail),
        cell(counts.blocked),
        cell(counts.warn),
        cell(counts.advice),
        String(counts.pass),
        String(counts['not-exercised'] + counts.unobservable + counts['not-selected'] + counts['not-applicable']),
      ].join(' | '),
    );
  const table = [
    '| Surface | Checked | ✗ fails | ? blocked | ! warns | i advice | ✓ passes | – not judged |',
    '| --- | --- | --: | --: | --: | --: | --: | --: |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
  const line = (words: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${words}: ${markdownProse(names.join(', '))}.`];
  const outside = [
    ...line('Not selected in this run', omittedSurfaces(views, 'not-selected')),
    ...line('Not configured', omittedSurfaces(views, 'not-applicable')),
  ];
  return outside.length === 0 ? table : `${table}\n\n${outside.join('\n')}`;
}

function gateSection(report: Report): string[] {
  const { gate } = report;
  if (!gate) return [];
  const { failOn, reasons, baseline, waivers = [], passed } = gate;
  const lines = [
    ...(passed ? [gateReason(gate)] : reasons).map((reason) => `- ${markdownProse(reason)}`),
    ...(baseline?.notes ?? []).map((note) => `- ⚠️ ${markdownProse(note)}`),
    ...comparisonFields
      .map((field) => ({ words: baselineLabels[field], ids: baseline?.[field] ?? [] }))
      .filter(({ ids }) => ids.length > 0)
      .map(({ words, ids }) => `- ${markdownIds(ids.map((id) => ({ id })))}: ${words}`),
    ...waivers.map((waiver) => `- ${codeSpan(waiver.requirement)}: ${markdownProse(describeWaiver(waiver, report))}`),
  ];
  const title = `### ${passed ? 'Gate passed' : 'Gate not passed'} (a failing ${failOn === 'must' ? 'must' : 'must or should'} fails the run)`;
  return [`${title}\n\n${lines.join('\n')}`];
}

const comparisonFields = ['new', 'known', 'fixed', 'gone'] as const;

function findingParts(report: Report): Part[] {
  const causeOf = sameCauses(report);
  const { fails, blocked, partlyBlocked, excused, warns, advice } = findingGroups(report);
  const failing = fails.map(({ finding, ...stand }) => {
    const cause = causeOf(finding);
    const leads = cause?.lead.requirement.id === finding.requirement.id;
    return cause && !leads
      ? `#### ${markedId(finding.requirement)}\n\nThe same answer as to ${codeSpan(cause.lead.requirement.id)}: probably the same cause.`
      : markdownFinding(finding, stand, cause);
  });
  const lists = [
    ...folded(
      'Waived',
      excused.filter(({ status }) => status === 'waived'),
    ),
    ...folded(
      'Failing as in the baseline',
      excused.filter(({ status }) => status === 'known'),
    ),
    ...folded('Warnings', warns),
    ...folded('Advice', advice),
  ];
  return [
    ...titled('What to fix', failing),
    ...titled('What could not be judged', [...blocked.map(blockedText), ...partlyBlocked.map(markdownPartlyBlocked)]),
    ...lists.map((text) => ({ text })),
  ];
}

function blockedText({ surface, cause, findings }: BlockedGroup): string {
  return [
    `${counted(findings.length, 'requirement')} of ${codeSpan(surface)}: ${codeSpan(cause)}`,
    ...markdownAdvice(findings[0]?.deciding),
    `- ${markdownIds(findings.map(({ requirement }) => requirement))}`,
  ].join('\n');
}

function titled(title: string, findings: readonly string[]): Part[] {
  return findings.map((text, index) => ({
    text: index === 0 ? `### ${title} (${findings.length})\n\n${text}` : text,
    isFinding: true,
  }));
}

function folded(title: string, rows: readonly GatedFinding[]): string[] {
  if (rows.length === 0) return [];
  const lines = rows.slice(0, rowsShown).map(({ finding, ...stand }) => markdownBrief(finding, stand));
  if (rows.length > rowsShown) lines.push(`- and ${rows.length - rowsShown} more`);
  return [`<details><summary>${title} (${rows.length})</summary>\n\n${lines.join('\n')}\n\n</details>`];
}

function notJudgedSection(report: Report): string[] {
  const reasons = reasonsOf(report, 'not-exercised');
  if (reasons.length === 0) return [];
  const count = reasons.reduce((sum, { requirements }) => sum + requirements.length, 0);
  const lines = reasons
    .slice(0, reasonsShown)
    .map(({ reason, requirements }) => `- ${requirements.length}: ${markdownProse(reason)}`);
  const rest = reasons.slice(reasonsShown).reduce((sum, { requirements }) => sum + requirements.length, 0);
  if (rest > 0) lines.push(`- ${rest}: other reasons`);
  return [
    `<details><summary>Not exercised: ${count}, neither passing nor failing</summary>\n\n${lines.join('\n')}\n\n</details>`,
  ];
}

function footer({ harness, protocol, seed, durationMs, startedAt }: Report): string {
  const words = `svc-conform ${harness.version}, protocol ${protocol}, seed ${seed}, started ${startedAt}, took ${formatLongDuration(durationMs)}`;
  return `<sub>${markdownProse(words)}</sub>`;
}
