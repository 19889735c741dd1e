import type { Answer } from '../harness/wire/observation.ts';

/** Statuses by which servers refuse a request without regard to what its event contains. */
const refusing: readonly number[] = [401, 403, 404, 405, 410];

/**
 * Sends these requests one after another: valid ones, then a forged one.
 *
 * @returns the status that all of them got, if it refuses; nothing further is sent after another answer
 */
export async function refusedAlike(
  requests: readonly (() => Promise<{ readonly answer: Answer }>)[],
): Promise<number | undefined> {
  let status: number | undefined;
  for (const send of requests) {
    const { answer } = await send();
    if (answer.outcome !== 'answered' || !refusing.includes(answer.status)) return undefined;
    if ((status ??= answer.status) !== answer.status) return undefined;
  }
  return status;
}
