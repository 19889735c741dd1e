import { forgedSignatures } from '../../harness/wire/forged-signatures.ts';
import { formatMs } from '../format-ms.ts';
import type { Connection } from '../connection.ts';
import type { ProbeOutcome, Suspect } from '../outcome.ts';
import { eventKinds, typicalEvent } from './event-kinds.ts';
import { findSlowerStill } from './find-slower-still.ts';
import type { Stopwatch, Measurement } from './stopwatch.ts';

/** Multiple of the usual timeout that distinguishes a late answer from none, and the maximum in milliseconds. */
const timeoutFactor = 3;
const longTimeoutMs = 20_000;
/** Milliseconds reserved for the steps after a long wait. */
const reservedMs = 2_000;

/** Explains two slow typical events in a row, and tests whether another kind of event is quicker. */
export async function findAlwaysSlow(
  connection: Connection,
  watch: Stopwatch,
  slow: readonly [Measurement, Measurement],
): Promise<ProbeOutcome> {
  const done = (found: ProbeOutcome['found'], suspects: readonly Suspect[] = []): ProbeOutcome => ({
    found,
    suspects,
    passed: [],
    seen: watch.seen,
  });
  const last = slow[1];
  const unended = slow.every(
    ({ observation: { answer } }) => answer.outcome === 'no-answer' && answer.status !== undefined,
  );
  if (unended) {
    const firstByte = last.firstByteMs === null ? 'immediately' : `after ${formatMs(last.firstByteMs)}`;
    return done({
      id: 'timing/answer-never-ends',
      summary: `The answer begins ${firstByte}, but does not end within ${formatMs(last.ms)}.`,
    });
  }
  const refused = await refusal(connection, watch);
  for (const { what, event, quicker } of eventKinds(connection)) {
    if (quicker === undefined) continue;
    const kind = await watch.take(what, event());
    if (kind.slow || !kind.accepted) continue;
    const usual = [await watch.take('a typical event', typicalEvent(connection))];
    const again = [await watch.take(what, event()), await watch.take(what, event())];
    usual.push(await watch.take('a typical event', typicalEvent(connection)));
    again.push(await watch.take(what, event()));
    if (again.every((one) => !one.slow) && usual.every((one) => one.slow)) {
      const text = `A typical event takes ${formatMs(last.ms)}, and ${what} takes ${formatMs(kind.ms)}; the limit is ${formatMs(watch.limitMs)}.`;
      return done({ id: quicker, summary: text });
    }
    return done(undefined, [{ id: 'timing/at-random', why: 'Equal events take different times.' }]);
  }
  const unanswered = slow.every(({ observation: { answer } }) => answer.outcome === 'no-answer');
  const timeoutMs = Math.min(longTimeoutMs, timeoutFactor * connection.timeoutMs, connection.remainingMs - reservedMs);
  let ms = last.ms;
  if (unanswered) {
    if (timeoutMs <= last.ms) {
      const why = `No answer arrived within ${formatMs(last.ms)}, and there was no time left to wait longer.`;
      return done(undefined, [
        { id: 'timing/always-slow', why },
        { id: 'timing/never-answers', why },
      ]);
    }
    const late = await watch.take('a typical event with a longer timeout', typicalEvent(connection), { timeoutMs });
    ms = late.ms;
    if (late.observation.answer.outcome === 'no-answer' && refused?.slow !== true) {
      return done({ id: 'timing/never-answers', summary: `No answer arrives, even within ${formatMs(ms)}.` });
    }
    if (isUnanswered(late) && refused && isUnanswered(refused)) {
      return done({ id: 'http/silent', summary: `No request is answered, valid or not, even within ${formatMs(ms)}.` });
    }
  }
  const growth = unanswered ? undefined : await findSlowerStill(connection, watch);
  // With random delays, several slow events in a row may occur by chance.
  const again = [...(growth?.usual ?? [])];
  while (again.length < 2 && connection.remainingMs > connection.timeoutMs + reservedMs) {
    again.push(await watch.take('a typical event, again', typicalEvent(connection)));
    if (again.at(-1)?.slow === false) break;
  }
  if (again.some(({ slow: isSlow }) => !isSlow))
    return done(undefined, [{ id: 'timing/at-random', why: 'One of several equal events was in time.' }]);
  const limit = formatMs(watch.limitMs);
  if (refused?.slow === true) {
    const text = `Even an event that is refused takes ${formatMs(refused.ms)}, so the time is lost before the event is processed; the limit is ${limit}.`;
    return done({ id: 'timing/slow-before-the-work', summary: text });
  }
  const compared = refused === undefined ? '' : `, while a refusal takes ${formatMs(refused.ms)}`;
  const text = `All events take about ${formatMs(ms)}${compared}; the limit is ${limit}.`;
  return done({ id: 'timing/always-slow', summary: text }, [...(growth?.suspects ?? []), ...unknownOnly(connection)]);
}

/** Not even a status arrived. */
function isUnanswered({ observation: { answer } }: Measurement): boolean {
  return answer.outcome === 'no-answer' && answer.status === undefined;
}

/** Measures a request with an invalid token or signature; `undefined` without a clear result. */
async function refusal(connection: Connection, watch: Stopwatch): Promise<Measurement | undefined> {
  const isCrm = connection.surface === 'crm-webhook';
  const take = () =>
    watch.take(`an event with an invalid ${isCrm ? 'token' : 'signature'}`, typicalEvent(connection), {
      change: (delivery) =>
        isCrm ? delivery.withHeader('Authorization', 'Bearer unknown') : forgedSignatures.emptySecret(delivery),
    });
  const first = await take();
  if (first.accepted) return undefined;
  // A slow refusal must be confirmed: the endpoint may delay single guesses.
  const second = first.slow ? await take() : first;
  return second.slow === first.slow ? second : undefined;
}

function unknownOnly({ surface, config }: Connection): Suspect[] {
  if (surface !== 'crm-webhook' || config.stimuli.knownCaller !== undefined) return [];
  return [
    {
      id: 'timing/slow-for-unknown-callers',
      why: 'All callers of this diagnosis are unknown to the endpoint; with stimuli.knownCaller in the config a known one is tried too.',
    },
  ];
}
