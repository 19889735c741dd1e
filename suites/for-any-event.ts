import fc from 'fast-check';
import type { CheckKit } from '../harness/checks/check.ts';
import { currentRecord } from '../harness/checks/check-record.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import { FindingError, type Finding } from '../harness/checks/finding.ts';
import type { CallObservation, Observation } from '../harness/wire/observation.ts';
import { differences, nearest } from '../generators/differences.ts';
import { minimise } from '../generators/minimise.ts';
import type { Counterexample } from '../specs/generated/types.ts';
import { describeExchange } from './matchers/describe-answer.ts';
import { stopFault, stopFinding } from './matchers/endpoint-stop.ts';
import { recordsOf, RecordsInUse } from './records-in-use.ts';

/** Number of accepted events kept for comparison with a failing one. */
const rememberedAccepted = 200;
/** Characters of the smallest failing event that a report shows. */
const shownEventCharacters = 4_000;
/** Edge cases that are tried to find an accepted event for comparison if the first event failed. */
const triedForAccepted = 12;
/** Events that must have been sent for a pass. */
const fewestSent = 12;
/** Events of one property that are sent at once: with several, it would be open which of them stopped an endpoint. */
const mostAtOnce = 1;
/** Number of repetitions of the smallest failing event, to report whether it always fails. */
const repeats = 2;

/** A property of the endpoint: every event made by `events` is answered as `judge` says. */
export interface EndpointProperty<Event, Seen extends Observation | CallObservation = Observation> {
  events: fc.Arbitrary<Event>;
  /** Sent before generated events: every edge of every field once. */
  edges: readonly Event[];
  isValid: (event: unknown) => boolean;
  /**
   * The same event without the subject of this property: if it fails too, the cause is a different one, which is not
   * judged here.
   */
  tame?: (event: Event) => Event;
  /** Generated events after the edges. */
  runs: number;
  deliver: (event: Event) => Promise<Seen>;
  judge: (observation: Seen) => Finding | undefined;
}

/** A wrong answer to an event. */
interface Failure<Seen> {
  observation: Seen;
  finding: Finding;
}

/**
 * Sends edge cases and generated events, {@link mostAtOnce} at a time, until one is answered wrongly, then makes
 * that one smaller, one event after the other, within `settings.shrinkMs`: first on its own (fast-check), then towards the nearest accepted event, so that what is
 * left of their differences is the cause.
 */
export async function forAnyEvent<Event, Seen extends Observation | CallObservation = Observation>(
  kit: CheckKit,
  property: EndpointProperty<Event, Seen>,
): Promise<void> {
  const { settings } = kit;
  const record = currentRecord();
  const accepted: Event[] = [];
  let sentEvents = 0;
  let last: Failure<Seen> | undefined;
  let failedAt: number | undefined;
  const send = async (event: Event): Promise<Failure<Seen> | undefined> => {
    const observation = await property.deliver(event);
    sentEvents++;
    const stopped = stopFault(observation);
    // If the endpoint stops during shrinking, the finding so far is kept.
    if (stopped && last && !last.finding.stopped) throw stopped;
    const finding = stopFinding(observation) ?? property.judge(observation);
    if (record) record.judged++;
    if (!finding) {
      if (accepted.push(event) > rememberedAccepted) accepted.shift();
      return undefined;
    }
    return (last = { observation, finding });
  };
  let broken: Error | undefined;
  /** Like `send`; an event that can no longer be sent counts as accepted, which ends the search. */
  const failureOf = async (event: Event): Promise<Failure<Seen> | undefined> => {
    if (broken !== undefined) return undefined;
    try {
      return await send(event);
    } catch (error) {
      broken = error as Error;
      return undefined;
    }
  };
  const holds = async (event: Event): Promise<boolean> => (await failureOf(event)) === undefined;
  const inTime = () => failedAt === undefined || performance.now() < failedAt + settings.shrinkMs / 2;
  const parameters: fc.Parameters<[Event]> = {
    seed: settings.seed,
    numRuns: property.edges.length + property.runs,
    examples: property.edges.map((event): [Event] => [event]),
    ...(settings.path === undefined ? {} : { path: settings.path }),
  };
  const planned = plannedEvents(property.events, parameters);
  const until = performance.now() + settings.propertyMs;
  const failures = await firstFailures(
    kit.session,
    planned,
    failureOf,
    () => broken === undefined && performance.now() < until,
  );
  let nth = 0;
  const run = await fc.check(
    fc.asyncProperty(property.events, async (event) => {
      if (failedAt === undefined) {
        const failure = failures.get(nth++);
        if (!failure) return true;
        last = failure;
        failedAt = performance.now();
        return false;
      }
      // After the time for shrinking every candidate counts as accepted without being sent, which ends the shrinking.
      return !inTime() || (await holds(event));
    }),
    parameters,
  );
  if (!run.failed) {
    if (broken !== undefined) throw broken;
    const meant = property.edges.length + property.runs;
    if (settings.path === undefined && sentEvents < Math.min(fewestSent, meant)) {
      return kit.notExercised(
        `Only ${sentEvents} of ${meant} events could be sent in time; --thorough sends them all.`,
      );
    }
    if (record && sentEvents < meant && settings.path === undefined) {
      record.note = `${sentEvents} of ${meant} events were sent in the time for them; --thorough sends them all.`;
    }
    return;
  }
  const smallest = (run.counterexample as [Event])[0];
  const deadline = performance.now() + settings.shrinkMs / 2;
  for (const edge of property.edges.slice(-triedForAccepted)) {
    if (accepted.length > 0 || broken !== undefined || performance.now() > deadline) break;
    await holds(edge);
  }
  const close = nearest(accepted, smallest);
  const minimal =
    close === undefined
      ? { event: smallest }
      : await minimise(smallest, close, async (candidate) => !(await holds(candidate)), {
          deadline,
          now: () => performance.now(),
          isValid: property.isValid,
        });
  let [sent, failed] = [0, 0];
  while (sent < repeats && broken === undefined && performance.now() < deadline + settings.shrinkMs) {
    if (!(await holds(minimal.event))) failed++;
    if (broken === undefined) sent++;
  }
  if (property.tame && broken === undefined && !(await holds(property.tame(minimal.event)))) {
    return kit.notExercised('The failing answers have a different cause, which other checks judge.');
  }
  if (!last) throw new TypeError('A property failed without a finding.');
  record?.decideBy(last.observation);
  if (sent > 0 && failed === 0) {
    throw new HarnessFault('not-reproducible:event', {
      received: last.finding.received,
      times: sent,
      seed: settings.seed,
    });
  }
  const { observation, finding } = last;
  const rows = close === undefined ? [] : differences(minimal.event, close);
  const text = JSON.stringify(minimal.event);
  const counterexample: Counterexample = {
    seed: run.seed,
    path: run.counterexamplePath ?? '',
    runs: run.numRuns,
    shrinks: run.numShrinks,
    event: text.length > shownEventCharacters ? `${text.slice(0, shownEventCharacters)}…` : text,
    differences: rows,
  };
  throw new FindingError({
    expected: finding.expected,
    received: finding.stopped ? finding.received : `${finding.received} ${describeExchange(observation)}`,
    ...(finding.frame === undefined ? {} : { frame: finding.frame }),
    part: finding.part,
    stopped: finding.stopped,
    hint: hintOf(rows, { sent, failures: failed, broken: broken !== undefined }),
    counterexample,
  });
}

/** The events of a run of fast-check with these parameters, in order. */
function plannedEvents<Event>(events: fc.Arbitrary<Event>, parameters: fc.Parameters<[Event]>): Event[] {
  const planned: Event[] = [];
  fc.check(
    fc.property(events, (event) => {
      planned.push(event);
    }),
    parameters,
  );
  return planned;
}

/** Sends the events until one fails; those that fail, by their position. */
async function firstFailures<Event, Failed>(
  session: CheckKit['session'],
  events: readonly Event[],
  failureOf: (event: Event) => Promise<Failed | undefined>,
  isGoingOn: () => boolean,
): Promise<Map<number, Failed>> {
  const failures = new Map<number, Failed>();
  const left = events.map((event, at) => ({ event, at, records: recordsOf(event) }));
  const inUse = recordsInUse.get(session) ?? new RecordsInUse();
  recordsInUse.set(session, inUse);
  const lane = async () => {
    for (;;) {
      const next = await inUse.takeFirst(left);
      if (!next) return;
      using _use = next.use;
      if (failures.size > 0 || !isGoingOn()) return;
      const failure = await failureOf(next.event);
      if (failure) failures.set(next.at, failure);
    }
  };
  await Promise.all(Array.from({ length: mostAtOnce }, lane));
  return failures;
}

/** The records that the generated events in flight are about. */
const recordsInUse = new WeakMap<CheckKit['session'], RecordsInUse>();

function hintOf(
  rows: Counterexample['differences'],
  again: { sent: number; failures: number; broken: boolean },
): string {
  const repeated = again.broken
    ? ' Afterwards it could not be sent again.'
    : again.failures === again.sent
      ? ''
      : ` The same event failed ${again.failures} of ${again.sent} times when it was sent again.`;
  const [row] = rows;
  if (!row) return `No event was accepted that it could be compared with.${repeated}`;
  const more = rows.length === 1 ? '' : ` and ${rows.length - 1} more`;
  return `It differs from an accepted event at ${row.pointer}${more}: ${row.failing} instead of ${row.accepted}.${repeated}`;
}
