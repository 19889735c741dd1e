import { isJsonObject } from '../../harness/checks/json.ts';
import { unknownCaller } from '../../harness/checks/samples.ts';
import { legacyEventTypes } from '../../specs/legacy-event-types.ts';
import type { Connection } from '../connection.ts';
import type { Failing, Found, Outcome, Probe } from '../outcome.ts';
import { refusedTypes } from './event-types.ts';
import { findCauses, type PayloadCauses } from './find-causes.ts';
import { EventSender, type Json, type SendResult } from './event-sender.ts';
import { eventGroups, type EventGroup, type Varied } from './varied-events.ts';

/**
 * Which field or value makes an event fail: plain events are sent, then rich ones, and what is refused is made smaller
 * towards what is taken, down to one difference, which is then told apart from its neighbours. With an event that is
 * known to fail, that one comes first.
 */
export const diagnosePayload: Probe = async (connection, failing) => {
  const taking = new EventSender(connection);
  const { seen } = taking;
  const groups = eventGroups(connection.surface, connection.session.sample);
  const [main] = groups;
  if (!main) return { suspects: [], passed: [], seen };
  const plain = await taking.send(main.base, { label: 'a plain event' });
  seen.push(`A plain event is answered with ${plain.words}.`);
  if (plain.status === 401) return { suspects: [], passed: [], seen };
  if (!plain.ok) return await withoutPlain(taking, main, plain, connection);
  const causes: PayloadCauses = { suspects: [] };
  const passed: string[] = ['A plain event is taken.'];
  const given = failingEvent(failing, main.base, connection);
  const isRefused = given !== undefined && !(await taking.send(given, { label: 'the failing event' })).ok;
  if (given !== undefined) seen.push(`The failing event ${isRefused ? 'fails again' : 'is taken now'}.`);
  if (given !== undefined && isRefused) {
    merge(causes, await findCauses(taking, main.base, [{ has: 'the failing event', event: given }], { isAsked: true }));
    if (causes.found) return { ...causes, passed, seen };
  }
  for (const [at, group] of groups.entries()) {
    if (at > 0 && !(await taking.send(group.base, { label: 'a plain event about an appointment' })).ok) continue;
    const refused = await sendAll(taking, group.varied, passed);
    if (refused.length > 0) merge(causes, await findCauses(taking, group.base, refused));
  }
  const types = await refusedTypes(taking);
  for (const found of types.found) mergeFound(causes, found);
  return { ...causes, passed: [...passed, ...types.passed], seen };
};

async function sendAll(taking: EventSender, varied: readonly Varied[], passed: string[]): Promise<Varied[]> {
  const refused: Varied[] = [];
  const send = async ({ has, event }: Varied) => await taking.send(event, { label: `an event with ${has}` });
  const early = taking.isSlow ? await Promise.all(varied.map(send)) : [];
  for (const [at, one] of varied.entries()) {
    // What fails beside others may have failed for that: alone it is asked again.
    const before = early[at];
    const taken = before?.ok ? before : await send(one);
    if (taken.ok) passed.push(`Taken: an event with ${one.has}.`);
    else {
      refused.push(one);
      taking.seen.push(`An event with ${one.has} is answered with ${taken.words}.`);
    }
  }
  return refused;
}

/** When even a plain event is refused, any other that is taken shows what is missing in it. */
async function withoutPlain(
  taking: EventSender,
  { base, varied }: EventGroup,
  plain: SendResult,
  { surface, session }: Connection,
): Promise<Outcome> {
  const { seen } = taking;
  if ((await taking.send(base, { label: 'a plain event, again' })).ok) {
    seen.push('The same event is taken when it is sent again, so its content is not the reason.');
    const why = `An event was answered with ${plain.words}, and the same event was taken straight after.`;
    return { suspects: [{ id: 'payload/at-random', why }], passed: [], seen };
  }
  for (const { has, event } of varied) {
    if (!(await taking.send(event, { label: `an event with ${has}` })).ok) continue;
    seen.push(`An event with ${has} is taken.`);
    const causes = await findCauses(taking, event, [{ has: 'a plain event', event: base }]);
    return { ...causes, passed: [`Taken: an event with ${has}.`], seen };
  }
  if (surface === 'crm-webhook') {
    const byType = await withoutLookups(taking, base, plain);
    if (byType) return byType;
  }
  const why = `All of ${varied.length + 1} events, plain and rich ones, were refused; the plain one with ${plain.words}.`;
  if (surface !== 'own-ai-chat')
    return { suspects: [{ id: 'payload/every-event', why }], passed: [], seen, ends: true };
  const ping = await taking.send({ ...session.sample.ping() }, { label: 'a ping' });
  if (!ping.ok) return { suspects: [{ id: 'payload/every-event', why }], passed: [], seen, ends: true };
  const text = `The ping is taken, and every message is answered with ${plain.words}, whatever is in it.`;
  return {
    found: { id: 'payload/every-message', summary: text },
    suspects: [],
    passed: ['A ping is taken.'],
    seen,
    ends: true,
  };
}

/** When no look-up is taken, rich or plain: whether its number or events of other types are. */
async function withoutLookups(taking: EventSender, base: Json, plain: SendResult): Promise<Outcome | undefined> {
  const { seen } = taking;
  const legacy = { ...base, eventType: legacyEventTypes.indexOf('IncomingCallLookup') };
  const labels = ['an event with the number of its type', 'an event with the number of its type, again'];
  let byNumber = true;
  for (const label of labels) byNumber &&= (await taking.send(legacy, { label })).ok;
  if (byNumber) {
    const text = `eventType as "IncomingCallLookup" is answered with ${plain.words}; as the number 0 it is taken.`;
    return { found: { id: 'payload/named-event-type', summary: text }, suspects: [], passed: [], seen, ends: true };
  }
  const types = await refusedTypes(taking);
  const listed = types.found.find(({ id }) => id === 'payload/listed-event');
  if (!listed) return undefined;
  const isOfStranger = plain.status === 404 && (base.contactData as Json).phoneNumber === unknownCaller;
  const why = `The caller in these events is nobody's customer, and ${plain.words} is what many answer then; stimuli.knownCaller in the config can show it.`;
  const suspects = isOfStranger ? [{ id: 'payload/unknown-caller' as const, why }] : [];
  return { found: listed, suspects, passed: types.passed, seen };
}

/** The event of a failing check with the identity of a plain one, so that only what matters differs. */
function failingEvent(failing: Failing | undefined, base: Json, { surface }: Connection): Json | undefined {
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
  else causes.suspects.push({ ...found, why: 'It was seen in the same way as the cause that is named.' });
}
