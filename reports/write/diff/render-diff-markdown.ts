import {
  changeGroups,
  changeKinds,
  type ChangeGroup,
  type RequirementChange,
  type ReportDiff,
} from '../../model/diff-reports.ts';
import {
  changeOutcome,
  changeLabels,
  formatDiffedReport,
  formatSurfaceChange,
  diffSummary,
  groupingLines,
  formatChange,
  changeLines,
  describeVerdictChange,
  mostNamedAlike,
} from '../../text/diff-labels.ts';
import { codeSpan } from '../markdown/markdown-text.ts';
import { outcomeLabels } from '../../text/wording.ts';

/** A GitHub comment has at most 65,536 characters; this leaves room for surrounding text. */
const mostCharacters = 60_000;
const mostOfMessage = 400;

/** The differences between two reports, for a pull request comment. Changes that do not fit are counted. */
export function renderDiffMarkdown(diff: ReportDiff): string {
  const head = [
    `## ${describeVerdictChange(diff)}`,
    diffSummary(diff),
    [`- first: ${code(formatDiffedReport(diff.before))}`, `- second: ${code(formatDiffedReport(diff.after))}`].join(
      '\n',
    ),
    ...(diff.notes.length === 0 ? [] : [diff.notes.map((note) => `> ⚠️ ${code(note)}`).join('\n>\n')]),
  ].join('\n\n');
  let room = mostCharacters - head.length;
  let omitted = 0;
  const sections = changeKinds.flatMap((kind) => {
    const changes = changeGroups(diff, kind, groupingLines);
    const title = `### ${changeLabels[kind].title} (${changes.flat().length})`;
    const items = changes.flatMap((group) => {
      const item = groupItem(group);
      room -= item.length + 1;
      if (room < title.length) omitted += group.length;
      return room >= title.length ? [item] : [];
    });
    room -= items.length === 0 ? 0 : title.length;
    return items.length === 0 ? [] : [`${title}\n\n${items.join('\n')}`];
  });
  const rest = omitted === 0 ? [] : [`_${omitted} more in the JSON format._`];
  return `${[head, ...sections, ...rest].join('\n\n')}\n`;
}

/** The first requirement with its lines, and the others with the same lines. */
function groupItem(group: ChangeGroup): string {
  const [first, ...others] = group;
  const surface = formatSurfaceChange(group);
  if (surface !== undefined) return `- ${code(surface)}, ${formatChange(first)}`;
  const lines = changeLines(first).map(({ label, text }) =>
    label === 'failed' ? `failed ${text}` : `${labels[label]}${code(text)}`,
  );
  const rest = group.length - mostNamedAlike;
  const more = rest > 0 ? ` and ${rest} more` : '';
  const named = group.slice(1, mostNamedAlike).map(formatHead).join('; ');
  const alike = others.length === 0 ? [] : [`same for ${named}${more}`];
  return [`- ${formatHead(first)}`, ...[...lines, ...alike].map((line) => `  - ${line}`)].join('\n');
}

const labels = { formerly: 'formerly ', before: 'before: ', now: '' } as const;

function formatHead(change: RequirementChange): string {
  const { id, before, after } = change;
  const { sign } = outcomeLabels[changeOutcome(change)];
  const level = (after ?? before)?.level ?? '';
  return `${sign} ${code(id)} ${level}, ${formatChange(change)}`;
}

function code(text: string): string {
  return codeSpan(text, mostOfMessage);
}
