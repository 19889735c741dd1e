import type { Answer, Answered, Observation } from '../harness/observation.ts';
import { notRead, type Unread } from './judgement.ts';
import { unreadBody } from './json-object.ts';
import { answerText } from './matchers/describe-answer.ts';

/**
 * The complete answer with one of these statuses, or why it is not known what it contains: its status had come and the
 * rest had not. `undefined` for every other answer.
 */
export function answerWith(answer: Answer, ...statuses: number[]): Answered | Unread | undefined {
  if (answer.outcome === 'answered') return statuses.includes(answer.status) ? answer : undefined;
  const hasStatus = 'status' in answer && answer.status !== undefined && statuses.includes(answer.status);
  return hasStatus ? { unread: answerText(answer) } : undefined;
}

/** The body of a complete answer with this status as far as rules about its contents can rest on it. */
export function bodyWith(answer: Answer, status: number): { body: Uint8Array } | Unread | undefined {
  const found = answerWith(answer, status);
  return found === undefined || 'unread' in found ? found : (unreadBody(found) ?? found);
}

/** Ends the check with the fault `not-read` where these answers, or parts of them, are not known. */
export function requireRead(observations: readonly Observation[], status: number): void {
  for (const observation of observations) {
    const read = bodyWith(observation.answer, status);
    if (read && 'unread' in read) throw notRead(read.unread, observation);
  }
}
