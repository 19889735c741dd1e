import { formatMs } from '../format-ms.ts';
import type { CallEnd } from '../../harness/wire/observation.ts';
import type { Found, ProbeOutcome } from '../outcome.ts';
import { describeClose, fixForTooLarge, unexpectedEnd } from './call-end.ts';
import { minimalAspects } from './call-aspects.ts';
import type { PhoneCalls } from './phone-calls.ts';
import { smallestSet } from './smallest-set.ts';

/** First frames of other voice interfaces that an endpoint may expect. */
export const otherFirstFrames = ['setup', 'start', 'connected', 'session.start', 'session.created', 'init'] as const;

/** A type that no interface uses. */
const inventedType = 'x.first.frame';

type Typical = Record<string, unknown>;

/**
 * Explains a connection that closes at `session.started`: because of a value of the frame, because another first frame is
 * expected, or because of any frame.
 */
export async function findFirstFrame(calls: PhoneCalls, end: CallEnd, seen: string[]): Promise<ProbeOutcome> {
  seen.push(`After session.started the connection was closed ${describeClose(end)}.`);
  const staysUp = async (label: string, started: (typical: Typical) => Typical) => {
    const call = await calls.begin({ label, started });
    const isUp = call.isUp;
    await calls.end(call);
    return isUp;
  };
  const passed = ['The upgrade of a correctly signed call is answered with 101.'];
  const out = (found: Found): ProbeOutcome => ({ found, suspects: [], passed, seen, ends: true });

  const silent = await calls.dial({ label: 'a call in which nothing is said' });
  await silent.pass(calls.greetingMs);
  const staysSilent = silent.isUp;
  await silent.vanish('close');
  seen.push(`Without session.started it ${staysSilent ? 'stays up' : 'is also closed after a while'}.`);

  if (await staysUp('a call in which session.started comes once more', (typical) => typical)) {
    const why = 'A second call with the same first frame stayed up, so this happens only sometimes.';
    return { suspects: [{ id: 'phone/closed-at-session-started', why }], passed, seen };
  }
  const all = (aspects: typeof minimalAspects) => (typical: Typical) =>
    aspects.reduce((frame, { started }) => started?.(frame) ?? frame, typical);
  if (await staysUp('a call with a minimal first frame', all(minimalAspects))) {
    const needed = await smallestSet(minimalAspects, (part) =>
      staysUp('a call with a reduced first frame', all([...part])),
    );
    const [only] = needed;
    if (needed.length === 1 && only && (await staysUp('the same call once more', all([only])))) {
      seen.push(`It stays up in a call ${only.when}.`);
      return out({
        id: 'phone/session-value-not-handled',
        summary: `Your endpoint closes a call unless it is one ${only.when}.`,
      });
    }
    seen.push(`It stays up in a call ${needed.map(({ when }) => when).join(' and ')}.`);
    return out({
      id: 'phone/session-value-not-handled',
      summary: `Your endpoint closes a typical call, and stays up only in one ${needed.map(({ when }) => when).join(' and ')}.`,
    });
  }
  for (const type of [inventedType, ...otherFirstFrames]) {
    const call = await calls.begin({
      label: `a call that begins with "${type}"`,
      started: (typical) => ({ ...typical, type }),
    });
    if (!call.isUp) {
      await calls.end(call);
      continue;
    }
    // The endpoint may ignore an unknown frame: only an answer shows that a call has begun.
    const answer = await calls.ask(call);
    await calls.end(call);
    seen.push(
      `With "${type}" as the first frame it stays up, and a sentence is ${answer.firstPieceMs === null ? 'not ' : ''}answered.`,
    );
    if (answer.firstPieceMs !== null && !unexpectedEnd(call.observation)) {
      // An endpoint that answers after any first frame fails because of session.started.
      if (type === inventedType) break;
      return out({
        id: 'phone/other-first-frame',
        summary: `Your endpoint expects "${type}" as the first frame of a call, and closes the connection at session.started.`,
      });
    }
  }
  return out({
    id: 'phone/closed-at-session-started',
    summary: `Your endpoint closes the connection ${describeClose(end)} at session.started, ${formatMs(end.atMs)} after dialling, regardless of its content.`,
    ...fixForTooLarge(end),
  });
}
