import type { Report } from '../../../specs/generated/types.ts';
import { gateExitCode } from '../../model/apply-gate.ts';
import { omittedSurfaces, reasonsOf, surfaceViews } from '../../model/findings.ts';
import {
  markdownBrief,
  markdownBriefEntry,
  markdownEntry,
  markdownIds,
  markdownPartlyBlocked,
} from './markdown-finding.ts';
import { codeCell, codeSpan, markdownProse } from './markdown-text.ts';
import type { CauseEntry } from '../../model/cause-entries.ts';
import { findingGroups } from '../../model/finding-groups.ts';
import { environmentNotes, runNotes } from '../../text/run-notes.ts';
import {
  baselineLabels,
  counted,
  gateReason,
  formatLongDuration,
  verdictReason,
  describeWaiver,
} from '../../text/wording.ts';
import { isPartialPass, isReduced, labelReport } from '../../text/headline.ts';

export interface MarkdownOptions {
  /** The most bytes in UTF-8; default: the limit of a GitHub comment. */
  readonly mostBytes?: number | undefined;
}

/** Characters of a GitHub comment, each at least one byte. */
const commentLimit = 65_536;

/** Bytes reserved for the note on omitted parts. */
const closingRoom = 300;

/** The most reasons why requirements were not judged. */
const reasonsShown = 5;

/** The most requirements in a list that does not fail the run. */
const rowsShown = 40;

/** A part of the page that is either complete or omitted. */
interface PagePart {
  readonly text: string;
  readonly isFinding?: boolean;
}

/**
 * The report for a pull request comment or a job summary on GitHub: verdict, gate, surfaces, then the findings, most
 * important first. Findings that do not fit are counted. Outside text is in code spans or escaped.
 */
export function renderMarkdown(report: Report, { mostBytes = commentLimit }: MarkdownOptions = {}): string {
  const parts: PagePart[] = [
    ...[...judgementSection(report), surfaceTable(report), ...gateSection(report)].map((text) => ({ text })),
    ...findingParts(report),
    ...notJudgedSection(report).map((text) => ({ text })),
  ];
  const closing = footer(report);
  let room = mostBytes - Buffer.byteLength(closing) - closingRoom;
  const cut = parts.findIndex(({ text }) => (room -= Buffer.byteLength(text) + 2) < 0);
  const kept = cut < 0 ? parts : parts.slice(0, cut);
  return `${[...kept.map(({ text }) => text), ...omissionNote(parts.slice(kept.length)), closing].join('\n\n')}\n`;
}

function omissionNote(omitted: readonly PagePart[]): string[] {
  if (omitted.length === 0) return [];
  const findings = omitted.filter(({ isFinding }) => isFinding).length;
  const what = findings > 0 ? counted(findings, 'more finding') : 'A list';
  return [`_${what} did not fit here; report.html has everything._`];
}

function judgementSection(report: Report): string[] {
  const signs = {
    0: report.verdict === 'conformant' && !isPartialPass(report) ? '✅' : '⚠️',
    1: '❌',
    3: '❔',
  } as const;
  const sign = signs[gateExitCode(report)];
  const environment = environmentNotes(report.environment);
  const otherNotes = runNotes(report).filter((note) => !environment.includes(note));
  return [
    `## ${sign} svc-conform: ${labelReport(report)}${isReduced(report) ? ' (reduced)' : ''}`,
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
    'Requirements by surface:',
    '',
    '| Surface | Checked | ✗ fails | ? blocked | ! warns | i advice | ✓ passes | – not judged |',
    '| --- | --- | --: | --: | --: | --: | --: | --: |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
  const line = (label: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${label}: ${markdownProse(names.join(', '))}.`];
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
      .map((field) => ({ label: baselineLabels[field], ids: baseline?.[field] ?? [] }))
      .filter(({ ids }) => ids.length > 0)
      .map(({ label, ids }) => `- ${markdownIds(ids.map((id) => ({ id })))}: ${label}`),
    ...waivers.map((waiver) => `- ${codeSpan(waiver.requirement)}: ${markdownProse(describeWaiver(waiver, report))}`),
  ];
  const title = `### Gate ${passed ? 'passed' : 'failed'} (fails on ${failOn === 'must' ? 'MUST' : 'MUST and SHOULD'} requirements)`;
  return [`${title}\n\n${lines.join('\n')}`];
}

const comparisonFields = ['new', 'known', 'fixed', 'gone'] as const;

function findingParts(report: Report): PagePart[] {
  const { fails, blocked, partlyBlocked, excused, warns, advice } = findingGroups(report);
  const briefly = (entries: readonly CauseEntry[]) => entries.map(markdownBriefEntry);
  const lists = [
    ...folded(`Warnings (${counted(warns.length, 'cause')})`, briefly(warns)),
    ...folded(`Advice (${counted(advice.length, 'cause')})`, briefly(advice)),
    ...folded(
      `Waived or known failures (${excused.length})`,
      excused.map(({ finding, ...stand }) => markdownBrief(finding, stand)),
    ),
  ];
  return [
    ...titled(`Failures (${counted(fails.length, 'cause')})`, fails.map(markdownEntry)),
    ...titled(`Could not be judged (${counted(blocked.length, 'cause')})`, blocked.map(markdownEntry)),
    ...titled(`Could not be judged in part (${partlyBlocked.length})`, partlyBlocked.map(markdownPartlyBlocked)),
    ...lists.map((text) => ({ text })),
  ];
}

function titled(title: string, findings: readonly string[]): PagePart[] {
  return findings.map((text, index) => ({
    text: index === 0 ? `### ${title}\n\n${text}` : text,
    isFinding: true,
  }));
}

function folded(title: string, rows: readonly string[]): string[] {
  if (rows.length === 0) return [];
  const lines = rows.slice(0, rowsShown);
  if (rows.length > rowsShown) lines.push(`- and ${rows.length - rowsShown} more`);
  return [`<details><summary>${title}</summary>\n\n${lines.join('\n')}\n\n</details>`];
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
    `<details><summary>Not exercised (${count})</summary>\n\nNot tested in this run; this does not count against the endpoint.\n\n${lines.join('\n')}\n\n</details>`,
  ];
}

function footer({ harness, protocol, seed, durationMs, startedAt }: Report): string {
  const text = `svc-conform ${harness.version}, protocol ${protocol}, seed ${seed}, started ${startedAt}, took ${formatLongDuration(durationMs)}`;
  return `<sub>${markdownProse(text)}</sub>`;
}
