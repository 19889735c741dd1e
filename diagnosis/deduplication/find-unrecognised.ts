import { setTimeout as sleep } from 'node:timers/promises';
import type { Observation } from '../../harness/wire/observation.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import type { PreparedEvent } from '../prepared-event.ts';
import type { Found, Suspect } from '../outcome.ts';
import { isAccepted, statusOf, type ObservedEffects } from './effects.ts';
import { answeredIds, type DeduplicationProber } from './deduplication-prober.ts';

/** Offset of the `t` of a redelivery in seconds, so that its signature differs. */
const resignedSeconds = -2;
/** Milliseconds after which an endpoint has stored the key of a delivery, even if it stores keys after its answer. */
const keptMs = 1_500;
/** Attempts to observe a race, and how many of them must succeed. */
const triesAtOnce = 3;
const seenAtOnce = 2;

/** The cause or suspicion of one test; neither when it passes. */
export interface DeduplicationFinding {
  found?: Found;
  suspect?: Suspect;
}

/** Makes an event of a type with a visible effect. */
export type MakeEvent = () => PreparedEvent;

/** An event that was sent, and its effects. */
export interface SentEvent {
  made: PreparedEvent;
  effects: ObservedEffects | undefined;
}

/**
 * Tests whether the endpoint recognises repeated deliveries. `key` is what should identify them; `first` is an event that was
 * sent before.
 */
export async function findUnrecognised(
  prober: DeduplicationProber,
  open: MakeEvent,
  { key, first: earlier }: { key: string; first?: SentEvent | undefined },
): Promise<DeduplicationFinding | undefined> {
  const one = earlier?.made ?? open();
  const first = earlier ? earlier.effects : await prober.send('an event', one);
  const again = await prober.send('the same event again', one, one.delivery.with({ offsetSeconds: resignedSeconds }));
  if (!first?.accepted || !again) return undefined;
  if (!again.accepted) return await duplicateRefused(prober, open, again);
  const withoutData = await answerNotRepeated(prober, open, first, again);
  if (withoutData) return withoutData;
  const withNewIds = await newIdsInAnswer(prober, open, first, again);
  if (withNewIds) return withNewIds;
  if (prober.reference.size === 0) return undefined;
  if (prober.repeated(again) !== 'no effect') return await explainSecondEffect(prober, open);
  return (await findRace(prober, open)) ?? (await suspectOtherKey(prober, open, key));
}

async function duplicateRefused(
  prober: DeduplicationProber,
  open: MakeEvent,
  again: ObservedEffects,
): Promise<DeduplicationFinding> {
  const status = statusOf(last(again));
  const shown = status === undefined ? 'gets no answer' : `is answered ${status}`;
  const one = open();
  const first = await prober.send('another event', one);
  const second = await prober.send('that event again', one);
  const id = 'deduplication/duplicate-refused';
  if (first?.accepted && second && !second.accepted) {
    return { found: { id, summary: `A repeated event ${shown}.` } };
  }
  return {
    suspect: {
      id,
      why: `One repeated event ${shown.replace('is', 'was').replace('gets', 'got')}, but another one was accepted.`,
    },
  };
}

/** The answer to a repeated event must equal the first answer, which may have been lost. */
async function answerNotRepeated(
  prober: DeduplicationProber,
  open: MakeEvent,
  first: ObservedEffects,
  again: ObservedEffects,
): Promise<DeduplicationFinding | undefined> {
  const isLost = (one: ObservedEffects, other: ObservedEffects) =>
    answeredIds(last(one)) !== undefined && answeredIds(last(other)) === undefined && statusOf(last(other)) !== 202;
  if (prober.connection.surface !== 'crm-webhook' || !isLost(first, again)) return undefined;
  const one = open();
  const other = await prober.send('another event', one);
  const otherAgain = await prober.send('that event again', one);
  const id = 'deduplication/answer-not-repeated';
  if (other && otherAgain && isAccepted(last(otherAgain)) && isLost(other, otherAgain)) {
    const text = `An event is answered with data; when repeated, it is answered with ${String(statusOf(last(again)))} and no data.`;
    return { found: { id, summary: text } };
  }
  return { suspect: { id, why: 'One repeated event was answered without the data of the first answer.' } };
}

/** An answer with another id to the same event means that a second contact or case was created. */
async function newIdsInAnswer(
  prober: DeduplicationProber,
  open: MakeEvent,
  first: ObservedEffects,
  again: ObservedEffects,
): Promise<DeduplicationFinding | undefined> {
  const isAnew = (one: ObservedEffects, other: ObservedEffects) => {
    const [before, after] = [answeredIds(last(one)), answeredIds(last(other))];
    return before !== undefined && after !== undefined && before !== after;
  };
  if (!isAnew(first, again)) return undefined;
  const one = open();
  const other = await prober.send('another event', one);
  const otherAgain = await prober.send('that event again', one);
  const id = 'deduplication/none';
  if (other && otherAgain && isAnew(other, otherAgain)) {
    const text = 'The endpoint does not recognise a repeated event: it answers with another contact or case number.';
    return { found: { id, summary: text } };
  }
  return { suspect: { id, why: 'One repeated event was answered with another number.' } };
}

/** Explains a second effect: nothing is recognised, only events in progress are, or only identical bytes are. */
async function explainSecondEffect(prober: DeduplicationProber, open: MakeEvent): Promise<DeduplicationFinding> {
  const { connection } = prober;
  if (connection.surface !== 'crm-webhook') {
    const one = open();
    const bytes = one.delivery.request(connection.url, Date.now());
    const frozen = { ...one, delivery: one.delivery.with({ write: () => signatureIn(bytes.headers) }) };
    const first = await prober.send('an event', frozen);
    const same = await prober.send('the same event again with the same signature', frozen);
    if (first?.accepted && same && prober.repeated(same) === 'no effect') {
      const resigned = await prober.send(
        'the same event again, signed anew',
        one,
        one.delivery.with({ offsetSeconds: resignedSeconds }),
      );
      if (resigned && prober.repeated(resigned) === 'the same effect')
        return { found: { id: 'deduplication/signature' } };
    }
  }
  const two = open();
  const together = await prober.send('an event twice at the same moment', two, two.delivery, two.delivery);
  await sleep(keptMs);
  const later = await prober.send('that event once more', two);
  if (!later || prober.repeated(later) !== 'the same effect') return await explainUnsteady(prober, open);
  // If two simultaneous deliveries have two effects, nothing is recognised.
  if (together && !prober.addedTwice(together)) return { found: { id: 'deduplication/only-while-at-work' } };
  return { found: { id: 'deduplication/none' } };
}

/**
 * Suspects that the endpoint recognises an event by more than its key: sends the same key with another body, and with
 * another time. The interface does not show whether a repetition may differ from the first delivery.
 */
async function suspectOtherKey(
  prober: DeduplicationProber,
  open: MakeEvent,
  key: string,
): Promise<DeduplicationFinding | undefined> {
  const spaced = ({ event, delivery }: PreparedEvent) =>
    delivery.withBody(Buffer.from(JSON.stringify(event, null, 1), 'utf8'));
  const later = ({ event, delivery }: PreparedEvent) => {
    const [name, time] =
      'timestampUtc' in event ? ['timestampUtc', event.timestampUtc] : ['createdAt', event.createdAt];
    const shifted = new Date(Date.parse(`${String(time)}Z`) + 1000).toISOString().slice(0, 19);
    return delivery.withBody(Buffer.from(JSON.stringify({ ...event, [name]: shifted }), 'utf8'));
  };
  const variants = [
    ['deduplication/body', spaced, ' with different white space in its body'],
    ['deduplication/timestamp', later, ' with a different time in its body'],
  ] as const;
  const unchanged = ({ delivery }: PreparedEvent) => delivery.with({ offsetSeconds: resignedSeconds });
  const repeat = async (what: string, change: (one: PreparedEvent) => SignedDelivery, afterMs = 0) => {
    const one = open();
    const first = await prober.send('an event', one);
    await sleep(afterMs);
    const again = await prober.send(`the same event again${what}`, one, change(one));
    return first?.accepted && again?.accepted ? prober.repeated(again) : 'unclear';
  };
  for (const [id, change, what] of variants) {
    if ((await repeat(what, change)) !== 'the same effect') continue;
    const isNotRecognised = (await repeat(what, change, keptMs)) === 'the same effect';
    // The control: at the same distance in time, the endpoint recognises the unchanged body.
    if (isNotRecognised && (await repeat('', unchanged, keptMs)) === 'no effect') {
      const why = `An event with the same ${key} had a second effect${what}; the unchanged event had none. The interface does not show whether a repetition may differ.`;
      return { suspect: { id, why } };
    }
    return await explainUnsteady(prober, open);
  }
  return undefined;
}

/** Explains a repeated event that has a second effect only sometimes: its key may be stored too late. */
async function explainUnsteady(prober: DeduplicationProber, open: MakeEvent): Promise<DeduplicationFinding> {
  const why = 'A repeated event had a second effect once, and none another time.';
  return (await findRace(prober, open)) ?? { suspect: { id: 'deduplication/none', why } };
}

/** Sends the same event twice simultaneously, since concurrent workers may both treat it as new. */
async function findRace(prober: DeduplicationProber, open: MakeEvent): Promise<DeduplicationFinding | undefined> {
  let seen = 0;
  for (let tries = 1; tries <= triesAtOnce; tries++) {
    const one = open();
    const together = await prober.send('an event twice at the same moment', one, one.delivery, one.delivery);
    if (together && prober.addedTwice(together)) seen++;
    else if (seen === 0) return undefined;
    if (seen === seenAtOnce) return { found: { id: 'deduplication/at-once' } };
  }
  return {
    suspect: {
      id: 'deduplication/at-once',
      why: `Two simultaneous deliveries of one event had two effects, ${seen} of ${triesAtOnce} times.`,
    },
  };
}

function last({ observations }: ObservedEffects): Observation {
  const observation = observations.at(-1);
  if (!observation) throw new RangeError('expected at least one delivery');
  return observation;
}

function signatureIn(headers: readonly (readonly [string, string])[]): string | undefined {
  return headers.find(([name]) => name === 'X-Svc-Signature')?.[1];
}
