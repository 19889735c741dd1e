import { isJsonObject } from '../../harness/json.ts';
import type { Connection } from '../connection.ts';
import type { Failing, Found, Outcome, Probe } from '../outcome.ts';
import { refusedTypes } from './event-types.ts';
import { findCauses, type Causes } from './find-causes.ts';
import { Taking, type Json, type Taken } from './taking.ts';
import { eventGroups, type EventGroup, type Varied } from './varied-events.ts';

/**
 * Which member or value makes an event fail: plain events are sent, then rich ones, and what is refused is made smaller
 * towards what is taken, down to one difference, which is then told apart from its neighbours. With an event that is
 * known to fail, that one comes first.
 */
export const diagnosePayload: Probe = async (connection, failing) => {
  const taking = new Taking(connection);
  const { seen } = taking;
  const groups = eventGroups(connection.surface, connection.session.sample);
  const [main] = groups;
  if (!main) return { suspects: [], fine: [], seen };
  const plain = await taking.send(main.base, { label: 'a plain event' });
  seen.push(`A plain event is answered with ${plain.words}.`);
  if (plain.status === 401) return { suspects: [], fine: [], seen };
  if (!plain.ok) return await withoutPlain(taking, main, plain, connection);
  const causes: Causes = { suspects: [] };
  const fine: string[] = ['A plain event is taken.'];
  const given = failingEvent(failing, main.base, connection);
  const isRefused = given !== undefined && !(await taking.send(given, { label: 'the failing event' })).ok;
  if (given !== undefined) seen.push(`The failing event ${isRefused ? 'fails again' : 'is taken now'}.`);
  if (given !== undefined && isRefused) {
    merge(causes, await findCauses(taking, main.base, [{ has: 'the failing event', event: given }]));
    if (causes.found) return { ...causes, fine, seen };
  }
  for (const [at, group] of groups.entries()) {
    if (at > 0 && !(await taking.send(group.base, { label: 'a plain event about an appointment' })).ok) continue;
    const refused = await sendAll(taking, group.varied, fine);
    if (refused.length > 0) merge(causes, await findCauses(taking, group.base, refused));
  }
  const types = await refusedTypes(taking);
  for (const found of types.found) mergeFound(causes, found);
  return { ...causes, fine: [...fine, ...types.fine], seen };
};

async function sendAll(taking: Taking, varied: readonly Varied[], fine: string[]): Promise<Varied[]> {
  const refused: Varied[] = [];
  for (const one of varied) {
    const taken = await taking.send(one.event, { label: `an event with ${one.has}` });
    if (taken.ok) fine.push(`Taken: an event with ${one.has}.`);
    else {
      refused.push(one);
      taking.seen.push(`An event with ${one.has} is answered with ${taken.words}.`);
    }
  }
  return refused;
}

/** When even a plain event is refused, any other that is taken shows what is missing in it. */
async function withoutPlain(
  taking: Taking,
  { base, varied }: EventGroup,
  plain: Taken,
  { surface, session }: Connection,
): Promise<Outcome> {
  const { seen } = taking;
  if ((await taking.send(base, { label: 'a plain event, again' })).ok) {
    seen.push('The same event is taken when it is sent again, so its content is not the reason.');
    return { suspects: [], fine: [], seen };
  }
  const others =
    surface === 'crm-webhook'
      ? [...varied, { has: 'another type', event: { ...session.sample.crmEvent('FinishedCall') } }]
      : varied;
  for (const { has, event } of others) {
    if (!(await taking.send(event, { label: `an event with ${has}` })).ok) continue;
    seen.push(`An event with ${has} is taken.`);
    const causes = await findCauses(taking, event, [{ has: 'a plain event', event: base }]);
    return { ...causes, fine: [`Taken: an event with ${has}.`], seen };
  }
  const why = `All of ${others.length + 1} events, plain and rich ones, were refused; the plain one with ${plain.words}.`;
  if (surface !== 'own-ai-chat') return { suspects: [{ id: 'payload/every-event', why }], fine: [], seen, ends: true };
  const ping = await taking.send({ ...session.sample.ping() }, { label: 'a ping' });
  if (!ping.ok) return { suspects: [{ id: 'payload/every-event', why }], fine: [], seen, ends: true };
  const text = `The ping is taken, and every message is answered with ${plain.words}, whatever is in it.`;
  return { found: { id: 'payload/every-message', text }, suspects: [], fine: ['A ping is taken.'], seen, ends: true };
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

function merge(causes: Causes, { found, suspects }: Causes): void {
  if (found) mergeFound(causes, found);
  causes.suspects.push(...suspects);
}

function mergeFound(causes: Causes, found: Found): void {
  if (causes.found === undefined) causes.found = found;
  else causes.suspects.push({ ...found, why: 'It was seen in the same way as the cause that is named.' });
}
