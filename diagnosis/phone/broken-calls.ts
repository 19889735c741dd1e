import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import type { Found } from '../outcome.ts';
import { describeAnswer } from './describe-answer.ts';
import type { PhoneCalls } from './phone-calls.ts';

/** Milliseconds before a call is dialled again, so that a restarted process is up. */
const restartMs = 1_000;
/** Ways in which a caller's connection is lost unexpectedly. */
const ways = [
  { how: 'reset', words: 'is reset (TCP RST) in the middle of an answer', inAnswer: true },
  { how: 'end', words: 'ends without a close frame in the middle of an answer', inAnswer: true },
  { how: 'close', words: 'is closed without session.ended', inAnswer: false },
] as const;

/** Opens and closes a connection without a frame, as the agent test of the service does. */
export async function connectionTest(calls: PhoneCalls, seen: string[]): Promise<Found | undefined> {
  const call = await calls.dial({ label: 'a connection that is opened and closed' });
  await call.vanish('close');
  const after = await next(calls);
  if (after === undefined) return undefined;
  seen.push(`After a connection that was opened and closed, the next call got ${after}.`);
  return {
    id: 'phone/gone-after-connection-test',
    summary: `After a connection that is opened and closed without a frame, the next call gets ${after}.`,
  };
}

/**
 * Tests calls whose connection breaks. Only on request: an endpoint that does not survive one is down afterwards, for its
 * callers as well.
 */
export async function brokenCalls(calls: PhoneCalls, seen: string[]): Promise<Found | undefined> {
  const { long = calls.sentence } = calls.connection.config.stimuli.phone ?? {};
  for (const { how, words, inAnswer } of ways) {
    const call = await calls.begin({ label: `a call whose connection ${words}` });
    const asked = inAnswer ? call.speak(long) : undefined;
    if (asked !== undefined) await call.firstPiece(asked, calls.usualMs);
    await call.vanish(how);
    const after = await next(calls);
    if (after === undefined) continue;
    seen.push(`After a call whose connection ${words}, the next call got ${after}.`);
    return {
      id: 'phone/gone-after-broken-call',
      summary: `After a call whose connection ${words}, the next call gets ${after}.`,
    };
  }
  return undefined;
}

/** The answer to the next call if it is refused, also after a pause; `undefined` if it is accepted. */
async function next(calls: PhoneCalls): Promise<string | undefined> {
  for (const waitMs of [50, restartMs]) {
    await new Promise((wake) => setTimeout(wake, waitMs));
    const call = await calls.begin({ label: 'the next call', greetingMs: 0 });
    await calls.end(call);
    if (isConnected(call.observation.answer)) return undefined;
    if (waitMs === restartMs) return describeAnswer(call.observation.answer);
  }
  return undefined;
}
