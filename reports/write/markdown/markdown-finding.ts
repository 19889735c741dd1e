import type { CheckResult, RequirementResult } from '../../../specs/generated/types.ts';
import {
  counted,
  describeSource,
  labelCounterexample,
  formatExchange,
  formatExchangeResult,
  adviceLines,
  ownLabel,
  formatRepeats,
  hasConnection,
} from '../../text/wording.ts';
import {
  consequencesOf,
  describeEvidenceMessage,
  describeFault,
  describeLikeness,
  entryAdvice,
  isBlockOnly,
} from '../../text/describe-entry.ts';
import type { RequirementFinding } from '../../model/requirement-finding.ts';
import { breaksOf } from '../../model/findings.ts';
import { createPaint } from '../terminal/terminal-paint.ts';
import { transcriptLines } from '../terminal/terminal-transcript.ts';
import { codeBlock, codeSpan, markdownProse } from './markdown-text.ts';
import type { CauseEntry } from '../../model/cause-entries.ts';
import type { PartlyBlocked } from '../../model/finding-groups.ts';
import type { Gated } from '../../model/gate-status.ts';

/** The most differences from an accepted event. */
const differenceRows = 8;

/** Columns of a call transcript. */
const transcriptWidth = 100;

/** The most requirement ids in one line. */
const idsShown = 30;

/** The most consequences that are not folded. */
const unfoldedIds = 5;

type NamedRequirement = Pick<RequirementResult, 'id' | 'own'>;

/** One cause: the fault, its fix, the evidence, and the requirements that it fails or blocks. */
export function markdownEntry(entry: CauseEntry): string {
  const { finding, note } = entry.lead;
  const { requirement, deciding, exchanges } = finding;
  const { statement } = requirement;
  const item = (name: string, text: string | undefined) => (text ? [`- **${name}:** ${text}`] : []);
  const observed = describeEvidenceMessage(entry) && (comparison(deciding) ?? requirement.message);
  const exchange = exchanges.at(-1);
  const items = [
    ...entryAdvice(entry).flatMap(({ label, text }) => item(label, markdownProse(text))),
    ...item('Failed', formatRepeats(deciding)),
    ...item('Gate', note && markdownProse(note)),
    ...item('Evidence', exchange && codeSpan(formatExchange(exchange))),
    ...item(
      'Requirement',
      isBlockOnly(entry)
        ? undefined
        : `${codeSpan(requirement.id)}: ${markdownProse(statement)} _(${markdownProse(describeSource(requirement))})_`,
    ),
    ...consequencesOf(entry).map((group) => {
      const { label, requirements } = group;
      const likeness = describeLikeness(entry, group);
      const count = `${counted(requirements.length, 'requirement')}${likeness === undefined ? '' : ` (${likeness})`}`;
      const title = `${label[0]?.toUpperCase()}${label.slice(1)}`;
      const ids = markdownIds(requirements.map((one) => one.finding.requirement));
      if (requirements.length <= unfoldedIds) return `- **${title}** ${count}: ${ids}`;
      return `- <details><summary><b>${title}</b> ${count}</summary>\n\n  ${ids}\n\n  </details>`;
    }),
  ];
  const parts = [
    `#### ${markdownProse(describeFault(entry))}`,
    ...(observed ? [codeBlock(observed)] : []),
    ...callTranscript(finding),
    items.join('\n'),
    ...(deciding?.reproduce ? [codeBlock(deciding.reproduce, 'sh')] : []),
    ...counterexample(deciding),
  ];
  return parts.join('\n\n');
}

/** A cause in one line, for findings that do not fail the run. */
export function markdownBriefEntry(entry: CauseEntry): string {
  const { requirement } = entry.lead.finding;
  const also = (label: string, rest: CauseEntry['rest']) =>
    rest.length === 0 ? '' : `; ${label}: ${markdownIds(rest.map(({ finding }) => finding.requirement))}`;
  const same = entry.rest.filter(({ isProbable }) => !isProbable);
  const probable = entry.rest.filter(({ isProbable }) => isProbable);
  return `- ${markedId(requirement)}: ${codeSpan(brief(describeFault(entry)))}${also('same cause', same)}${also('probably the same cause', probable)}`;
}

/** A requirement in one line, for findings that do not fail the run. */
export function markdownBrief({ requirement, exchanges }: RequirementFinding, { note }: Gated): string {
  const { message, statement } = requirement;
  const exchange = exchanges.at(-1);
  const text = message ?? (exchange && formatExchangeResult(exchange)) ?? statement;
  return `- ${markedId(requirement)}: ${codeSpan(brief(text))}${note ? `; ${markdownProse(note)}` : ''}`;
}

/** An excused failure with a blocked check: the blocked check, then the failure. */
export function markdownPartlyBlocked({ finding, note, unjudged }: PartlyBlocked): string {
  const { message, statement } = finding.requirement;
  const { title } = unjudged;
  return [
    `Part of ${markedId(finding.requirement)} could not be judged, which no waiver or baseline covers: ${codeSpan(unjudged.message ?? title)}`,
    ...markdownAdvice(unjudged),
    `- **Waived or known failure:** ${codeSpan(brief(message ?? statement))}${note ? `; ${markdownProse(note)}` : ''}`,
  ].join('\n');
}

/** The hint of a check, causes and fixes, an item each. */
export function markdownAdvice(check: CheckResult | undefined, remediation?: string): string[] {
  return adviceLines(check, remediation).map(({ label, text }) => `- **${label}:** ${markdownProse(text)}`);
}

/** Ids of requirements, the first ones and how many more. */
export function markdownIds(requirements: readonly NamedRequirement[]): string {
  const rest = requirements.length - idsShown;
  return requirements.slice(0, idsShown).map(markedId).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** The id as code, with a mark for the integrator's own requirements. */
export function markedId({ id, own }: NamedRequirement): string {
  return `${codeSpan(id)}${own ? ` _(${ownLabel})_` : ''}`;
}

/** The transcript of the deciding call, if it connected. */
function callTranscript({ deciding, exchanges }: RequirementFinding): string[] {
  const exchange = exchanges.at(-1);
  if (!exchange?.call || !hasConnection(exchange)) return [];
  const lines = transcriptLines(exchange.call, breaksOf(deciding, exchange), createPaint(false), {
    indent: '',
    width: transcriptWidth,
  });
  return lines.length === 0 ? [] : [`Call transcript:\n\n${codeBlock(lines.join('\n'))}`];
}

function comparison(check: CheckResult | undefined): string | undefined {
  const { expected, received } = check ?? {};
  if (expected === undefined || received === undefined) return undefined;
  return `expected ${expected}\nreceived ${received}`;
}

function counterexample(check: CheckResult | undefined): string[] {
  const { counterexample: found } = check ?? {};
  if (!found) return [];
  const rows = found.differences
    .slice(0, differenceRows)
    .map(({ pointer, failing, accepted }) => `${pointer || '(whole)'}: ${failing}, accepted: ${accepted}`);
  const text = rows.length === 0 ? found.event : `${found.event}\n\n${rows.join('\n')}`;
  return [
    `<details><summary>Smallest failing ${labelCounterexample(found)}</summary>\n\n${codeBlock(text)}\n\n</details>`,
  ];
}

function brief(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}
