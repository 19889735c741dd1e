import type { Exchange, Report } from '../../specs/generated/types.ts';
import { answerKey, comparedCharacters, wasDropped } from './answer-key.ts';
import type { RequirementFinding } from './findings.ts';
import { gatedFindings } from './gate-status.ts';
import { formatCallEnd, hasConnection } from '../text/wording.ts';

/** Failures of one surface that received one and the same answer. */
export interface SameCause {
  readonly surface: string;
  /** The answer in a few words; holds outside text as it is. */
  readonly answer: string;
  /** The first of them that fails the run, else the first at all, in reading order: the one to fix first. */
  readonly lead: RequirementFinding;
  /** The others, in reading order. */
  readonly rest: readonly RequirementFinding[];
}

/** The cause that a finding probably shares with others; `undefined` when it stands alone. */
export type CauseOf = (finding: RequirementFinding) => SameCause | undefined;

/** Failures with one answer from which a common cause is more likely than chance. */
const likelyFrom = 4;

/** Finds the failures of a report that probably have one cause. Nothing but the answers is compared. */
export function sameCauses(report: Report): CauseOf {
  const failing = gatedFindings(report).map(({ finding }) => finding);
  const causes = new Map<string, SameCause>();
  for (const [key, [lead, ...rest]] of Map.groupBy(failing, answerKey)) {
    const exchange = lead?.exchanges.at(-1);
    if (key === undefined || !lead || !exchange || rest.length + 1 < likelyFrom) continue;
    causes.set(key, { surface: lead.requirement.surface, answer: answerWords(exchange), lead, rest });
  }
  return (finding) => causes.get(answerKey(finding) ?? '');
}

function answerWords(exchange: Exchange): string {
  const { outcome, response, detail, call } = exchange;
  if (outcome !== 'answered' || !response) return detail ?? outcome;
  if (call && hasConnection(exchange)) {
    return wasDropped(call) ? `${formatCallEnd(call)} before it said anything` : 'the connection came about';
  }
  const { status, body } = response;
  if (body === '') return `status ${status} without a body`;
  return `status ${status} with ${body.length > comparedCharacters ? `${body.slice(0, comparedCharacters)}…` : body}`;
}
