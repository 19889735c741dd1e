import type { Observation, WireExchange } from '../../harness/wire/observation.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { timelinessOf } from '../../harness/wire/timeliness.ts';
import type { Connection } from '../connection.ts';

/** How one event was taken, as far as time is concerned. */
export interface Measurement {
  /** Completes "… took 3.1 s". */
  what: string;
  /** Milliseconds as measured; of what did not come, those that we waited. */
  ms: number;
  /** Milliseconds until the first byte of the answer; `null` without any. */
  firstByteMs: number | null;
  /** Longer than the limit, whatever delay of our own is in its time. */
  slow: boolean;
  /** Neither in time nor late for certain, because of our own delay. */
  uncertain: boolean;
  /** Answered with a 2xx, in time or not. */
  accepted: boolean;
  /** It needed a new connection. */
  connected: boolean;
  observation: Observation;
}

export interface TimedOptions {
  fresh?: boolean;
  patienceMs?: number;
  /** Changes the right delivery: a wrong signature, say. */
  change?: (delivery: SignedDelivery) => SignedDelivery;
}

/** Milliseconds of time that a measurement may err by, on a busy machine. */
export const jitterMs = 60;

/** Measurements of one time, at most, while our own delay decides about its limit. */
const mostMeasurements = 3;

/** Sends events and takes their times against the limit of the surface. */
export class Stopwatch {
  readonly limitMs: number;
  readonly seen: string[] = [];
  readonly #connection: Connection;

  constructor(connection: Connection, limitMs: number) {
    this.#connection = connection;
    this.limitMs = limitMs;
  }

  /** Sends one event, by default a usual one. `what` completes "… took 3.1 s". Throws {@link OutOfTime}. */
  async take(
    what: string,
    event?: Record<string, unknown>,
    { fresh = false, patienceMs, change = (delivery) => delivery }: TimedOptions = {},
  ): Promise<Measurement> {
    const options = { fresh, change, ...(patienceMs !== undefined && { patienceMs }) };
    const [taken] = await this.#measured(async () => [await this.#send(what, event, options)]);
    this.seen.push(this.#sentenceOf(taken as Measurement));
    return taken as Measurement;
  }

  /** Sends as many usual events as `events` has, all at the same moment. */
  async atOnce(what: string, events: readonly (Record<string, unknown> | undefined)[]): Promise<Measurement[]> {
    const all = await this.#measured(() => Promise.all(events.map((event) => this.#send(what, event, {}))));
    const times = all.map(({ ms }) => ms).sort((a, b) => a - b);
    const failed = all.filter(({ accepted, slow }) => !accepted && !slow).length;
    const troubles = failed === 0 ? '' : `; ${failed} of them were not accepted`;
    this.seen.push(
      `${capital(what)} took ${times.map(formatMs).join(', ')}${troubles} (limit ${formatMs(this.limitMs)}).`,
    );
    return all;
  }

  /** What was sent before this probe and accepted, oldest first. */
  earlier(): Measurement[] {
    const isOurs = (exchange: WireExchange): exchange is Observation =>
      exchange.kind === 'http' && exchange.request.method === 'POST' && exchange.request.url === this.#connection.url;
    return this.#connection.exchanges
      .filter(isOurs)
      .map((observation) => this.#taken('an event that was sent before', observation))
      .filter(({ accepted }) => accepted);
  }

  /** Measures again while our own delay decides about a limit. */
  async #measured(measure: () => Promise<Measurement[]>): Promise<Measurement[]> {
    for (let nth = 1; ; nth++) {
      const all = await measure();
      if (nth === mostMeasurements || !all.some(({ uncertain }) => uncertain)) return all;
    }
  }

  async #send(what: string, event: Record<string, unknown> | undefined, options: TimedOptions): Promise<Measurement> {
    const { change = (delivery) => delivery, ...deliver } = options;
    const { delivery } = this.#connection.case({ event });
    // The connection of the answer before is free for the next request only after what the client still does with it.
    await new Promise((wake) => setImmediate(wake));
    const observation = await this.#connection.ask(change(delivery), {
      label: what,
      timed: true,
      limitMs: this.limitMs,
      ...deliver,
    });
    return this.#taken(what, observation);
  }

  #taken(what: string, observation: Observation): Measurement {
    const { answer, times } = observation;
    const accepted = answer.outcome === 'answered' && answer.status >= 200 && answer.status < 300;
    const waitedMs = answer.outcome === 'no-answer' ? answer.afterMs : 0;
    const ms = times.totalMs ?? waitedMs;
    const timeliness = timelinessOf({ ms, lagMs: times.lagMs, limitMs: this.limitMs });
    const slow = answer.outcome === 'no-answer' || timeliness === 'late';
    return {
      what,
      ms,
      firstByteMs: times.firstByteMs,
      slow,
      uncertain: !slow && timeliness === 'uncertain',
      accepted,
      connected: times.connectMs !== null,
      observation,
    };
  }

  #sentenceOf(taken: Measurement): string {
    const { answer } = taken.observation;
    const lag = taken.uncertain ? `, our own process delayed by up to ${formatMs(taken.observation.times.lagMs)}` : '';
    const limit = `(limit ${formatMs(this.limitMs)}${lag})`;
    const who = capital(taken.what);
    switch (answer.outcome) {
      case 'answered':
        return `${who} was answered ${answer.status} and took ${formatMs(taken.ms)} ${limit}.`;
      case 'no-answer':
        return answer.status === undefined
          ? `${who} got no answer within ${formatMs(answer.afterMs)} ${limit}.`
          : `${who} was answered ${answer.status}, but the answer did not end within ${formatMs(answer.afterMs)} ${limit}.`;
      case 'closed':
      case 'malformed':
      case 'unreachable':
        return `${who} got no complete answer (${answer.outcome}).`;
    }
  }
}

/** A time as a person reads it. */
export function formatMs(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
