import fc from 'fast-check';
import type { CheckKit } from '../harness/checks/check.ts';
import { currentRecord } from '../harness/checks/check-record.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import { NotWanted } from '../harness/checks/wanted.ts';
import { slowPropertyFactor } from '../harness/config/settings.ts';
import { isCutOff } from '../harness/checks/time-budget.ts';
import { FindingError, type Finding } from '../harness/checks/finding.ts';
import type { CallObservation, Observation } from '../harness/wire/observation.ts';
import { differences, nearest } from '../generators/differences.ts';
import { minimise } from '../generators/minimise.ts';
import type { Counterexample } from '../specs/generated/types.ts';
import { describeConfigLimit } from './describe-config-limit.ts';
import { describeExchange } from './matchers/describe-answer.ts';
import { stopFault, stopFinding } from './matchers/endpoint-stop.ts';
import { recordsOf, RecordsInUse } from './records-in-use.ts';
import { generatedValues, inTurn, isSlow, severalAtOnce } from './several-at-once.ts';

/** Number of accepted events kept for comparison with a failing one. */
const rememberedAccepted = 200;
/** Characters of the smallest failing event that a report shows. */
const shownEventCharacters = 4_000;
/** Edge cases that are tried to find an accepted event for comparison if the first event failed. */
const triedForAccepted = 12;
/** Events that must have been sent for a pass. */
const fewestSent = 12;
/** Number of repetitions of the smallest failing event, to report whether it always fails. */
const repeats = 2;

/** The records that generated events of each session are about while they are in flight: properties run concurrently. */
const recordsInUse = new WeakMap<CheckKit['session'], RecordsInUse>();

/** An exchange, and what is wrong with it. */
interface Failure<Seen> {
  observation: Seen;
  finding: Finding;
}

/** A property of the endpoint: every event made by `events` is answered as `judge` says. */
export interface EndpointProperty<Event, Seen extends Observation | CallObservation = Observation> {
  events: fc.Arbitrary<Event>;
  /** Every edge of every field once. */
  edges: readonly Event[];
  isValid: (event: unknown) => boolean;
  /** Whether events of this type were never answered. */
  isUnanswered?: (event: Event) => boolean;
  /**
   * The same event without the subject of this property: if it fails too, the cause is a different one, which is not
   * judged here.
   */
  tame?: (event: Event) => Event;
  /** Generated events in addition to the edges. */
  runs: number;
  deliver: (event: Event) => Promise<Seen>;
  judge: (observation: Seen) => Finding | undefined;
}

/**
 * Sends edge cases and generated events in turn, several at once, until one is answered wrongly, then makes that one smaller
 * within `settings.shrinkMs`: first on its own (fast-check), then towards the nearest accepted event, so that what is
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
  /** An event that was not sent, since events of its type are never answered, which other checks judge. */
  let unsent: Event | undefined;
  let last: Failure<Seen> | undefined;
  let failedAt: number | undefined;
  /** Milliseconds of the latest answer. */
  let answerMs = 0;
  const inUse = recordsInUse.get(kit.session) ?? new RecordsInUse();
  recordsInUse.set(kit.session, inUse);
  const send = async (event: Event): Promise<Failure<Seen> | undefined> => {
    using _records = await inUse.take(recordsOf(event));
    const observation = await property.deliver(event);
    answerMs = timeOfAnswer(observation);
    sentEvents++;
    const stopped = stopFault(observation);
    // If the endpoint stops during shrinking, the finding so far is kept.
    if (stopped && last && !last.finding.stopped) throw stopped;
    const finding = stopFinding(observation) ?? property.judge(observation);
    if (record) record.judged++;
    if (finding) return { observation, finding };
    if (accepted.push(event) > rememberedAccepted) accepted.shift();
    return undefined;
  };
  let broken: Error | undefined;
  /** Like `send`; an event that can no longer be sent counts as accepted, which ends the search. */
  const trySend = async (event: Event): Promise<Failure<Seen> | undefined> => {
    if (broken !== undefined) return undefined;
    try {
      return await send(event);
    } catch (error) {
      if (error instanceof NotWanted) throw error;
      broken ??= error as Error;
      return undefined;
    }
  };
  const holds = async (event: Event): Promise<boolean> => {
    const failure = await trySend(event);
    if (failure) last = failure;
    return failure === undefined;
  };
  const runFrom = performance.now();
  const leftMs = kit.session.budget.leftFor(record?.part);
  const propertyMs = () => settings.propertyMs * (sentEvents < fewestSent ? slowPropertyFactor : 1);
  const isOver = () => performance.now() > runFrom + Math.min(propertyMs(), leftMs);
  const isSent = (event: Event) => {
    if (property.isUnanswered?.(event) !== true) return true;
    unsent = event;
    return false;
  };
  /** The first of the events, in their order, that was answered wrongly. */
  let first: (Failure<Seen> & { at: number; sentEvents: number }) | undefined;
  /** Number of events that fast-check has come to. */
  let reached = 0;
  const meant = property.edges.length + property.runs;
  const anyEvent = fc.asyncProperty(property.events, async (event) => {
    if (failedAt !== undefined) {
      // After the time for shrinking every candidate counts as accepted without being sent, which ends the shrinking.
      return performance.now() > failedAt + settings.shrinkMs / 2 || !isSent(event) || (await holds(event));
    }
    if (first !== undefined && reached++ < first.at) return true;
    last = first ?? (isSent(event) ? await trySend(event) : undefined);
    if (last) failedAt = performance.now();
    return last === undefined;
  });
  const parameters = {
    seed: settings.seed,
    numRuns: meant,
    examples: property.edges.map((event): [Event] => [event]),
    ...(settings.path === undefined ? {} : { path: settings.path }),
  };
  if (settings.path === undefined) {
    await severalAtOnce(generatedValues(property.events, parameters), {
      isSlow: isSlow(kit),
      order: inTurn(property.edges.length, property.runs),
      isFree: (event) => inUse.areFree(recordsOf(event)),
      isOver: () => first !== undefined || broken !== undefined || isOver(),
      isEnough: (sent) => sent >= fewestSent && performance.now() > runFrom + settings.propertyMs,
      run: async (event, at) => {
        const failure = isSent(event) ? await trySend(event) : undefined;
        if (failure && at < (first?.at ?? Infinity)) first = { ...failure, at, sentEvents };
        return answerMs;
      },
    });
  }
  const run = first || settings.path !== undefined ? await fc.check(anyEvent, parameters) : undefined;
  if (run?.failed !== true) {
    const isCut = isCutOff(broken) || leftMs < propertyMs();
    if (broken !== undefined && !(isCutOff(broken) && sentEvents > 0)) throw broken;
    // None of the types is answered, so the result of this one is that of all.
    const unanswered = sentEvents === 0 && unsent !== undefined ? await send(unsent) : undefined;
    if (unanswered) throw new FindingError(unanswered.finding);
    if (settings.path !== undefined) return;
    const more =
      describeConfigLimit(kit, broken) ?? (isCut ? '--budget gives the run more time' : '--thorough sends them all');
    const summary =
      unsent === undefined
        ? `${sentEvents} of ${meant} events were sent in the time for them; ${more}.`
        : `${sentEvents} of ${meant} events were sent; types of events that were never answered were omitted.`;
    if (sentEvents < Math.min(fewestSent, meant)) {
      if (isCut) throw broken ?? kit.session.budget.fault();
      return kit.notExercised(`Only ${summary}`);
    }
    if (record && sentEvents < meant) record.note = summary;
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
  let [sent, failures] = [0, 0];
  while (sent < repeats && broken === undefined && performance.now() < deadline + settings.shrinkMs) {
    if (!(await holds(minimal.event))) failures++;
    if (broken === undefined) sent++;
  }
  if (property.tame && broken === undefined && !(await holds(property.tame(minimal.event)))) {
    return kit.notExercised('The failing answers have a different cause; other checks judge that.');
  }
  if (!last) throw new TypeError('A property failed without a finding.');
  record?.decideBy(last.observation);
  if (sent > 0 && failures === 0) {
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
    runs: first?.sentEvents ?? run.numRuns,
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
    hint: hintOf(rows, { sent, failures, broken: broken !== undefined }),
    counterexample,
  });
}

/** Milliseconds of an answer, or of a whole call; infinite without an end. */
function timeOfAnswer(observation: Observation | CallObservation): number {
  return ('frames' in observation ? observation.end?.atMs : observation.times.totalMs) ?? Infinity;
}

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
