import { formatMs } from '../format-ms.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import type { ProbeOutcome, Probe } from '../outcome.ts';
import { describeAnswer } from './describe-answer.ts';
import { PhoneCalls } from './phone-calls.ts';
import { explainSlowness, isSlowSetUp, setUpMs } from './slow-set-up.ts';

/** Common subprotocols of voice bots and of WebSocket tutorials. */
const subprotocols = ['json', 'chat', 'voice', 'v1', 'realtime', 'websocket', 'echo-protocol', 'graphql-ws'] as const;

/** The status for a missing or invalid signature; nothing else is tried then. */
const unauthorized = 401;

/** Message of the WebSocket library for a subprotocol that was not offered. */
const unaskedSubprotocol = /sent a subprotocol but none was requested/i;

/**
 * Finds reasons other than the signature for refusing the upgrade of a correctly signed call: a missing `Origin` header,
 * which only browsers send, or a missing subprotocol. Ends if the upgrade is accepted.
 */
export const diagnoseUpgrade: Probe = async (connection) => {
  await using calls = new PhoneCalls(connection);
  const plain = await dial(calls, 'a plain call');
  if (isConnected(plain.answer)) {
    // Such a late answer looks like a refusal to a client with the timeout of the service.
    if (isSlowSetUp(plain)) {
      const seen = [`Call connected in ${formatMs(setUpMs(plain))}.`];
      return { ...(await explainSlowness(calls, plain, seen)), ends: true };
    }
    return { suspects: [], passed: ['A correctly signed call is accepted.'], seen: [] };
  }
  const { found, ends: _, ...outcome } = await explainRefusal(calls, plain);
  // The signature remains as a possible cause, which the next probe tests.
  return found ? { ...outcome, found, ends: true } : outcome;
};

/** Explains a call that has already been refused. */
export async function explainRefusal(calls: PhoneCalls, refused: CallObservation): Promise<ProbeOutcome> {
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
    if (!isAccepted(first)) continue;
    const without = await dial(calls, 'a plain call once more');
    const again = await dial(calls, `a call with ${what} once more`, changed);
    seen.push(
      `Once more it got ${describeAnswer(without.answer)} without ${what}, and ${describeAnswer(again.answer)} with it.`,
    );
    if (isAccepted(without) || !isAccepted(again)) continue;
    return { found: { id }, suspects: [], passed: [], seen, ends: true };
  }
  return { suspects: [], passed: [], seen, ends: true };
}

/** Whether the server accepts the upgrade, even with a subprotocol that was not offered. */
function isAccepted({ answer }: CallObservation): boolean {
  return isConnected(answer) || (answer.outcome === 'malformed' && unaskedSubprotocol.test(answer.detail));
}

async function dial(
  calls: PhoneCalls,
  label: string,
  change: (upgrade: SignedDelivery) => SignedDelivery = (upgrade) => upgrade,
): Promise<CallObservation> {
  const upgrade = change(calls.connection.session.phone.upgrade());
  const call = await calls.dial({ label, upgrade });
  // Closed before the first frame: no session has begun.
  await call.vanish('close');
  return call.observation;
}
