import { forgedSignatures } from '../../harness/wire/forged-signatures.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { limits } from '../../specs/limits.ts';
import type { Connection } from '../connection.ts';
import type { ProbeOptions, ProbeOutcome } from '../outcome.ts';
import { describeReception, draft, offer, type Offer } from './reception.ts';
import { invalidValue, type Refusal } from './judge-refusals.ts';
import { edgeMarginSeconds } from './window-edges.ts';

interface Forgery {
  label: string;
  spoil: (valid: SignedDelivery) => SignedDelivery;
  /** Requirements without the surface: if a run has met all of them, this one is skipped. */
  slugs: readonly string[];
  /** Only t is invalid. */
  isOfTime?: true;
}

const outsideSeconds = limits.signatureToleranceSeconds + edgeMarginSeconds;

/** A value that an empty secret explains. */
const ofValue: Forgery = { label: invalidValue, spoil: forgedSignatures.emptySecret, slugs: [] };
/** One of each other frequent kind. */
const others: readonly Forgery[] = [
  { label: 'without X-Svc-Signature', spoil: forgedSignatures.noHeader, slugs: ['refuses-missing-signature'] },
  { label: 'without the last characters of v1', spoil: forgedSignatures.shortV1, slugs: ['refuses-short-v1'] },
  {
    label: `signed ${outsideSeconds} s ago`,
    spoil: (valid) => valid.with({ offsetSeconds: -outsideSeconds }),
    slugs: ['refuses-stale-timestamp'],
    isOfTime: true,
  },
];

/** Age in seconds of the valid signature that is the control: it also shows a limit that is too tight. */
const insideSeconds = limits.signatureToleranceSeconds - edgeMarginSeconds;

const notTried =
  'Only the most frequent kinds of invalid signatures were sent, because a problem was found or is suspected. Not sent, for example: an empty or unreadable signature, one without t or v1, one with a t in the future, and the signature of another body. Repeat the diagnosis after the fix.';

const notJudged =
  'Whether invalid signatures are refused could not be judged: a valid one after them was not accepted either.';

/** What the most frequent invalid signatures show. */
export interface FrequentForgeries {
  /** The labels of those that are accepted. */
  accepted: readonly string[];
  /** Only the one with an old t is accepted. */
  isOnlyTime: boolean;
  /** At least one is answered with a 2xx whose body reports a refusal. */
  isRefusedWith2xx: boolean;
  /** Number of those that were sent if all of them are accepted; otherwise 0. */
  acceptedInRow: number;
  /** A valid signature is refused at an age within the tolerance. */
  isTight: boolean;
  /** Those of other kinds than the value were signatures of pings, which cost nothing. */
  asPing: boolean;
  /** Pings with an invalid signature are accepted. */
  isPingUnverified: boolean;
  refusals: readonly Refusal[];
  /** Whether a valid signature is accepted with a t this many seconds off. */
  times: ReadonlyMap<number, boolean>;
  outcome: ProbeOutcome;
}

/** Sends the invalid signatures of one endpoint. */
class Sender {
  readonly sent: { forgery: Forgery; offered: Offer; asPing: boolean }[] = [];
  readonly #connection: Connection;
  readonly #isAtOnce: boolean;

  constructor(connection: Connection, { isBrief }: ProbeOptions) {
    this.#connection = connection;
    // An AI may handle one call at a time. In a whole examination, it must be clear which request stopped the endpoint.
    this.#isAtOnce = isBrief === true && connection.surface !== 'own-ai-phone';
  }

  async offer(label: string, asPing: boolean, spoil: Forgery['spoil'] = (valid) => valid): Promise<Offer> {
    const noun = this.#connection.surface === 'own-ai-phone' ? 'call' : 'delivery';
    return await offer(
      this.#connection,
      `a ${noun} ${label}${asPing ? ', of a ping' : ''}`,
      spoil(draft(this.#connection, { asPing })),
    );
  }

  async send(forgery: Forgery, asPing: boolean): Promise<Offer> {
    const offered = await this.offer(forgery.label, asPing, forgery.spoil);
    this.sent.push({ forgery, offered, asPing });
    return offered;
  }

  async sendAll(some: readonly (readonly [Forgery, boolean])[]): Promise<void> {
    if (this.#isAtOnce) await Promise.all(some.map(async ([forgery, asPing]) => await this.send(forgery, asPing)));
    else for (const [forgery, asPing] of some) await this.send(forgery, asPing);
  }
}

/**
 * Sends the most frequent invalid signatures, and then a valid one: only an endpoint that accepts it has judged them. On
 * the chat, all of them except an invalid value are those of pings, unless pings are not verified. With `isBrief`, an
 * invalid value comes as a message only, and not again if it was refused before.
 */
export async function tryFrequentForgeries(
  connection: Connection,
  { isBrief = false }: ProbeOptions = {},
): Promise<FrequentForgeries> {
  const sender = new Sender(connection, { isBrief });
  const mayPing = connection.surface === 'own-ai-chat' && (await acceptsPings(sender, connection, isBrief));
  const isKnown = isBrief && connection.valid.isForgeryRefused;
  const open = others.filter(({ slugs }) => !connection.meets(slugs));
  await sender.sendAll([
    ...(isKnown ? [] : [[ofValue, false] as const]),
    ...(mayPing && !isBrief ? [[ofValue, true] as const] : []),
    ...open.map((forgery) => [forgery, mayPing] as const),
  ]);
  const isPingUnverified = mayPing && (await isUnverified(sender));
  const isAccepted = ({ offered }: { offered: Offer }) => offered.reception === 'accepted';
  // In a brief look, what is accepted of a ping counts only if it is accepted of a message: pings may be verified less.
  const doubtful = sender.sent.filter((one) => one.asPing && isBrief && isAccepted(one));
  const again = isPingUnverified ? open : doubtful.map(({ forgery }) => forgery);
  await sender.sendAll(again.map((forgery) => [forgery, false] as const));
  const judged = sender.sent.filter(
    (one) => !one.asPing || (!isPingUnverified && one.forgery !== ofValue && !doubtful.includes(one)),
  );
  const accepted = judged.filter(isAccepted);
  const asPing = mayPing && !isPingUnverified;
  // An endpoint that accepts an invalid one refuses for no other reason; a whole examination has its own controls.
  const { controls, isTight } =
    accepted.length === 0 ? await control(sender, asPing) : { controls: [], isTight: false };
  const refused = judged.filter(({ offered: { reception } }) => reception === 'refused' || reception === 'closed');
  const isControlled = controls.length === 0 || controls.some(({ reception }) => reception === 'accepted');
  const isJudged = refused.length + (isKnown ? 1 : 0) > 0 && isControlled;
  const times = new Map<number, boolean>();
  for (const { forgery, ...one } of judged)
    if (forgery.isOfTime && isJudged) times.set(-outsideSeconds, isAccepted(one));
  if (controls[0]?.reception === 'accepted') times.set(-insideSeconds, true);
  const known = isKnown ? 1 : 0;
  const passed = `Refused: ${refused.length + known} of ${judged.length + known} kinds of invalid signatures that were sent.`;
  return {
    accepted: accepted.map(({ forgery }) => forgery.label),
    isOnlyTime: accepted.length > 0 && accepted.every(({ forgery }) => forgery.isOfTime),
    isRefusedWith2xx: judged.some(({ offered }) => offered.reception === 'refused-with-2xx'),
    acceptedInRow: accepted.length === judged.length ? accepted.filter((one) => !one.asPing).length : 0,
    isTight: isJudged && isTight,
    asPing,
    isPingUnverified,
    refusals: judged
      .filter((one) => !isAccepted(one))
      .map(({ forgery, offered, asPing }) => ({
        label: forgery.label,
        spoil: forgery.spoil,
        offered,
        again: async () => await sender.offer(forgery.label, asPing, forgery.spoil),
      })),
    times,
    outcome: {
      suspects: [],
      passed: isJudged ? [passed] : [],
      seen: [...sender.sent.map(({ offered }) => offered), ...controls].map(
        (one) => `A ${one.label.slice(2)}: ${describeReception(one)}.`,
      ),
      notObserved: isControlled ? [notTried] : [notJudged, notTried],
    },
  };
}

/** Whether a valid ping was accepted; in a whole examination, one is sent if none was. */
async function acceptsPings(sender: Sender, { valid }: Connection, isBrief: boolean): Promise<boolean> {
  if (isBrief || valid.acceptedTypes.has('ping')) return valid.acceptedTypes.has('ping');
  return (await sender.offer('with the valid signature', true)).reception === 'accepted';
}

/**
 * Whether pings are accepted whatever their signature is: those of all kinds, or one with an invalid value twice, if such
 * a ping was sent.
 */
async function isUnverified(sender: Sender): Promise<boolean> {
  const pings = sender.sent.filter(({ asPing }) => asPing);
  const accepted = pings.filter(({ offered }) => offered.reception === 'accepted');
  if (accepted.length === pings.length && pings.length > 1) return true;
  const isOfValue = accepted.some(({ forgery }) => forgery === ofValue);
  return isOfValue && (await sender.send(ofValue, true)).reception === 'accepted';
}

/** A valid signature as old as the tolerance permits, and a fresh one where that one is refused. */
async function control(sender: Sender, asPing: boolean): Promise<{ controls: Offer[]; isTight: boolean }> {
  const label = 'with the valid signature';
  const old: Forgery['spoil'] = (valid) => valid.with({ offsetSeconds: -insideSeconds });
  const sendAged = async () => await sender.offer(`${label} of ${insideSeconds} s ago, after them`, asPing, old);
  const aged = await sendAged();
  if (aged.reception === 'accepted' || aged.reception === 'throttled') return { controls: [aged], isTight: false };
  const fresh = await sender.offer(`${label}, after them`, asPing);
  if (fresh.reception !== 'accepted') return { controls: [aged, fresh], isTight: false };
  const again = await sendAged();
  return { controls: [aged, fresh, again], isTight: again.reception !== 'accepted' };
}
