import { isJsonObject } from '../../specs/json-object.ts';
import { findSecret } from '../../harness/wire/find-secret.ts';
import type { Observation } from '../../harness/wire/observation.ts';
import type { Connection } from '../connection.ts';
import type { PreparedEvent } from '../prepared-event.ts';
import type { Failing, Found, ProbeOutcome, Probe } from '../outcome.ts';
import { followEvent, describeStrays, type FollowOptions, type FollowUp } from './follow-event.ts';
import { placeFault, requestFault } from './judge-follow-up.ts';
import { explainMissing } from './explain-missing.ts';
import { lookupEventTypes } from '../../specs/crm-event-types.ts';

/** Milliseconds for a callback: background work is usually done by then. */
const withinMs = 10_000;
/** Milliseconds to wait for the callback of the first event with a 202 before others are sent. */
const settleMs = 1_500;
/** Milliseconds in which a callback may repeat an answer: the same code path sends both. */
const quietMs = 400;

/** Event types tried for a 202, in this order: those that cause work first. */
const tried = [
  'FormSubmitted',
  'IncomingCallLookup',
  'FinishedCall',
  'NewConversation',
  'Manual',
  'AppointmentCreated',
] as const;

type Make = () => PreparedEvent;

/** Finds an event that is answered 202 and checks its callback, for two simultaneous events. */
export const diagnoseCrmCallback: Probe = async (connection, failing) => {
  const seen: string[] = [];
  const asked: FollowUp['events'][number][] = [];
  for (const { label, make } of candidates(connection, await typesCalledBack(connection), failing)) {
    const made = make();
    const observation = await connection.ask(made.delivery, { label });
    asked.push({ made, observation });
    seen.push(`${label}: ${describeStatus(observation)}.`);
    if (isLater(observation)) return await judge(connection, { make, label, earlier: made }, seen);
  }
  seen.push('No event was answered 202, so no callback was due.');
  const answered = asked.some(({ made }) => lookupEventTypes.some((type) => type === made.event.eventType));
  return await calledBackAnyway(connection, answered ? asked : [...asked, ...(await askLookups(connection))], seen);
};

/** The types of the earlier events that got a callback. */
async function typesCalledBack({ callbackBoxes, remainingMs }: Connection): Promise<Set<unknown>> {
  const withinMs = Math.min(quietMs, remainingMs);
  await Promise.all(callbackBoxes.map(async ({ box }) => await box.atLeast(1, { withinMs })));
  return new Set(callbackBoxes.filter(({ box }) => box.arrivals.length > 0).map(({ type }) => type));
}

function candidates(
  connection: Connection,
  calledBack: ReadonlySet<unknown>,
  failing?: Failing,
): { label: string; make: Make }[] {
  const given = isJsonObject(failing?.event) ? failing.event : undefined;
  const { acceptedTypes, laterTypes } = connection.valid;
  // Those that were answered at once before, without a callback, are most likely answered so again.
  const open = tried.filter((type) => laterTypes.has(type) || calledBack.has(type) || !acceptedTypes.has(type));
  return [
    ...(given ? [{ label: 'the failing event', make: () => connection.case({ event: given }) }] : []),
    ...open.map((type) => ({
      label: type,
      make: () => connection.case({ event: { ...connection.session.sample.crmEvent(type) } }),
    })),
  ];
}

async function judge(
  connection: Connection,
  { make, label, earlier }: { make: Make; label: string; earlier: PreparedEvent },
  seen: string[],
): Promise<ProbeOutcome> {
  const options: FollowOptions = { label: `two of ${label} at once`, withinMs, earlier, isOwed: isLater };
  // A late callback of the earlier event must not count for the pair.
  await earlier.box?.atLeast(1, { withinMs: Math.min(settleMs, connection.remainingMs) });
  const pair = () => followEvent(connection, [make(), make()], options);
  const first = await pair();
  seen.push(describeFailure(first));
  if (!hasAny(first)) {
    const { passed, ...rest } = await explainMissing(connection, first, seen);
    return { ...rest, passed: passed === undefined ? [] : [passed], seen };
  }
  const fault = faultOf(connection, first);
  const owed = first.events.filter(({ observation }) => isLater(observation));
  const missing = owed.filter(({ made }) => made.box?.arrivals.length === 0);
  if (!fault && missing.length > 0) {
    connection.isCallbackMissing = true;
    const why = `Of ${owed.length} simultaneous events, ${missing.length} got no callback within ${withinMs / 1000} s.`;
    return {
      suspects: [
        { id: 'callback/not-yet', why },
        { id: 'callback/never-sent', why },
      ],
      passed: [],
      seen,
    };
  }
  if (!fault) {
    const passed = owed.length === 0 ? [] : [describeSuccess(owed.length, first)];
    return { ...(await calledBackAnyway(connection, await askLookups(connection), seen)), passed };
  }
  const second = await pair();
  seen.push(`Again: ${describeFailure(second)}`);
  if (faultOf(connection, second)?.id === fault.id) return { found: fault, suspects: [], passed: [], seen };
  return { suspects: [{ ...fault, why: 'It was observed once in two attempts.' }], passed: [], seen };
}

function faultOf(connection: Connection, followUp: FollowUp): Found | undefined {
  const place = placeFault(followUp, ({ observation }) => isLater(observation));
  if (place) return place;
  for (const event of followUp.events) {
    const arrivals = event.made.box?.arrivals ?? [];
    for (const arrival of arrivals) {
      const fault = requestFault(connection, event, arrival);
      if (fault) return fault;
    }
  }
  const posts = followUp.events.map(({ made }) => made.box?.arrivals.length ?? 0);
  const most = Math.max(...posts);
  if (most > 1)
    return { id: 'callback/twice', summary: `One event gets ${most} callbacks, though each is answered 200.` };
  const secrets = [
    { name: 'the webhook token', value: connection.credential },
    ...[...connection.session.inbox.service.inbox.workspace.keys.keys()].map((value) => ({
      name: 'an API key',
      value,
    })),
  ];
  const found = followUp.events
    .flatMap(({ made }) => made.box?.arrivals ?? [])
    .map(({ request }) => findSecret(request, secrets))
    .find((secret) => secret !== undefined);
  return found && { id: 'callback/token-sent', summary: `The callback carries ${found.name} in ${found.place}.` };
}

/** Events that most endpoints answer immediately. */
async function askLookups(connection: Connection): Promise<FollowUp['events']> {
  const asked: FollowUp['events'][number][] = [];
  for (const type of lookupEventTypes) {
    const made = connection.case({ event: { ...connection.session.sample.crmEvent(type) } });
    asked.push({ made, observation: await connection.ask(made.delivery, { label: type }) });
  }
  return asked;
}

/** Reports a callback for an event that was already answered. */
async function calledBackAnyway(
  connection: Connection,
  asked: FollowUp['events'],
  seen: string[],
): Promise<ProbeOutcome> {
  const answered = asked.filter(
    ({ observation: { answer } }) => answer.outcome === 'answered' && answer.status === 200,
  );
  const withinMs = Math.min(quietMs, connection.remainingMs);
  await Promise.all(answered.map(async ({ made }) => await made.box?.atLeast(1, { withinMs })));
  const twice = answered.filter(({ made }) => (made.box?.arrivals.length ?? 0) > 0);
  const [one] = twice;
  if (!one) {
    return { suspects: [], passed: [], seen };
  }
  const type = String(one.made.event.eventType);
  return {
    found: { id: 'callback/after-answer', summary: `${type} is answered 200, but a callback follows as well.` },
    suspects: [],
    passed: [],
    seen,
  };
}

function hasAny({ events, strays: astray, garbled, atEarlier }: FollowUp): boolean {
  return (
    astray.length + garbled.length + atEarlier > 0 || events.some(({ made }) => (made.box?.arrivals.length ?? 0) > 0)
  );
}

function isLater({ answer }: Observation): boolean {
  return answer.outcome === 'answered' && answer.status === 202;
}

function describeStatus({ answer }: Observation): string {
  return answer.outcome === 'answered' ? `status ${answer.status}` : 'no complete answer';
}

function describeFailure(followUp: FollowUp): string {
  const { events, waitedMs } = followUp;
  const counts = events.map(({ made }) => made.box?.arrivals.length ?? 0).join(' and ');
  return `Two simultaneous events got ${counts} callbacks within ${Math.round(waitedMs / 100) / 10} s${describeStrays(followUp)}.`;
}

function describeSuccess(owed: number, { firstMs }: FollowUp): string {
  const which = owed === 2 ? 'Each of two simultaneous events' : 'An event that is answered 202';
  return `${which} gets one callback at its own callbackUrl; the first came ${Math.round(firstMs ?? 0)} ms after the 202.`;
}
