import type { Call } from '../../harness/wire/call.ts';
import type { Found } from '../outcome.ts';
import { unexpectedEnd, describeClose } from './call-end.ts';
import type { PhoneCalls } from './phone-calls.ts';

/** Milliseconds of silence in which a silent caller would hear the answer to another one. */
const listenMs = 250;
/** Milliseconds after a new call within which another one closed because of it. */
const atOnceMs = 600;
/** Words that do not occur in ordinary answers, one for each of two callers. */
const names = ['Quetzalcoatl', 'Rumpelstiltskin'] as const;

type Mixing = 'another' | 'all' | 'words' | 'ends' | 'apart' | 'one-only';

/** Tests whether concurrent calls are kept apart. `one-only`: the endpoint accepts one call at a time. */
export async function severalCalls(calls: PhoneCalls, seen: string[]): Promise<Found | 'one-only' | undefined> {
  const { contact } = calls.session();
  const sameContact = (typical: Record<string, unknown>) => ({ ...typical, contact });
  const how = await mixing(calls, sameContact, seen);
  if (how.mixing === 'apart') return undefined;
  if (how.mixing === 'one-only') return 'one-only';
  const again = await mixing(calls, sameContact, seen);
  if (again.mixing !== how.mixing) return undefined;
  if (how.mixing === 'another' || how.mixing === 'all') {
    const apart = await mixing(calls, (typical) => typical, seen);
    seen.push(`With different contacts the calls are ${apart.mixing === 'apart' ? 'kept apart' : 'mixed up as well'}.`);
    if (apart.mixing === 'apart') return { id: 'phone/calls-kept-by-contact' };
  }
  switch (how.mixing) {
    case 'another':
      return { id: 'phone/answers-to-another-call' };
    case 'all':
      return { id: 'phone/answers-to-all-calls' };
    case 'words':
      return { id: 'phone/words-of-another-call' };
    case 'ends':
      return {
        id: 'phone/second-call-ends-first',
        summary: `Your endpoint closes a call ${again.code ?? ''} when the next one arrives.`,
      };
  }
}

/** Two concurrent calls: one speaks while the other is silent, each way, then both speak simultaneously. */
async function mixing(
  calls: PhoneCalls,
  started: (typical: Record<string, unknown>) => Record<string, unknown>,
  seen: string[],
): Promise<{ mixing: Mixing; code?: string }> {
  const open: Call[] = [];
  try {
    const first = await calls.begin({ label: 'the first of two concurrent calls', started });
    open.push(first);
    const second = await calls.begin({ label: 'the second of two concurrent calls', started });
    open.push(second);
    if (!second.isUp) {
      const isRefused = second.observation.answer.outcome === 'answered';
      const how = isRefused ? 'refused' : 'not answered in time';
      seen.push(`While one call was active, a second one was ${how}.`);
      return { mixing: 'one-only' };
    }
    if (!first.isUp) {
      await first.end();
      const end = unexpectedEnd(first.observation);
      const between = first.observation.at + (end?.atMs ?? 0) - second.observation.at;
      if (between > atOnceMs) return { mixing: 'one-only' };
      seen.push('When the second call arrived, the first one was closed.');
      return end ? { mixing: 'ends', code: describeClose(end) } : { mixing: 'one-only' };
    }
    // The earlier one speaks first: an endpoint that keeps only one connection usually keeps the latest.
    for (const [speaking, silent] of [
      [first, second],
      [second, first],
    ] as const) {
      const since = silent.length;
      const asked = speaking.speak(calls.sentence);
      await Promise.race([speaking.firstPiece(asked, calls.usualMs), silent.firstPiece(since - 1, calls.usualMs)]);
      await Promise.all([speaking.settle(listenMs), silent.settle(listenMs)]);
      const own = speaking.heardSince(asked);
      const foreign = silent.heardSince(since - 1);
      // An AI may prompt a silent caller: only the answer itself, or its absence for the speaker, is conclusive.
      if (foreign !== '' && own === '') return { mixing: recordMixing(seen, 'another') };
      if (foreign !== '' && (own.includes(foreign) || foreign.includes(own)))
        return { mixing: recordMixing(seen, 'all') };
    }
    const both = open.map(async (call, at) => {
      const answer = await calls.ask(call, `My name is ${names[at]}. What is my name?`);
      return answer.text;
    });
    const heard = await Promise.all(both);
    const foreign = heard.some((text, at) => text.includes(names[1 - at] ?? '-'));
    return { mixing: foreign ? recordMixing(seen, 'words') : 'apart' };
  } finally {
    for (const call of open) await calls.end(call);
  }
}

const mixingEvidence = {
  another: 'With two concurrent calls the answer to one caller went to the other, and the first caller heard nothing.',
  all: 'With two concurrent calls the answer to one caller went to the other as well.',
  words: 'With two concurrent calls a caller heard a name that only the other one had said.',
};

function recordMixing(seen: string[], what: keyof typeof mixingEvidence): Mixing {
  seen.push(mixingEvidence[what]);
  return what;
}
