import type { Cause } from '../cause.ts';
import { everyParallel, everyRequirement } from '../explained-requirements.ts';

const surfaces = ['crm-webhook', 'own-ai-chat'] as const;
const section = 'Limits';
const snippet = 'answer-in-time';
const always =
  'Every call is greeted without context, or every message waits for the team, as if the endpoint had not answered.';
const sometimes = 'Occasionally a caller is greeted without context, or a message waits for the team after a timeout.';

/** Creates a cause of late answers. */
function slow(
  symptom: string,
  summary: string,
  detection: string,
  remediation: string,
  over: Pick<Partial<Cause>, 'surfaces' | 'explains'> = {},
): Cause {
  return { surfaces, explains: everyRequirement, symptom, summary, detection, remediation, section, snippet, ...over };
}

/** Causes of late answers. */
export const timingCauses = {
  'timing/always-slow': slow(
    always,
    'The endpoint exceeds the time limit on ordinary events.',
    'All tested events are slow, while a wrong token or signature is rejected quickly.',
    'Answer 202 at once and send the result afterwards (callbackUrl, or replyUrl for chat), or speed up the slow query or model call.',
  ),
  'timing/slow-before-the-work': slow(
    always,
    'The endpoint is slow before its handler runs: in the server, a proxy or an earlier step.',
    'Even an event with a wrong token or signature is rejected only after the limit.',
    'Check the steps that every request passes: reverse DNS lookups of the client, a cold container, a queue in the proxy, middleware.',
  ),
  'timing/never-answers': slow(
    always,
    'The endpoint does not answer at all.',
    'An ordinary event gets no answer within any timeout, while invalid ones, if rejected, are rejected quickly.',
    'Look for a path through the handler that sends no response: a missing return, an awaited promise that never settles, a lock.',
  ),
  'timing/answer-never-ends': slow(
    always,
    'The endpoint starts its answer but never ends it.',
    'Status and headers arrive, but the body does not end within the limit.',
    'End the response after the body, with a Content-Length or the final chunk; do not stream it.',
  ),
  'timing/slow-at-first': slow(
    'The first call after a pause is greeted without context; later calls are fine.',
    'The endpoint is slow only on the first event, because it starts, loads or connects something then.',
    'The first event is slow, and all later events are quick, including those on new connections.',
    'Move the work of the first request to the start of the process (connect to the database, load the model), or keep one instance warm.',
    { explains: /^(?!.*(?:at-once|in-parallel))/ },
  ),
  'timing/slow-on-new-connections': slow(
    sometimes,
    'The endpoint is slow on every event that arrives on a new connection.',
    'Events on new connections are slow, and events on a kept-alive connection are quick, each several times.',
    'Check the steps that run once per connection: a reverse DNS lookup of the client, a worker that is started, a proxy that opens a new upstream connection.',
  ),
  'timing/slow-on-kept-connections': slow(
    sometimes,
    'The endpoint is slow or silent on events that arrive on a kept-alive connection.',
    'Events on new connections are quick, and the next event on the same connection is slow, each several times.',
    'Let the server read the next request of the same connection, or answer with "Connection: close".',
    { explains: /^(?!.*fresh-connection)/ },
  ),
  'timing/one-of-several-instances': slow(
    sometimes,
    'One of several instances behind the address is slow.',
    'Slow and quick answers alternate in a fixed pattern.',
    'Find the instance by its log and replace it, or remove it from the load balancer.',
  ),
  'timing/at-random': slow(
    sometimes,
    'Some events are slow, without a detectable pattern.',
    'Equal events take different times, in no order.',
    'Log the duration of each step of the handler; look for locks, pauses of the runtime and slow dependencies.',
  ),
  'timing/slow-for-unknown-callers': slow(
    'Callers who are not in the CRM are greeted late or without context; known callers are fine.',
    'The endpoint is slow for callers that it does not know.',
    'A lookup of a known caller is quick and one of an unknown caller is slow, each several times.',
    'Search by an index on the number in international format, and answer 204 as soon as no contact is found.',
    { surfaces: ['crm-webhook'] },
  ),
  'timing/slow-for-known-callers': slow(
    'Callers who are in the CRM are greeted without context; unknown callers are fine.',
    'The endpoint is slow for callers that it knows.',
    'A lookup of an unknown caller is quick and one of the known caller is slow, each several times.',
    'Load only the data that the answer to a lookup needs, and send the rest in a callback after a 202.',
    { surfaces: ['crm-webhook'] },
  ),
  'timing/slow-for-an-event-type': slow(
    'Calls are fine and chats begin without context, or vice versa.',
    'The endpoint is slow for one type of event.',
    'An IncomingCallLookup is quick and a NewConversation is slow, or vice versa, each several times.',
    'Compare the handlers of both types; both have the same time limit.',
    { surfaces: ['crm-webhook'] },
  ),
  'timing/slow-during-other-events': slow(
    'A caller is greeted without context when another event, such as a finished call, arrives at the same moment.',
    'The endpoint answers no lookup while it handles another event.',
    'A lookup is quick by itself and slow while another event is in flight, each several times.',
    'Move long work off the thread or process that answers (asynchronous calls, a worker, a queue), or answer 202 before it.',
    { surfaces: ['crm-webhook'], explains: /at-once|in-parallel|during-other-events/ },
  ),
  'timing/slow-by-size': slow(
    'Long conversations time out, short ones are fine.',
    'The endpoint is slow for events with long strings.',
    'An event with long strings is slow and an ordinary one is quick, each several times.',
    'Do not process every character of summaries and history before you answer; truncate them to the required length.',
  ),
  'timing/slow-by-history': slow(
    'Conversations time out after some turns, new ones are fine.',
    'The endpoint is slow for messages with many turns of history.',
    'A message with the maximum number of short turns in its history is slow, and an ordinary one is quick, each several times.',
    'Process the new message; do not send a request or query for each turn of the history.',
    { surfaces: ['own-ai-chat'] },
  ),
  'timing/pool-too-small': slow(
    'Single calls are fine; when several arrive at once, some are greeted without context.',
    'The endpoint processes too few events in parallel, so the others wait.',
    'Of many simultaneous events, a fixed number is as quick as a single one, and the others follow in waves.',
    'Allow more workers, threads or database connections, or answer 202 before the slow part.',
    { explains: everyParallel },
  ),
  'timing/one-at-a-time-per-caller': slow(
    'Several events of the same caller time out, while those of different callers are fine.',
    'The endpoint processes only one event per caller at a time.',
    'Many simultaneous events are slow if they belong to one caller, and quick if they belong to different callers.',
    'Hold a lock on the contact only while you write, not while you wait for other services.',
    { explains: everyParallel },
  ),
  'timing/slow-in-parallel': slow(
    'Single calls are fine; when several arrive at once, all become slow.',
    'The endpoint becomes slow when it processes several events at once.',
    'A single event is quick, and many simultaneous ones are slow, without a fixed number that runs in parallel.',
    'Look for the resource that they share: the processor, one database connection, a lock.',
    { explains: everyParallel },
  ),
  'timing/fails-in-parallel': slow(
    'Single calls and events are fine; when several arrive at once, some fail.',
    'The endpoint fails when several events arrive at once.',
    'Accepted: each event alone. Rejected: some of many simultaneous events, twice.',
    'Look for a locked database, a connection limit, or state that requests share, such as the raw body in a variable of the module.',
    { surfaces: [...surfaces, 'api-webhooks'], explains: everyParallel },
  ),
} as const satisfies Record<`timing/${string}`, Cause>;

export type TimingCauseId = keyof typeof timingCauses;
