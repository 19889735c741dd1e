import type { Cause } from '../cause.ts';

const surfaces = ['crm-webhook', 'own-ai-chat'] as const;
const section = 'Limits';
const snippet = 'answer-in-time';
const always = 'Every call is greeted, or every message waits for the team, as if the endpoint had not answered.';
const sometimes =
  'Now and then the caller is greeted without context, or a message waits for the team after a timeout.';

/** A cause by which answers come too late. */
function slow(
  symptom: string,
  summary: string,
  detection: string,
  remediation: string,
  over: { surfaces?: Cause['surfaces'] } = {},
): Cause {
  return { surfaces, symptom, summary, detection, remediation, section, snippet, ...over };
}

/** Causes about answers that come too late. */
export const timingCauses = {
  'timing/always-slow': slow(
    always,
    'The endpoint takes longer than the limit for usual events.',
    'All events that are tried are slow, and a wrong token or signature is refused quickly.',
    'Answer 202 at once and send the result afterwards (callbackUrl, or replyUrl for chat), or make the slow query or model call faster.',
  ),
  'timing/slow-before-the-work': slow(
    always,
    'The time passes before an event is worked on: in the server, a proxy or a step before the handler.',
    'Even an event with a wrong token or signature is refused only after the limit.',
    'Look at what every request goes through: name look-ups of the caller, a cold container, a queue in the proxy, middleware.',
  ),
  'timing/never-answers': slow(
    always,
    'The endpoint does not answer at all.',
    'A usual event gets no answer, however long it is waited for, and wrong ones are refused quickly or not at all.',
    'Look for a path through the handler that sends no response: a missing return, an awaited promise that never settles, a lock.',
  ),
  'timing/answer-never-ends': slow(
    always,
    'The answer begins but does not end.',
    'Status and headers come, and the body does not end within the limit.',
    'End the response after the body, with a Content-Length or the last chunk; do not stream it.',
  ),
  'timing/slow-at-first': slow(
    'The first call after a pause is greeted without context, the ones after it are fine.',
    'Only the first event is slow: the endpoint starts, loads or connects something then.',
    'The first event is slow, and all that come after it are quick, on new connections as well.',
    'Do at start what the first request does now (connect to the database, load the model), or keep one instance warm.',
  ),
  'timing/slow-on-new-connections': slow(
    sometimes,
    'Each event that comes on a new connection is slow.',
    'Events on new connections are slow, and events on a connection that is kept open are quick, each several times.',
    'Look at what happens once per connection: a reverse look-up of the name of the caller, a worker that is started, a proxy that connects anew.',
  ),
  'timing/slow-on-kept-connections': slow(
    sometimes,
    'Events on a connection that was kept open are slow or get no answer.',
    'Events on new connections are quick, and the next one on the same connection is slow, each several times.',
    'Let the server read the next request of the same connection, or answer with "Connection: close".',
  ),
  'timing/one-of-several-instances': slow(
    sometimes,
    'One of several instances behind the address is slow.',
    'Slow and quick answers come in a fixed turn.',
    'Find the instance by its log and replace it, or take it out of the rotation.',
  ),
  'timing/at-random': slow(
    sometimes,
    'Some events are slow, and what they have in common could not be told.',
    'Equal events take different times, in no order.',
    'Log the time of each step of the handler; look for locks, pauses of the runtime and services that it waits for.',
  ),
  'timing/slow-for-unknown-callers': slow(
    'Callers whom the CRM does not know are greeted late or without context; known ones are fine.',
    'The endpoint is slow for callers whom it does not know.',
    'A look-up of a known caller is quick and one of an unknown caller is slow, each several times.',
    'Search by an index on the number in international format, and answer 204 as soon as nobody is found.',
    { surfaces: ['crm-webhook'] },
  ),
  'timing/slow-for-known-callers': slow(
    'Callers whom the CRM knows are greeted without context; unknown ones are fine.',
    'The endpoint is slow for callers whom it knows.',
    'A look-up of an unknown caller is quick and one of the known caller is slow, each several times.',
    'Load for a look-up only what its answer needs, and leave the rest to a callback after 202.',
    { surfaces: ['crm-webhook'] },
  ),
  'timing/slow-for-an-event-type': slow(
    'Calls are fine and chats begin without context, or the other way round.',
    'The endpoint is slow for one type of event.',
    'An IncomingCallLookup is quick and a NewConversation is slow, or the other way round, each several times.',
    'Compare what the handlers of both types do; both have the same time.',
    { surfaces: ['crm-webhook'] },
  ),
  'timing/slow-by-size': slow(
    'Long conversations time out, short ones are fine.',
    'The endpoint is slow for events with long texts.',
    'An event with long texts is slow and a usual one is quick, each several times.',
    'Do not work on every character of summaries and history before you answer; cut them to what is needed.',
  ),
  'timing/slow-by-history': slow(
    'Conversations time out after some turns, new ones are fine.',
    'The endpoint is slow for messages with many turns of history.',
    'A message with the most turns of history is slow, though they are short, and a usual one is quick, each several times.',
    'Work on the new message; do not send a request or query for each turn of the history.',
    { surfaces: ['own-ai-chat'] },
  ),
  'timing/pool-too-small': slow(
    'Single calls are fine; when several come at once, some are greeted without context.',
    'The endpoint works on too few events at a time, and the others wait.',
    'Of many events at once a fixed number is as quick as one alone, and the others come in waves after them.',
    'Allow more workers, threads or database connections, or answer 202 before the slow part.',
  ),
  'timing/one-at-a-time-per-caller': slow(
    'Several events of the same caller time out, those of different callers are fine.',
    'The endpoint works on one event of a caller at a time.',
    'Many events at once are slow when they are of one caller, and quick when they are of different callers.',
    'Hold a lock on the contact only while you write, not while you wait for others.',
  ),
  'timing/slow-in-parallel': slow(
    'Single calls are fine; when several come at once, all become slow.',
    'Events at once slow each other down.',
    'One event alone is quick, and many at once are slow, though no fixed number of them is worked on at a time.',
    'Look for what they share: the processor, one connection to the database, a lock.',
  ),
  'timing/fails-in-parallel': slow(
    'Single calls are fine; when several come at once, some fail.',
    'The endpoint fails when several events come at once.',
    'Some of many events at once are not accepted, twice, and each alone is.',
    'Look for a locked database, a limit of connections or state that requests share.',
  ),
} as const satisfies Record<`timing/${string}`, Cause>;

export type TimingCauseId = keyof typeof timingCauses;
