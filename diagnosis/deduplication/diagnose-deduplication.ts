import { HarnessFault } from '../../harness/checks/faults.ts';
import type { Connection } from '../connection.ts';
import { emptyOutcome, type Failing, type Found, type ProbeOutcome, type Probe } from '../outcome.ts';
import { EventSender } from '../payload/event-sender.ts';
import { answeredWithData, findContactLock } from '../payload/find-contact-lock.ts';
import { DeduplicationProber } from './deduplication-prober.ts';
import { eventMaker, openEvent } from './event-maker.ts';
import { findUnrecognised, type DeduplicationFinding, type MakeEvent, type SentEvent } from './find-unrecognised.ts';
import { findFalseDuplicates } from './find-false-duplicates.ts';

/**
 * Determines how the endpoint recognises a repeated delivery: by `callbackUrl`, `X-Svc-Delivery-Id` or the id of a chat
 * event, as it should, by something else, or not at all (interface: CRM webhook events, API webhook events). Effects are
 * observed in the state at `observe`, in API v1, in callbacks and replies. The service never repeats a chat event, so a
 * chat is tested only for a failed check.
 */
export const diagnoseDeduplication: Probe = async (connection, failing) => {
  try {
    return await diagnose(connection, failing);
  } catch (error) {
    // The `observe` URL of the config does not work, so effects are unknown.
    if (!(error instanceof HarnessFault) || error.code !== 'observe-failed') throw error;
    return { ...emptyOutcome, seen: [error.message] };
  }
};

const noEffect =
  'No effect of a delivery was observed (in callbacks, at API v1 or at observe in the config), so it is unknown whether a repeated delivery has a second effect.';

const noCallback =
  'Events are answered 202, no callback for them arrived, and no other effect of a delivery was observed (at API v1 or at observe in the config), so it is unknown whether a repeated delivery has a second effect.';

/** Whether events of this type got 202, and none of them a callback, so that no effect is to be expected there. */
function isUnanswered({ isCallbackMissing, valid, callbackBoxes }: Connection, type: string): boolean {
  const boxes = callbackBoxes.filter((one) => one.type === type);
  return isCallbackMissing && valid.laterTypes.has(type) && boxes.every(({ box }) => box.arrivals.length === 0);
}

async function diagnose(connection: Connection, failing: Failing | undefined): Promise<ProbeOutcome> {
  if (connection.surface === 'own-ai-phone') return emptyOutcome;
  const prober = new DeduplicationProber(connection);
  if (connection.surface === 'own-ai-chat') {
    if (failing === undefined) return emptyOutcome;
    return outcomeOf(prober, await ofChat(prober), ['A repeated chat event has no second effect.']);
  }
  const locked = await findDroppedLookup(prober);
  if (locked) return outcomeOf(prober, { found: locked }, []);
  const maker = eventMaker(connection);
  const isObserved = connection.config.observe !== undefined || connection.session.inbox.apiEffects.after(0).length > 0;
  const types = isObserved ? maker.types : maker.types.filter((type) => !isUnanswered(connection, type));
  if (types.length === 0) return { ...emptyOutcome, seen: prober.seen, notObserved: [noCallback] };
  const sent: SentEvent[] = [];
  const type = await typeWithEffect(prober, types, (name) => openEvent(connection, maker.fresh(name)), sent);
  const open: MakeEvent = () => openEvent(connection, maker.fresh(type ?? types[0] ?? ''));
  const [first] = type === undefined ? sent : sent.slice(-1);
  const forgotten = await findUnrecognised(prober, open, { key: maker.key, first });
  if (forgotten?.found) return outcomeOf(prober, forgotten, []);
  if (type === undefined) {
    if (forgotten) return outcomeOf(prober, forgotten, []);
    return { ...emptyOutcome, seen: prober.seen, notObserved: [noEffect] };
  }
  const mixedUp = await findFalseDuplicates(prober, maker, type);
  return outcomeOf(prober, mixedUp?.found ? mixedUp : (forgotten ?? mixedUp), [
    `A repeated delivery with the same ${maker.key} has no second effect, sequentially and concurrently.`,
    `Different deliveries are distinguished even if everything else in them is the same.`,
  ]);
}

/** Tests whether a second lookup of one contact counts as a repetition: its answer lacks the data then. */
async function findDroppedLookup({ connection, seen }: DeduplicationProber): Promise<Found | undefined> {
  if (connection.surface !== 'crm-webhook') return undefined;
  const sender = new EventSender(connection);
  const lookup = { ...connection.session.sample.crmEvent('IncomingCallLookup') };
  const found = await findContactLock(sender, lookup, answeredWithData);
  seen.push(...sender.seen);
  return found;
}

/** The first of these types with a visible effect, which becomes the reference. Adds what it has sent to `sent`. */
async function typeWithEffect(
  prober: DeduplicationProber,
  types: readonly string[],
  open: (type: string) => ReturnType<MakeEvent>,
  sent: SentEvent[],
): Promise<string | undefined> {
  for (const type of types) {
    const made = open(type);
    const effects = await prober.send(`an event of type ${type}`, made);
    sent.push({ made, effects });
    if (!effects?.accepted || effects.growth.size === 0) continue;
    prober.reference = effects.growth;
    return type;
  }
  return undefined;
}

async function ofChat(prober: DeduplicationProber): Promise<DeduplicationFinding | undefined> {
  const { sample } = prober.connection.session;
  const sentence = prober.connection.config.stimuli.chat?.async;
  const open: MakeEvent = () => {
    const event = sample.messageReceived();
    const { data } = event;
    const message = sentence === undefined ? data.message : { ...data.message, text: sentence };
    return openEvent(prober.connection, { ...event, data: { ...data, message } });
  };
  const effects = await prober.send('a message', open());
  if (!effects?.accepted || effects.growth.size === 0) return undefined;
  prober.reference = effects.growth;
  return await findUnrecognised(prober, open, { key: 'id' });
}

function outcomeOf(
  prober: DeduplicationProber,
  finding: DeduplicationFinding | undefined,
  passed: readonly string[],
): ProbeOutcome {
  return {
    found: finding?.found,
    suspects: finding?.suspect ? [finding.suspect] : [],
    passed: finding || prober.reference.size === 0 ? [] : passed,
    seen: prober.seen,
  };
}
