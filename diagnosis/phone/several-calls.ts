import type { Call } from '../../harness/wire/call.ts';
import type { Found } from '../outcome.ts';
import { brokeOff, describeClose } from './call-end.ts';
import type { PhoneCalls } from './phone-calls.ts';

/** Milliseconds without a word in which a caller who says nothing would hear what belongs to another. */
const listenMs = 250;
/** Milliseconds after a call came in within which another one went down because of it. */
const atOnceMs = 600;
/** Words that occur in no ordinary answer; one for each of two callers. */
const names = ['Quetzalcoatl', 'Rumpelstiltskin'] as const;

type Mixing = 'another' | 'all' | 'words' | 'ends' | 'apart' | 'one-only';

/** Whether two calls at once are kept apart. `one-only`: the endpoint takes one call at a time, and says so. */
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
    seen.push(
      `With two callers who are different contacts the calls are ${apart.mixing === 'apart' ? 'kept apart' : 'mixed up too'}.`,
    );
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
        summary: `Your endpoint closes a call ${again.code ?? ''} when the next one comes in.`,
      };
  }
}

/** Two calls at once: first one speaks and the other one is silent, each way, then both speak at the same time. */
async function mixing(
  calls: PhoneCalls,
  started: (typical: Record<string, unknown>) => Record<string, unknown>,
  seen: string[],
): Promise<{ mixing: Mixing; code?: string }> {
  const held: Call[] = [];
  try {
    const first = await calls.begin({ label: 'the first of two calls at once', started });
    held.push(first);
    const second = await calls.begin({ label: 'the second of two calls at once', started });
    held.push(second);
    if (!second.isUp) {
      seen.push('While one call went on, a second one was not taken.');
      return { mixing: 'one-only' };
    }
    if (!first.isUp) {
      await first.end();
      const end = brokeOff(first.observation);
      const between = first.observation.startedAt.getTime() + (end?.atMs ?? 0) - second.observation.startedAt.getTime();
      if (between > atOnceMs) return { mixing: 'one-only' };
      seen.push('When the second call came in, the first one was closed.');
      return end ? { mixing: 'ends', code: describeClose(end) } : { mixing: 'one-only' };
    }
    // The earlier one speaks first: whoever keeps one connection for all mostly keeps the latest.
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
      // An AI may ask a silent caller whether anybody is there: only the answer itself tells, or what the speaker lacks.
      if (foreign !== '' && own === '') return { mixing: told(seen, 'another') };
      if (foreign !== '' && (own.includes(foreign) || foreign.includes(own))) return { mixing: told(seen, 'all') };
    }
    const both = held.map(async (call, at) => {
      const answer = await calls.ask(call, `My name is ${names[at]}. What is my name?`);
      return answer.text;
    });
    const heard = await Promise.all(both);
    const foreign = heard.some((text, at) => text.includes(names[1 - at] ?? '-'));
    return { mixing: foreign ? told(seen, 'words') : 'apart' };
  } finally {
    for (const call of held) await calls.end(call);
  }
}

const seenWords = {
  another: 'With two calls at once the answer to one caller came to the other, and the one who asked heard nothing.',
  all: 'With two calls at once the answer to one caller came to the other as well.',
  words: 'With two calls at once a caller heard a name that only the other one had said.',
};

function told(seen: string[], what: keyof typeof seenWords): Mixing {
  seen.push(seenWords[what]);
  return what;
}
