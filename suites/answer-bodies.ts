import type { Answer, Answered, Observation } from '../harness/wire/observation.ts';
import type { Unread } from './judgement.ts';
import { notReadFault } from './not-read-fault.ts';
import { unreadBody } from './json-object.ts';
import { describeAnswer } from './matchers/describe-answer.ts';

/** One answer to be judged, or why its content is unknown. */
export type JudgedAnswer<Exchange extends Observation> = { exchange: Exchange } & ({ body: Answered } | Unread);

/** The answers with this status. The content of an incomplete one is unknown. */
export function answersWith<Exchange extends Observation>(
  status: number,
  observations: readonly Exchange[],
): JudgedAnswer<Exchange>[] {
  return observations.flatMap((exchange): JudgedAnswer<Exchange>[] => {
    const { answer } = exchange;
    if (!('status' in answer) || answer.status !== status) return [];
    return [{ exchange, ...(answer.outcome === 'answered' ? { body: answer } : { unread: describeAnswer(answer) }) }];
  });
}

/** The body of an answer with this status, or why rules about its content cannot judge it. */
export function bodyWith(status: number, answer: Answer): { body: Uint8Array } | Unread | undefined {
  if (!('status' in answer) || answer.status !== status) return undefined;
  return answer.outcome === 'answered' ? (unreadBody(answer) ?? answer) : { unread: describeAnswer(answer) };
}

/** Ends the check with the fault `not-read` where the content of one of these answers is unknown. */
export function requireRead(status: number, observations: readonly Observation[]): void {
  for (const observation of observations) {
    const read = bodyWith(status, observation.answer);
    if (read && 'unread' in read) throw notReadFault(read.unread, observation);
  }
}
