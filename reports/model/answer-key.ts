import type { CallRecord, CheckResult, Exchange } from '../../specs/generated/types.ts';
import type { RequirementFinding } from './requirement-finding.ts';
import { hasConnection } from '../text/wording.ts';

/** Characters at the start of a body that are compared; later differences are mostly ids or times. */
export const comparedCharacters = 80;

/**
 * Equal for findings of one surface that received the same answer; `undefined` when the answer does not indicate the
 * cause. An acceptance (2xx, or an established call) counts only for failed refusals; other requirements fail on the
 * content of the answer, which can have several faults. Calls that the AI ended before it said anything are equal.
 */
export function answerKey({ requirement, exchanges }: RequirementFinding): string | undefined {
  const exchange = exchanges.at(-1);
  if (exchange === undefined || exchange.kind === 'callback' || exchange.kind === 'api') return undefined;
  const { outcome, response, detail } = exchange;
  if (outcome !== 'answered' || !response) {
    return JSON.stringify([requirement.surface, outcome, detail && withoutTimes(detail)]);
  }
  const accepted = hasConnection(exchange) || (response.status >= 200 && response.status < 300);
  const wasToRefuse = requirement.verdict === 'fail' && requirement.id.includes('/refuses-');
  if (accepted && !wasToRefuse) return droppedKey(requirement.surface, exchange);
  return JSON.stringify([requirement.surface, response.status, response.body.slice(0, comparedCharacters)]);
}

function droppedKey(surface: string, { call }: Exchange): string | undefined {
  return call && wasDropped(call) ? JSON.stringify([surface, 'dropped', call.end?.code, call.end?.reason]) : undefined;
}

/** Whether a further check of a requirement received the answer that decided. */
export function receivedSameAnswer(finding: RequirementFinding, check: CheckResult): boolean {
  const key = answerKey(finding);
  const last = finding.evidenceOf(check).at(-1);
  return key !== undefined && last !== undefined && key === answerKey({ ...finding, exchanges: [last] });
}

/** The AI ended the call before it said anything. */
export function wasDropped({ frames, framesOmitted, end }: CallRecord): boolean {
  return end?.by === 'ai' && framesOmitted === 0 && frames.every(({ from }) => from === 'service');
}

/** Replaces durations, so that `after 12 ms` and `after 13 ms` are equal. */
export function withoutTimes(text: string): string {
  return text.replaceAll(/\d+(\.\d+)? m?s\b/g, 'n ms');
}
