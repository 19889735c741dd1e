import type { Report } from '../../../specs/generated/types.ts';
import type { CauseEntry } from '../../model/cause-entries.ts';
import { describeBlockedPart, entriesToFix, findingGroups, type PartlyBlocked } from '../../model/finding-groups.ts';
import { runProblems, type GateStatus, type GatedFinding } from '../../model/gate-status.ts';
import {
  consequencesOf,
  describeEvidenceMessage,
  describeFault,
  describeLikeness,
  entryAdvice,
  isBlockOnly,
  type ConsequenceGroup,
} from '../../text/describe-entry.ts';
import { visibleControls } from '../../text/visible-controls.ts';
import { labelPartial } from '../../text/headline.ts';
import { environmentNotes } from '../../text/run-notes.ts';
import { counted, adviceLines, describeSource, formatRepeats } from '../../text/wording.ts';

/** Annotations of one kind that GitHub shows for a step; it silently drops further ones. */
const mostPerKind = 10;

/** Characters of one message; the summary and report.html have the complete text. */
const messageLength = 2000;

/** The most requirements of one consequence that an annotation lists. */
const idsShown = 15;

const kinds = ['error', 'warning', 'notice'] as const;
type AnnotationKind = (typeof kinds)[number];

const kindOf: Readonly<Partial<Record<GateStatus, AnnotationKind>>> = {
  fail: 'error',
  blocked: 'error',
  known: 'warning',
  warn: 'warning',
  waived: 'notice',
  advice: 'notice',
};

interface Annotation {
  readonly kind: AnnotationKind;
  readonly title: string;
  readonly lines: readonly (string | undefined)[];
}

/**
 * Causes of failures as workflow commands of GitHub Actions, one per line: an error when it fails the run, otherwise a
 * warning or notice. Of each kind there are at most ten, the last of which then lists the others. Empty when nothing failed in a
 * complete run. Written to the standard output of a step.
 */
export function renderAnnotations(report: Report): string {
  const groups = findingGroups(report);
  const part = labelPartial(report);
  const limits = [
    ...(part === undefined ? [] : [`This run was ${part} requirements.`]),
    ...environmentNotes(report.environment),
  ];
  const all = [
    ...limits.map((note): Annotation => ({
      kind: 'warning',
      title: 'the run',
      lines: [note],
    })),
    ...entriesToFix(groups).map(entryAnnotation),
    ...groups.excused.map(excusedAnnotation),
    ...groups.partlyBlocked.map(partlyBlockedAnnotation),
    ...runAnnotations(report),
  ];
  return kinds
    .flatMap((kind) => bounded(all.filter((one) => one.kind === kind)))
    .map((one) => `${command(one)}\n`)
    .join('');
}

const suffix: Readonly<Partial<Record<GateStatus, string>>> = { waived: ' (waived)', known: ' (known)' };

/** Characters of a headline in the title; the message repeats a longer one in full. */
const titleLength = 120;

function entryAnnotation(entry: CauseEntry): Annotation {
  const { finding, status, note } = entry.lead;
  const { id, statement } = finding.requirement;
  const { deciding } = finding;
  const fault = describeFault(entry);
  const repeats = formatRepeats(deciding);
  const isLong = fault.length > titleLength;
  return {
    kind: kindOf[status] ?? 'error',
    title: `${entry.isRepeated ? '' : `${entry.surfaces.join(', ')}: `}${isLong ? `${fault.slice(0, titleLength).toWellFormed()}…` : fault}`,
    lines: [
      isLong ? fault : undefined,
      ...entryAdvice(entry).map(({ label, text }) => `${label}: ${text}`),
      describeEvidenceMessage(entry),
      repeats && `Failed ${repeats}.`,
      note,
      isBlockOnly(entry) ? undefined : `Requirement: ${id}: ${statement} (${describeSource(finding.requirement)})`,
      deciding?.reproduce && `Rerun: ${deciding.reproduce}`,
      ...consequencesOf(entry).map((group) => consequenceLine(entry, group)),
    ],
  };
}

function consequenceLine(entry: CauseEntry, group: ConsequenceGroup): string {
  const { label, requirements } = group;
  const likeness = describeLikeness(entry, group);
  const ids = requirements
    .slice(0, idsShown)
    .map(({ finding }) => finding.requirement.id.replace(`${entry.surface}/`, ''))
    .join(', ');
  const rest = requirements.length - idsShown;
  const more = rest > 0 ? ` and ${rest} more in report.html` : '';
  return `${label} ${counted(requirements.length, 'requirement')}${likeness === undefined ? '' : ` (${likeness})`}: ${ids}${more}`;
}

function excusedAnnotation({ finding: { requirement, deciding }, status, note }: GatedFinding): Annotation {
  const { id, level, statement, remediation, message } = requirement;
  return {
    kind: kindOf[status] ?? 'notice',
    title: `${level}: ${id}${suffix[status] ?? ''}`,
    lines: [
      statement,
      message,
      note,
      ...adviceLines(deciding, remediation).map(({ label, text }) => `${label}: ${text}`),
    ],
  };
}

function partlyBlockedAnnotation(part: PartlyBlocked): Annotation {
  const { unjudged, finding, note } = part;
  const { id, message } = finding.requirement;
  return {
    kind: 'error',
    title: `Part of ${id} could not be judged`,
    lines: [
      describeBlockedPart(part),
      ...adviceLines(unjudged).map(({ label, text }) => `${label}: ${text}`),
      message && `Waived or known failure: ${message}`,
      note,
    ],
  };
}

function runAnnotations(report: Report): Annotation[] {
  const problems = runProblems(report).map(({ about, message }): Annotation => ({
    kind: 'error',
    title: about,
    lines: [message],
  }));
  const fixed = report.gate?.baseline?.fixed ?? [];
  const fixedNote: Annotation = {
    kind: 'notice',
    title: `${counted(fixed.length, 'requirement')} fixed since the baseline`,
    lines: [fixed.join(', ')],
  };
  return [...problems, ...(fixed.length > 0 ? [fixedNote] : [])];
}

function bounded(annotations: readonly Annotation[]): Annotation[] {
  const [first] = annotations;
  if (!first || annotations.length <= mostPerKind) return [...annotations];
  const shown = annotations.slice(0, mostPerKind - 1);
  const rest = annotations.slice(shown.length);
  return [
    ...shown,
    {
      kind: first.kind,
      title: `${rest.length} more`,
      lines: [...rest.map(({ title }) => title), 'report.html has all of them.'],
    },
  ];
}

function command({ kind, title, lines }: Annotation): string {
  const text = lines.filter((line) => line !== undefined && line !== '').join('\n');
  const shown = text.length <= messageLength ? text : `${text.slice(0, messageLength).toWellFormed()} …`;
  return `::${kind} title=${escapeProperty(title)}::${escapeData(shown)}`;
}

// The runner splits a command at line ends, and its properties at colons and commas (actions/runner, ActionCommand).
function escapeData(text: string): string {
  return visibleControls(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
