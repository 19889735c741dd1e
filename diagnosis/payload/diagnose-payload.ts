import { payloadTooLarge } from '../../harness/wire/answer-status.ts';
import { isGatewayStatus } from '../gateway-status.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { unknownCaller } from '../../harness/checks/samples.ts';
import { legacyEventTypes } from '../../specs/crm-event-types.ts';
import { longTimeoutMs, type Connection } from '../connection.ts';
import type { Failing, Found, ProbeOutcome, Probe } from '../outcome.ts';
import { bodySize } from './body-size.ts';
import { refusedTypes } from './refused-types.ts';
import { probeFor } from '../probe-for.ts';
import { findContactLock } from './find-contact-lock.ts';
import { likeliestPart } from './likeliest-part.ts';
import { findCauses, type PayloadCauses } from './find-causes.ts';
import { EventSender, type EventReception } from './event-sender.ts';
import { eventGroups, type EventGroup, type EventPack, type Varied } from './event-groups.ts';
import type { JsonObject } from '../../specs/json-value.ts';

const otherTypes =
  'Events of every type were not sent, because a problem was found before; repeat the diagnosis after the fix.';
/** Further refusals after which an endpoint that accepted events refuses all of them. */
const timesRefused = 4;
const stopped = 'From some event on, the endpoint rejects every event.';

/**
 * Finds the field or value that makes an event fail: sends plain events, then rich ones, and reduces refused events towards
 * accepted ones until one difference remains, which is then named. A known failing event comes first.
 */
export const diagnosePayload: Probe = async (connection, failing) => {
  const sender = new EventSender(connection);
  const { seen } = sender;
  const groups = eventGroups(connection);
  const [main] = groups;
  if (!main) return { suspects: [], passed: [], seen };
  // Where such an event was accepted just before, a plain one is needed only as the control of a refused one.
  const isKnown = ({ base }: EventGroup) => failing === undefined && sender.hasAccepted(base);
  if (!isKnown(main)) {
    const plain = await sender.send(main.base, { label: 'a plain event' });
    seen.push(`A plain event is answered with ${plain.words}.`);
    if (plain.status === 401) return { suspects: [], passed: [], seen };
    if (!plain.ok)
      return (await lockOutcome(sender, main.base)) ?? (await withoutPlain(sender, main, plain, connection));
  }
  // Where plain events are slow, one that is not answered in time is slower: the timing probe judges that.
  const isSlow = sender.isSlow;
  const causes: PayloadCauses = { suspects: [] };
  const passed: string[] = ['A plain event is accepted.'];
  const given = failingEvent(failing, main.base, connection);
  if (given !== undefined) {
    const { ok, status } = await sender.send(given, { label: 'the failing event' });
    seen.push(`The failing event ${ok ? 'is accepted now' : 'fails again'}.`);
    const refused = ok ? [] : [{ has: 'the failing event', event: given, status }];
    merge(causes, await findCauses(sender, main.base, refused, { isAsked: true }));
    if (causes.found) return { ...causes, passed, seen };
  }
  // The content of other events does not explain a failure that is not about content.
  if (failing && probeFor(failing.requirement) !== 'payload') return { ...causes, passed, seen };
  for (const [at, group] of groups.entries()) {
    const hasControl = !isKnown(group);
    const label = 'a plain event about an appointment';
    const packs = await sendAll(sender, group.packs, { passed, isSlow });
    if (packs.length === 0) continue;
    if (at > 0 && hasControl && !(await sender.send(group.base, { label })).ok) continue;
    const refusedNow = await refusedPlain(sender, group, timesPlain(packs, group));
    if (refusedNow) return await plainRefusedOutcome(sender, group, refusedNow, passed);
    const refused: Varied[] = [];
    for (const pack of packs) refused.push(...(await refusedPart(sender, pack, group.base, { passed, isSlow })), pack);
    const ofGroup = await findCauses(sender, group.base, refused, { isOther: failing !== undefined });
    const refusedSince = ofGroup.isUnstable ? await refusedPlain(sender, group, 2) : undefined;
    if (refusedSince) return await plainRefusedOutcome(sender, group, refusedSince, passed);
    merge(causes, ofGroup);
  }
  if (causes.found) return { ...causes, passed, seen, notObserved: [otherTypes] };
  const types = await refusedTypes(sender);
  // Signatures that are valid for less than a second are refused whatever the type.
  const control =
    types.found.length > 0 ? await sender.send(main.base, { label: 'a plain event, after the others' }) : undefined;
  if (control?.ok === false) return atRandom(control, passed, seen);
  for (const found of types.found) mergeFound(causes, found);
  return { ...causes, passed: [...passed, ...types.passed], seen };
};

/**
 * How often a plain event is sent again after these were refused: all parts have its contact, which may be why they are
 * refused, and instances that take turns refuse every second one. With 413 for all of them, the reason is known.
 */
function timesPlain(refused: readonly EventPack[], { packs }: EventGroup): number {
  if (refused.length < 2 || refused.every(({ status }) => status === payloadTooLarge)) return 0;
  // Two after a majority, so that two instances do not each get the same kind.
  return refused.length * 2 >= packs.length ? 2 : 1;
}

/** The first refusal of a plain event that was accepted before, if there is one. */
async function refusedPlain(
  sender: EventSender,
  { base }: EventGroup,
  times: number,
): Promise<EventReception | undefined> {
  for (const label of ['the plain event, again', 'the plain event, a third time'].slice(0, times)) {
    const again = await sender.send(base, { label });
    if (!again.ok) return again;
  }
  return undefined;
}

/** The outcome if a plain event that was accepted before is refused: a lock, a limit, or chance. */
async function plainRefusedOutcome(
  sender: EventSender,
  { base }: EventGroup,
  refusal: EventReception,
  passed: readonly string[],
): Promise<ProbeOutcome> {
  const explained = (await lockOutcome(sender, base)) ?? (await stoppedOutcome(sender, base, refusal));
  return explained ?? atRandom(refusal, passed, sender.seen);
}

/** The first variation in a pack that is refused alone; empty if the pack has only one, or none is. */
async function refusedPart(
  sender: EventSender,
  { parts, event }: EventPack,
  base: JsonObject,
  notes: { passed: string[]; isSlow: boolean },
): Promise<Varied[]> {
  const several = parts.length > 1 ? parts : [];
  for (const { has, ...part } of several.slice(0, 1)) {
    const likeliest = likeliestPart({ failing: part.event, accepted: base }, sender.connection.surface);
    const reception = likeliest && (await sender.send(likeliest, { label: `a part of ${has}` }));
    if (likeliest && reception?.ok === false)
      return [{ has, event: likeliest, status: reception.status, whole: event }];
  }
  for (const part of several) {
    const refused = await sendAll(sender, [{ ...part, parts: [part] }], notes);
    if (refused.length > 0) return refused.map((one) => ({ ...one, whole: event }));
  }
  return [];
}

/** The outcome if every event is refused from some event on. Only the statuses of gateways indicate a limit. */
async function stoppedOutcome(
  sender: EventSender,
  base: JsonObject,
  { status, words }: EventReception,
): Promise<ProbeOutcome | undefined> {
  if (status === undefined || status < 500) return undefined;
  for (let times = 0; times < timesRefused; times++) {
    if ((await sender.send(base, { label: 'the plain event, once more' })).status !== status) return undefined;
  }
  const { lastAccepted, firstRefused } = sender;
  const why = `Events were accepted up to ${lastAccepted}; from ${firstRefused} on, every event, whatever its content, was answered with ${words}.`;
  const outcome = { passed: [], seen: sender.seen, ends: true } as const;
  if (!isGatewayStatus(status)) return { ...outcome, suspects: [{ id: 'payload/at-random', summary: stopped, why }] };
  return {
    ...outcome,
    suspects: [
      { id: 'http/rate-limited', why: `${why} Many proxies answer so when a limit is exceeded.` },
      { id: 'http/gateway', why },
    ],
  };
}

/** The outcome if equal events are accepted and refused. */
function atRandom({ words }: EventReception, passed: readonly string[], seen: readonly string[]): ProbeOutcome {
  const why = `Equal events were accepted at one time and answered with ${words} at another.`;
  return { suspects: [{ id: 'payload/at-random', why }], passed, seen };
}

/**
 * The outcome if only the first event of each contact is accepted: then no event says anything about its content. Valid
 * requests are handled, so other failures have other causes.
 */
async function lockOutcome(sender: EventSender, base: JsonObject): Promise<ProbeOutcome | undefined> {
  const found = await findContactLock(sender, base);
  return found && { found, suspects: [], passed: [], seen: sender.seen };
}

/** Sends these events, at once where the endpoint is slow, and returns those that are refused. */
async function sendAll(
  sender: EventSender,
  varied: readonly EventPack[],
  { passed, isSlow }: { passed: string[]; isSlow: boolean },
): Promise<EventPack[]> {
  const refused: EventPack[] = [];
  const send = async ({ has, event }: Varied) => await sender.send(event, { label: `an event with ${has}` });
  const early = sender.isSlow ? await Promise.all(varied.map(send)) : [];
  for (const [at, one] of varied.entries()) {
    // A concurrent event may have failed because of the others, so it is sent again alone.
    const before = early[at];
    let reception = before?.ok ? before : await send(one);
    if (isSlow && reception.answer.outcome === 'no-answer') {
      if (sender.connection.remainingMs < 2 * longTimeoutMs) continue;
      reception = await sendPatiently(sender, one);
    }
    if (reception.ok) passed.push(...one.parts.map(({ has }) => `Accepted: an event with ${has}.`));
    else {
      refused.push({ ...one, status: reception.status });
      sender.seen.push(`An event with ${one.has} is answered with ${reception.words}.`);
    }
  }
  return refused;
}

/** Sends an event with a longer timeout: a late answer is a matter of the timing probe, a missing one is a refusal. */
async function sendPatiently(sender: EventSender, { has, event }: Varied): Promise<EventReception> {
  const label = `an event with ${has}, with a longer timeout`;
  const reception = await sender.send(event, { label, timeoutMs: longTimeoutMs });
  if (reception.ok) sender.seen.push(`An event with ${has} is answered late, with ${reception.words}.`);
  return reception;
}

/** If even a plain event is refused, an accepted one shows what the plain one lacks. */
async function withoutPlain(
  sender: EventSender,
  { base, packs }: EventGroup,
  plain: EventReception,
  { surface, session, valid }: Connection,
): Promise<ProbeOutcome> {
  const { seen } = sender;
  if ((await sender.send(base, { label: 'a plain event, again' })).ok) {
    seen.push('The same event is accepted when it is sent again, so its content is not the cause.');
    return atRandom(plain, [], seen);
  }
  const refusal = await refusedByStatus(sender, base, plain);
  if (refusal) return { found: refusal, suspects: [], passed: [], seen, ends: true };
  // Small events first: they are the likeliest to be accepted.
  const varied = packs
    .flatMap(({ parts }) => parts)
    .toSorted((one, other) => bytesOf(one.event) - bytesOf(other.event));
  for (const { has, event } of [...shortest(base), ...varied]) {
    if (!(await sender.send(event, { label: `an event with ${has}` })).ok) continue;
    seen.push(`An event with ${has} is accepted.`);
    const causes = await findCauses(sender, event, [{ has: 'a plain event', event: base }]);
    return { ...causes, passed: [`Accepted: an event with ${has}.`], seen };
  }
  if (surface === 'crm-webhook') {
    const byType = await withoutLookups(sender, base, plain);
    if (byType) return byType;
  }
  const why = `All ${varied.length + 1} events, plain and rich, were refused; the plain one with ${plain.words}.`;
  if (surface !== 'own-ai-chat')
    return { suspects: [{ id: 'payload/every-event', why }], passed: [], seen, ends: true };
  const ping = await sender.send({ ...session.sample.ping() }, { label: 'a ping' });
  if (!ping.ok) return { suspects: [{ id: 'payload/every-event', why }], passed: [], seen, ends: true };
  if (valid.acceptedTypes.has('message.received')) {
    const since = `Messages were accepted before. ${why} The ping is accepted.`;
    return { suspects: [{ id: 'payload/at-random', summary: stopped, why: since }], passed: [], seen, ends: true };
  }
  const text = `The ping is accepted, but every message is answered with ${plain.words}, regardless of its content.`;
  return {
    found: { id: 'payload/every-message', summary: text },
    suspects: [],
    passed: ['A ping is accepted.'],
    seen,
    ends: true,
  };
}

/** A cause that the status states, whatever the content. */
async function refusedByStatus(
  sender: EventSender,
  base: JsonObject,
  plain: EventReception,
): Promise<Found | undefined> {
  const { surface, session } = sender.connection;
  if (surface !== 'own-ai-chat') return undefined;
  const ping = { ...session.sample.ping() };
  if (plain.status === payloadTooLarge) return (await bodySize(sender, ping, bytesOf(base)))?.cause;
  if (plain.status !== 429 || !(await sender.send(ping, { label: 'a ping' })).ok) return undefined;
  return {
    id: 'http/rate-limited',
    summary: 'Every message is answered with 429 (too many requests), although pings are accepted between them.',
    remediation:
      'Read in the log which limit of the endpoint, or of a service behind it, is used up: the quota of a language model, for example. Answer 202 and reply later where it may be.',
  };
}

function bytesOf(event: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(event));
}

/** The plain message with the shortest text, for endpoints that refuse longer ones. */
function shortest(base: JsonObject): Varied[] {
  if (!isJsonObject(base.data) || !isJsonObject(base.data.message)) return [];
  const message = { ...base.data.message, text: 'Hi' };
  return [{ has: 'a message of two letters', event: { ...base, data: { ...base.data, message } } }];
}

/** If no lookup is accepted, tests whether its number or other event types are. */
async function withoutLookups(
  sender: EventSender,
  base: JsonObject,
  plain: EventReception,
): Promise<ProbeOutcome | undefined> {
  const { seen } = sender;
  const legacy = { ...base, eventType: legacyEventTypes.indexOf('IncomingCallLookup') };
  const labels = ['an event with the number of its type', 'an event with the number of its type, again'];
  let byNumber = true;
  for (const label of labels) byNumber &&= (await sender.send(legacy, { label })).ok;
  if (byNumber) {
    const text = `eventType as "IncomingCallLookup" is answered with ${plain.words}; as the number 0 it is accepted.`;
    return { found: { id: 'payload/named-event-type', summary: text }, suspects: [], passed: [], seen, ends: true };
  }
  const types = await refusedTypes(sender);
  const listed = types.found.find(({ id }) => id === 'payload/listed-event');
  if (!listed) return undefined;
  const isOfUnknownCaller = plain.status === 404 && (base.contactData as JsonObject).phoneNumber === unknownCaller;
  const why = `The caller in these events is unknown, and many endpoints answer ${plain.words} then; set stimuli.knownCaller in the config to test this.`;
  const suspects = isOfUnknownCaller ? [{ id: 'payload/unknown-caller' as const, why }] : [];
  return { found: listed, suspects, passed: types.passed, seen };
}

/** The event of a failed check with the identity of a plain one, so that only relevant values differ. */
function failingEvent(failing: Failing | undefined, base: JsonObject, { surface }: Connection): JsonObject | undefined {
  if (!isJsonObject(failing?.event)) return undefined;
  const { event } = failing;
  if (surface === 'api-webhooks') return { ...event, id: base.id };
  if (surface === 'crm-webhook') {
    const { callbackUrl: _, ...rest } = event;
    return rest;
  }
  if (event.type !== 'message.received' || !isJsonObject(event.data)) return undefined;
  const { replyUrl: _, ...data } = event.data;
  return { ...event, id: base.id, data };
}

function merge(causes: PayloadCauses, { found, suspects }: PayloadCauses): void {
  if (found) mergeFound(causes, found);
  causes.suspects.push(...suspects);
}

function mergeFound(causes: PayloadCauses, found: Found): void {
  if (causes.found === undefined) causes.found = found;
  else causes.suspects.push({ ...found, why: 'It was confirmed in the same way as the named cause.' });
}
