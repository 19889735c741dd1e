import type { CallObservation } from '../../harness/wire/observation.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import type { Outcome, Probe } from '../outcome.ts';
import { describeAnswer } from './describe-answer.ts';
import { formatTime } from './call-end.ts';
import { PhoneCalls } from './phone-calls.ts';
import { explainSlowness, isSlowSetUp, setUpMs } from './slow-set-up.ts';

/** Subprotocols that servers of voice bots, and tutorials of WebSocket libraries, ask for. */
const subprotocols = ['json', 'chat', 'voice', 'v1', 'realtime', 'websocket', 'echo-protocol', 'graphql-ws'] as const;

/** The status of whoever misses a right signature; nothing else is tried then. */
const unauthorized = 401;

/** What the WebSocket library says of an answer that chooses a subprotocol which nobody offered. */
const unaskedSubprotocol = /sent a subprotocol but none was requested/i;

/**
 * Why the upgrade of a correctly signed call is refused, beside the signature: what a browser sends and the service does
 * not (`Origin`), or a subprotocol. Asks nothing more when the upgrade is taken.
 */
export const diagnoseUpgrade: Probe = async (connection) => {
  await using calls = new PhoneCalls(connection);
  const plain = await dial(calls, 'a plain call');
  if (isConnected(plain.answer)) {
    // What is this late would be taken for a refusal by whoever waits no longer than the service does.
    if (isSlowSetUp(plain)) {
      const seen = [`A call came about in ${formatTime(setUpMs(plain))}.`];
      return { ...(await explainSlowness(calls, plain, seen)), ends: true };
    }
    return { suspects: [], passed: ['A correctly signed call is taken.'], seen: [] };
  }
  const { found, ends: _, ...outcome } = await explainRefusal(calls, plain);
  // What is left may be the signature, which others look at next.
  return found ? { ...outcome, found, ends: true } : outcome;
};

/** The same for a call that was refused already. */
export async function explainRefusal(calls: PhoneCalls, refused: CallObservation): Promise<Outcome> {
  const { url } = calls.connection;
  const seen = [`A correctly signed call got ${describeAnswer(refused.answer)}.`];
  if (refused.answer.outcome === 'malformed' && unaskedSubprotocol.test(refused.answer.detail)) {
    return { found: { id: 'phone/subprotocol-unasked' }, suspects: [], passed: [], seen, ends: true };
  }
  const isElsewhere = refused.answer.outcome !== 'answered' || refused.answer.status === unauthorized;
  if (isElsewhere) return { suspects: [], passed: [], seen, ends: true };
  const { origin } = new URL(url.replace(/^ws/, 'http'));
  const tries = [
    { id: 'phone/origin-wanted', what: `an Origin header (${origin})`, name: 'Origin', value: origin },
    {
      id: 'phone/subprotocol-wanted',
      what: 'a list of subprotocols',
      name: 'Sec-WebSocket-Protocol',
      value: subprotocols.join(', '),
    },
  ] as const;
  for (const { id, what, name, value } of tries) {
    const changed = (upgrade: SignedDelivery) => upgrade.withHeader(name, value);
    const first = await dial(calls, `a call with ${what}`, changed);
    seen.push(`The same with ${what} got ${describeAnswer(first.answer)}.`);
    if (!isTaken(first)) continue;
    const without = await dial(calls, 'a plain call once more');
    const again = await dial(calls, `a call with ${what} once more`, changed);
    seen.push(
      `Once more it got ${describeAnswer(without.answer)} without ${what}, and ${describeAnswer(again.answer)} with it.`,
    );
    if (isTaken(without) || !isTaken(again)) continue;
    return { found: { id }, suspects: [], passed: [], seen, ends: true };
  }
  return { suspects: [], passed: [], seen, ends: true };
}

/** The server has taken the upgrade, also where it then chose a subprotocol that our side does not speak. */
function isTaken({ answer }: CallObservation): boolean {
  return isConnected(answer) || (answer.outcome === 'malformed' && unaskedSubprotocol.test(answer.detail));
}

async function dial(
  calls: PhoneCalls,
  label: string,
  change: (upgrade: SignedDelivery) => SignedDelivery = (upgrade) => upgrade,
): Promise<CallObservation> {
  const upgrade = change(calls.connection.session.phone.upgrade());
  const call = await calls.dial({ label, upgrade });
  // Hung up before anything is said: no session has begun.
  await call.vanish('close');
  return call.observation;
}
