import { forgedSignatures } from '../../harness/wire/forged-signatures.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { limits } from '../../specs/limits.ts';
import type { Connection } from '../connection.ts';
import type { ProbeOutcome } from '../outcome.ts';
import { describeReception, draft, offer, type Offer } from './reception.ts';
import { invalidValue, type Refusal } from './judge-refusals.ts';
import { edgeMarginSeconds } from './window-edges.ts';

interface Forgery {
  label: string;
  /** Requirements without the surface: if a run has met all of them, this one is skipped. */
  slugs: readonly string[];
  spoil: (valid: SignedDelivery) => SignedDelivery;
  /** Only the value of the signature is invalid. */
  isOfValue?: true;
  /** Only t is invalid. */
  isOfTime?: true;
}

const outsideSeconds = limits.signatureToleranceSeconds + edgeMarginSeconds;

/** One of each frequent kind; the invalid value is one that an empty secret explains. */
const forgeries: readonly Forgery[] = [
  { label: invalidValue, slugs: ['refuses-other-secret'], spoil: forgedSignatures.emptySecret, isOfValue: true },
  {
    label: 'without X-Svc-Signature',
    slugs: ['refuses-missing-signature'],
    spoil: forgedSignatures.noHeader,
  },
  { label: 'without the last characters of v1', slugs: ['refuses-short-v1'], spoil: forgedSignatures.shortV1 },
  {
    label: `signed ${outsideSeconds} s ago`,
    slugs: ['refuses-stale-timestamp'],
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
export interface FrequentForgeries {
  isAccepted: boolean;
  /** Of those that were sent, only the one with an old t is accepted. */
  isOnlyTime: boolean;
  /** Number of those that were sent if all of them are accepted; otherwise 0. */
  acceptedInRow: number;
  /** A valid signature is refused at an age within the tolerance. */
  isTight: boolean;
  /** They were signatures of pings, which cost nothing. */
  asPing: boolean;
  /** A ping with an invalid value is accepted. */
  isPingUnverified: boolean;
  refusals: readonly Refusal[];
  /** Whether a valid signature is accepted with a t this many seconds off. */
  times: ReadonlyMap<number, boolean>;
  outcome: ProbeOutcome;
}

/**
 * Sends the most frequent invalid signatures, and then a valid one: only an endpoint that accepts it has judged them. On
 * the chat, they are those of pings, and of messages where pings are not verified. Deliveries are sent at once: their
 * answers do not depend on each other.
 */
export async function tryFrequentForgeries(connection: Connection): Promise<FrequentForgeries> {
  const isCall = connection.surface === 'own-ai-phone';
  const noun = isCall ? 'call' : 'delivery';
  let asPing = connection.surface === 'own-ai-chat' && connection.valid.acceptedTypes.has('ping');
  const send = async ({ label, spoil }: Forgery) =>
    await offer(connection, `a ${noun} ${label}${asPing ? ', of a ping' : ''}`, spoil(draft(connection, { asPing })));
  const sendAll = async (some: readonly Forgery[]) => {
    // An AI may handle one call at a time.
    if (!isCall) return await Promise.all(some.map(send));
    const offers: Offer[] = [];
    for (const forgery of some) offers.push(await send(forgery));
    return offers;
  };
  const isKnown = connection.valid.isForgeryRefused;
  const open = forgeries.filter(({ isOfValue, slugs }) => (isOfValue ? !isKnown : !connection.meets(slugs)));
  let sent = open;
  let offers = await sendAll(sent);
  const ofPings = asPing ? offers : [];
  const isPingUnverified = asPing && areUnverified(open, offers);
  if (isPingUnverified) {
    asPing = false;
    const [first, ...others] = open;
    const ofFirst = first ? await sendAll([first]) : [];
    // Where messages are not verified either, all of them are accepted.
    const isSame = ofFirst.every(({ reception }) => reception === 'accepted');
    sent = isSame ? open.slice(0, 1) : open;
    offers = isSame ? ofFirst : [...ofFirst, ...(await sendAll(others))];
  }
  const accepted = sent.filter((_, at) => ['accepted', 'refused-with-2xx'].includes(offers[at]?.reception ?? ''));
  const refused = offers.filter(({ reception }) => reception === 'refused');
  const valid = `a ${noun} with the valid signature`;
  const sendAged = async () =>
    await offer(
      connection,
      `${valid} of ${insideSeconds} s ago, after them`,
      draft(connection, { asPing }).with({ offsetSeconds: -insideSeconds }),
    );
  // An endpoint that accepts an invalid one refuses for no other reason; a whole examination has its own controls.
  const aged = accepted.length === 0 ? await sendAged() : undefined;
  const controls: Offer[] = aged ? [aged] : [];
  let isTight = false;
  if (aged && aged.reception !== 'accepted' && aged.reception !== 'throttled') {
    const fresh = await offer(connection, `${valid}, after them`, draft(connection, { asPing }));
    controls.push(fresh);
    if (fresh.reception === 'accepted') {
      const again = await sendAged();
      controls.push(again);
      isTight = again.reception !== 'accepted';
    }
  }
  const isJudged = refused.length > 0 && [...offers, ...controls].some(({ reception }) => reception === 'accepted');
  const known = isKnown ? 1 : 0;
  const passed = `Refused: ${refused.length + known} of ${sent.length + known} kinds of invalid signatures that were sent.`;
  const times = new Map<number, boolean>();
  if (isJudged && aged?.reception === 'accepted') times.set(-insideSeconds, true);
  for (const [at, { isOfTime }] of sent.entries())
    if (isJudged && isOfTime) times.set(-outsideSeconds, offers[at]?.reception === 'accepted');
  const allOffers = [...(isPingUnverified ? ofPings : []), ...offers];
  const isEachAccepted = allOffers.every(({ reception }) => reception === 'accepted');
  return {
    isAccepted: accepted.length > 0,
    isOnlyTime: accepted.length > 0 && accepted.every(({ isOfTime }) => isOfTime),
    isTight: isJudged && isTight,
    acceptedInRow: isEachAccepted ? allOffers.length : 0,
    asPing,
    isPingUnverified,
    refusals: sent.flatMap((forgery, at): Refusal[] => {
      const offered = offers[at];
      const isRefusal = offered !== undefined && !accepted.includes(forgery);
      return isRefusal ? [{ ...forgery, offered, again: async () => await send(forgery) }] : [];
    }),
    times,
    outcome: {
      suspects: [],
      passed: isJudged ? [passed] : [],
      seen: [...allOffers, ...controls].map((one) => `A ${one.label.slice(2)}: ${describeReception(one)}.`),
      notObserved: isJudged ? [notTried] : [notJudged, notTried],
    },
  };
}

/** Whether these were accepted whatever the value of the signature is. */
function areUnverified(sent: readonly Forgery[], offers: readonly Offer[]): boolean {
  const accepted = sent.filter((_, at) => offers[at]?.reception === 'accepted');
  return accepted.some(({ isOfValue }) => isOfValue) || (sent.length > 1 && accepted.length === sent.length);
}
