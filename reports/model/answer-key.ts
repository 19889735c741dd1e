import type { CallRecord, Exchange } from '../../specs/generated/types.ts';
import type { RequirementFinding } from './findings.ts';
import { hasConnection } from '../text/wording.ts';

/** Characters of a body within which answers must agree; what differs further on is mostly an id or a time. */
export const comparedCharacters = 80;

/**
 * Equal for findings of one surface that received the same answer; `undefined` where the answer tells nothing about
 * the cause. An acceptance (2xx, or a connection that came about) counts for failing refusals only, which it fails by
 * itself; any other requirement fails on what is in the answer, and one answer can have several faults. A call that the
 * AI ended before it said anything is one answer, whatever was asked.
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

/** The AI ended the call before it said anything. */
export function wasDropped({ frames, framesLeftOut, end }: CallRecord): boolean {
  return end?.by === 'ai' && framesLeftOut === 0 && frames.every(({ from }) => from === 'service');
}

/** The text with its times made equal: `after 12 ms` and `after 13 ms` say the same. */
export function withoutTimes(text: string): string {
  return text.replaceAll(/\d+(\.\d+)? m?s\b/g, 'n ms');
}
