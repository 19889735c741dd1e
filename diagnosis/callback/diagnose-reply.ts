import { parseJson } from '../../harness/checks/json.ts';
import { Brand } from '../../specs/brand.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { Observation } from '../../harness/wire/observation.ts';
import type { Connection } from '../connection.ts';
import type { PreparedEvent } from '../prepared-event.ts';
import type { Failing, Found, ProbeOutcome, Probe } from '../outcome.ts';
import { followEvent, describeStrays, type FollowedEvent, type FollowUp } from './follow-event.ts';
import { placeFault, requestFault } from './judge-follow-up.ts';
import { keyFault } from './key-fault.ts';
import { explainMissing, findOtherHost, questionsAbout } from './explain-missing.ts';

/** Milliseconds for a reply that was announced or requested. */
const expectedWithinMs = 10_000;
/** Milliseconds for a reply that nothing suggests. */
const unexpectedWithinMs = 400;

/**
 * Checks the reply to a message: its URL, its key, its body, and that it is sent once. Replies are optional, so a missing
 * one matters only if the config has a sentence that asks for one.
 */
export const diagnoseReply: Probe = async (connection, failing) => {
  const isAsked = connection.config.stimuli.chat?.async !== undefined || failing?.event !== undefined;
  const isOwed = (observation: Observation) => mayFollow(observation) && (isAsked || statusOf(observation) === 202);
  const seen: string[] = [];
  const round = async (count: number, label: string): Promise<FollowUp> => {
    const cases = Array.from({ length: count }, () => messageOf(connection, failing));
    const withinMs = Math.min(expectedWithinMs, Math.max(connection.timeoutMs, unexpectedWithinMs));
    const followUp = await followEvent(connection, cases, { label, withinMs, isOwed });
    seen.push(describeFailure(followUp));
    return followUp;
  };
  const first = await round(1, 'a message to be answered later');
  const [event] = first.events;
  if (!event || !hasAny(first)) {
    // No reply after a 204 or an empty 200 is valid for any sentence.
    const isLater = event !== undefined && statusOf(event.observation) === 202;
    if (!isLater || (!isAsked && hasAnswered(connection))) return withoutReply(first, seen);
    return await (isAsked ? explained : unasked)(connection, first, seen);
  }
  const fault = faultOf(connection, first, ({ observation }) => mayFollow(observation));
  const second = await round(2, 'two simultaneous messages');
  const repeated = faultOf(connection, second, ({ observation }) => mayFollow(observation));
  if (fault) {
    if (repeated?.id === fault.id) return { found: fault, suspects: [], passed: [], seen };
    return {
      suspects: [{ ...fault, why: 'It was observed for one message, but not for others.' }],
      passed: [],
      seen,
    };
  }
  const awaited = second.events.filter(({ observation }) => isOwed(observation));
  const isSilent = ({ made }: FollowedEvent) => made.box?.arrivals.length === 0;
  if (!repeated && awaited.some(isSilent)) {
    return { suspects: [], passed: [], seen, notObserved: [unanswered(second)] };
  }
  if (!repeated) return { suspects: [], passed: [validReply(connection)], seen };
  const third = faultOf(connection, await round(2, 'two simultaneous messages, again'), ({ observation }) =>
    mayFollow(observation),
  );
  if (repeated.id === 'callback/mixed-up') {
    // A message may get several replies, so all that arrive at one URL may be its own.
    const isLone = event.made.box?.arrivals.length === 1;
    if (!isLone || third?.id !== repeated.id) {
      return { suspects: [], passed: [], seen, notObserved: [unanswered(second)] };
    }
    const why = 'Twice, one of two simultaneous messages got several replies and the other none. A single one got one.';
    return { suspects: [{ ...repeated, why }], passed: [], seen };
  }
  if (third?.id === repeated.id) return { found: repeated, suspects: [], passed: [], seen };
  return {
    suspects: [{ ...repeated, why: 'It was observed for one pair of messages, but not for another.' }],
    passed: [],
    seen,
  };
};

/** Whether a message was answered with content, at once or later. */
function hasAnswered({ valid, callbackBoxes }: Connection): boolean {
  const isOfMessage = ({ event }: { event: string }) => event.includes('"message.received"');
  return valid.answered.some(isOfMessage) || callbackBoxes.some(({ box }) => box.arrivals.length > 0);
}

/** Without the key in the config any key is accepted, so the key is not judged. */
function validReply({ config }: Connection): string {
  return config.service.apiKey === undefined
    ? 'A reply goes to its own replyUrl, once, with a key. Without service.apiKey in the config the key itself is not checked.'
    : 'A reply goes to its own replyUrl, once, with the API key.';
}

function messageOf(connection: Connection, failing: Failing | undefined): PreparedEvent {
  const { sample, ids } = connection.session;
  if (isJsonObject(failing?.event)) return connection.case({ event: { ...failing.event, id: ids.event() } });
  const event = sample.messageReceived();
  const { async: sentence } = connection.config.stimuli.chat ?? {};
  const { data } = event;
  const message = sentence === undefined ? data.message : { ...data.message, text: sentence };
  return connection.case({ event: { ...event, data: { ...data, message } } });
}

/** Nothing suggests a reply. */
function withoutReply(followUp: FollowUp, seen: string[]): ProbeOutcome {
  return {
    suspects: [],
    passed: [],
    seen: [...seen, 'No reply arrived and none was announced, so there is nothing to judge.'],
    ...(followUp.events.some(({ observation }) => mayFollow(observation)) && { notObserved: [noReply(followUp)] }),
  };
}

async function explained(connection: Connection, followUp: FollowUp, seen: string[]): Promise<ProbeOutcome> {
  const { passed, ...rest } = await explainMissing(connection, followUp, seen);
  return { ...rest, passed: passed === undefined ? [] : [passed], seen };
}

/** Every message gets 202 and none a reply, which the interface permits: it sets no limit for one. */
async function unasked(connection: Connection, followUp: FollowUp, seen: string[]): Promise<ProbeOutcome> {
  const found = await findOtherHost(connection, followUp, seen);
  if (found) return { found, suspects: [], passed: [], seen };
  const why = `No reply arrived within ${secondsOf(followUp)} s after a 202. The interface sets no limit for a reply and requires none. If you expect one, ${questionsAbout('replyUrl')}`;
  return { suspects: [], passed: [], seen, notObserved: [why] };
}

function noReply(followUp: FollowUp): string {
  return `No reply arrived within ${secondsOf(followUp)} s after a message that was answered without content. If you expect one, set stimuli.chat.async in the config to a sentence that triggers it.`;
}

function unanswered(followUp: FollowUp): string {
  return `Two simultaneous messages did not both get a reply at their own replyUrl within ${secondsOf(followUp)} s, so it is unknown whether each reply goes to its own message. Ask the developer: Does each reply use the replyUrl of the message that it answers?`;
}

function secondsOf({ waitedMs }: FollowUp): number {
  return Math.round(waitedMs / 100) / 10;
}

function faultOf(
  connection: Connection,
  followUp: FollowUp,
  isOwed: (event: FollowedEvent) => boolean,
): Found | undefined {
  const place = placeFault(followUp, isOwed);
  if (place) return place;
  const { service, brand } = connection.config;
  const keys = { apiKey: service.apiKey, secret: connection.credential, brand: Brand.named(brand) };
  for (const event of followUp.events) {
    const arrivals = event.made.box?.arrivals ?? [];
    for (const arrival of arrivals) {
      const fault = keyFault(arrival, keys) ?? requestFault(connection, event, arrival);
      if (fault) return fault;
    }
    const answered = textOf(
      event.observation.answer.outcome === 'answered' ? event.observation.answer.body : undefined,
    );
    const accepted = arrivals
      .filter(({ response }) => response.status === 202)
      .map(({ request }) => textOf(request.body));
    const texts = accepted.filter((text) => text !== undefined);
    if (statusOf(event.observation) === 200 && answered !== undefined && texts.includes(answered)) {
      return { id: 'callback/after-answer', summary: 'The words of the 200 answer are sent to replyUrl as well.' };
    }
    if (new Set(texts).size < texts.length) return { id: 'callback/reply-twice' };
  }
  return undefined;
}

function hasAny({ events, strays: astray, garbled, atEarlier }: FollowUp): boolean {
  return (
    astray.length + garbled.length + atEarlier > 0 || events.some(({ made }) => (made.box?.arrivals.length ?? 0) > 0)
  );
}

/** Whether the service waits for a reply after this answer (interface: Own-AI chat event, Receiver answers). */
function mayFollow({ answer }: Observation): boolean {
  return (
    answer.outcome === 'answered' &&
    (answer.status === 202 || answer.status === 204 || (answer.status === 200 && answer.bodyBytes === 0))
  );
}

function statusOf({ answer }: Observation): number | undefined {
  return answer.outcome === 'answered' ? answer.status : undefined;
}

function textOf(body: Uint8Array | undefined): string | undefined {
  const parsed = body === undefined ? undefined : parseJson(body);
  const value = parsed === undefined || 'error' in parsed ? undefined : parsed.value;
  const text = isJsonObject(value) ? value.text : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function describeFailure(followUp: FollowUp): string {
  const { events } = followUp;
  const each = events
    .map(({ made, observation }) => {
      const count = made.box?.arrivals.length ?? 0;
      return `${statusOf(observation) ?? 'no answer'}, then ${count} ${count === 1 ? 'reply' : 'replies'}`;
    })
    .join('; ');
  return `${each} in ${secondsOf(followUp)} s${describeStrays(followUp)}.`;
}
