import type { Exchange, Report } from '../../specs/generated/types.ts';
import { answerKey, comparedCharacters, wasDropped } from './answer-key.ts';
import type { RequirementFinding } from './requirement-finding.ts';
import { gatedFindings } from './gate-status.ts';
import { formatCallEnd, hasConnection } from '../text/wording.ts';

/** Failures of one surface that received the same answer. */
export interface SameCause {
  readonly surface: string;
  /** The answer in short. Contains outside text. */
  readonly answer: string;
  /** The one to fix first: the first that fails the run, else the first in reading order. */
  readonly lead: RequirementFinding;
  /** The others, in reading order. */
  readonly rest: readonly RequirementFinding[];
}

/** The cause that a finding probably shares with others, if any. */
export type CauseOf = (finding: RequirementFinding) => SameCause | undefined;

/** The least number of failures with one answer that indicates a common cause. */
const likelyFrom = 4;

/** Finds failures that probably have the same cause, by comparing the answers. */
export function sameCauses(report: Report): CauseOf {
  const failing = gatedFindings(report).map(({ finding }) => finding);
  const causes = new Map<string, SameCause>();
  for (const [key, [lead, ...rest]] of Map.groupBy(failing, answerKey)) {
    const exchange = lead?.exchanges.at(-1);
    if (key === undefined || !lead || !exchange || rest.length + 1 < likelyFrom) continue;
    causes.set(key, { surface: lead.requirement.surface, answer: describeAnswer(exchange), lead, rest });
  }
  return (finding) => causes.get(answerKey(finding) ?? '');
}

function describeAnswer(exchange: Exchange): string {
  const { outcome, response, detail, call } = exchange;
  if (outcome !== 'answered' || !response) return detail ?? outcome;
  if (call && hasConnection(exchange)) {
    return wasDropped(call) ? `${formatCallEnd(call)} before it said anything` : 'the call connected';
  }
  const { status, body } = response;
  if (body === '') return `status ${status} without a body`;
  return `status ${status} with ${body.length > comparedCharacters ? `${body.slice(0, comparedCharacters)}…` : body}`;
}
