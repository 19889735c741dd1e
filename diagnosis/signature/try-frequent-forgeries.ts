import { forgedSignatures } from '../../harness/wire/forged-signatures.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { limits } from '../../specs/limits.ts';
import type { Connection } from '../connection.ts';
import type { ProbeOutcome } from '../outcome.ts';
import { describeReception, draft, offer, type Offer } from './reception.ts';
import { invalidValue } from './judge-refusals.ts';
import { edgeMarginSeconds } from './window-edges.ts';

interface Forgery {
  label: string;
  spoil: (valid: SignedDelivery) => SignedDelivery;
  /** Only the value of the signature is invalid. */
  isOfValue?: true;
  /** Only t is invalid. */
  isOfTime?: true;
  /** Of a ping, which some endpoints do not verify. */
  asPing?: true;
}

const outsideSeconds = limits.signatureToleranceSeconds + edgeMarginSeconds;

/** One of each frequent kind; the invalid value is one that an empty secret explains. What accepts only others is left to a whole diagnosis. */
const forgeries: readonly Forgery[] = [
  { label: invalidValue, spoil: forgedSignatures.emptySecret, isOfValue: true },
  { label: `${invalidValue}, of a ping`, spoil: forgedSignatures.emptySecret, isOfValue: true, asPing: true },
  { label: 'without X-Svc-Signature', spoil: forgedSignatures.noHeader },
  { label: 'without the last characters of v1', spoil: forgedSignatures.shortV1 },
  {
    label: `signed ${outsideSeconds} s ago`,
    spoil: (valid) => valid.with({ offsetSeconds: -outsideSeconds }),
    isOfTime: true,
  },
];

/** Age in seconds of the valid signature that is the control: it also shows a limit that is too tight. */
const insideSeconds = limits.signatureToleranceSeconds - edgeMarginSeconds;

const notTried =
  'Only the most frequent kinds of invalid signatures were sent, because a problem was found before. Not sent, for example: an empty or unreadable signature, one without t or v1, one with a t in the future, and the signature of another body. Repeat the diagnosis after the fix.';

const notJudged =
  'Whether invalid signatures are refused could not be judged: a valid one after them was not accepted either.';

/** What the most frequent invalid signatures show. */
export interface BriefRefusals {
  isAccepted: boolean;
  /** Of those that were sent, only the one with an old t is accepted, or only the one of a ping. */
  isOnlyTime: boolean;
  isOnlyPing: boolean;
  /** Number of those that were sent if all of them are accepted; otherwise 0. */
  acceptedInRow: number;
  /** A valid signature is refused at an age within the tolerance. */
  isTight: boolean;
  outcome: ProbeOutcome;
}

/**
 * Sends the most frequent invalid signatures, where the cause of a failure is known already, and then a valid one: only an
 * endpoint that accepts it has judged them. Deliveries are sent at once: their answers do not depend on each other.
 */
export async function tryFrequentForgeries(connection: Connection): Promise<BriefRefusals> {
  const isCall = connection.surface === 'own-ai-phone';
  const noun = isCall ? 'call' : 'delivery';
  const send = async ({ label, spoil, asPing }: Forgery) =>
    await offer(connection, `a ${noun} ${label}`, spoil(draft(connection, { asPing: asPing === true })));
  const { forgedTypes } = connection.valid;
  const known = forgeries.filter(
    ({ isOfValue, asPing }) => isOfValue && [...forgedTypes].some((type) => (type === 'ping') === (asPing === true)),
  );
  const sent = forgeries.filter((one) => !known.includes(one) && (!one.asPing || connection.surface === 'own-ai-chat'));
  const offers: Offer[] = [];
  // An AI may handle one call at a time.
  if (isCall) for (const forgery of sent) offers.push(await send(forgery));
  else offers.push(...(await Promise.all(sent.map(send))));
  const refused = offers.filter(({ reception }) => reception === 'refused');
  const accepted = sent.filter((_, at) => ['accepted', 'refused-with-2xx'].includes(offers[at]?.reception ?? ''));
  const valid = `a ${noun} with the valid signature`;
  const sendAged = async () =>
    await offer(
      connection,
      `${valid} of ${insideSeconds} s ago, after them`,
      draft(connection).with({ offsetSeconds: -insideSeconds }),
    );
  const aged = await sendAged();
  const controls = [aged];
  let isTight = false;
  if (aged.reception !== 'accepted' && aged.reception !== 'throttled') {
    const fresh = await offer(connection, `${valid}, after them`);
    controls.push(fresh);
    if (fresh.reception === 'accepted') {
      const again = await sendAged();
      controls.push(again);
      isTight = again.reception !== 'accepted';
    }
  }
  const isJudged = refused.length > 0 && controls.some(({ reception }) => reception === 'accepted');
  const passed = `Refused: ${refused.length + known.length} of ${offers.length + known.length} kinds of invalid signatures that were sent.`;
  return {
    isAccepted: accepted.length > 0,
    isOnlyTime: accepted.length > 0 && accepted.every(({ isOfTime }) => isOfTime),
    isTight: isJudged && isTight,
    acceptedInRow: offers.every(({ reception }) => reception === 'accepted') ? offers.length : 0,
    isOnlyPing: accepted.length > 0 && accepted.every(({ asPing }) => asPing),
    outcome: {
      suspects: [],
      passed: isJudged ? [passed] : [],
      seen: [...offers, ...controls].map((one) => `A ${one.label.slice(2)}: ${describeReception(one)}.`),
      notObserved: isJudged ? [notTried] : [notJudged, notTried],
    },
  };
}
