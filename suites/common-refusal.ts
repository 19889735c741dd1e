import type { Answer } from '../harness/wire/observation.ts';

/** Statuses by which servers refuse a request without regard to what its event contains. */
const refusing: readonly number[] = [401, 403, 404, 405, 410];

/** The part of a session that knows how long the run was stalled. */
interface Waiting {
  settings: { readonly preflightMs?: number };
  /** Milliseconds since a reading of `performance.now()` in which this process was stalled. */
  stalledMsSince: (from: number) => number;
}

/**
 * Sends these requests one after another: valid ones, then a forged one.
 *
 * @returns the status that all of them got, if it refuses; nothing further is sent after another answer, or a late one
 */
export async function commonRefusal(
  session: Waiting,
  requests: readonly (() => Promise<{ readonly answer: Answer }>)[],
): Promise<number | undefined> {
  let status: number | undefined;
  for (const send of requests) {
    const answer = await answerInTime(session, send());
    if (answer?.outcome !== 'answered' || !refusing.includes(answer.status)) return undefined;
    if ((status ??= answer.status) !== answer.status) return undefined;
  }
  return status;
}

/** The answer; `undefined` when the endpoint takes too long. The time in which this process was stalled does not count. */
async function answerInTime(
  { settings: { preflightMs = Infinity }, stalledMsSince }: Waiting,
  sent: Promise<{ readonly answer: Answer }>,
): Promise<Answer | undefined> {
  if (preflightMs === Infinity) return (await sent).answer;
  const from = performance.now();
  const late = Promise.withResolvers<undefined>();
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    const leftMs = preflightMs - (performance.now() - from - stalledMsSince(from));
    if (leftMs > 0) timer = setTimeout(wait, Math.ceil(leftMs));
    else late.resolve(undefined);
  };
  wait();
  try {
    return (await Promise.race([sent, late.promise]))?.answer;
  } finally {
    clearTimeout(timer);
  }
}
