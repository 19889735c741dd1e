import { formatMs } from '../format-ms.ts';
import type { Observation, WireExchange } from '../../harness/wire/observation.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { timelinessOf } from '../../harness/wire/timeliness.ts';
import type { Connection } from '../connection.ts';

/** The measured time of one event. */
export interface Measurement {
  /** Completes "… took 3.1 s". */
  what: string;
  /** Measured milliseconds; the waiting time if there was no answer. */
  ms: number;
  /** Milliseconds until the first byte of the answer; `null` without one. */
  firstByteMs: number | null;
  /** Longer than the limit, even after subtracting our own delay. */
  slow: boolean;
  /** Neither certainly in time nor certainly late, because of our own delay. */
  uncertain: boolean;
  /** Answered with a 2xx, in time or not. */
  accepted: boolean;
  /** It needed a new connection. */
  connected: boolean;
  observation: Observation;
}

export interface TimedOptions {
  fresh?: boolean;
  timeoutMs?: number;
  /** Another event that is in flight when this one is sent. Its own time is not measured. */
  ahead?: Record<string, unknown>;
  /** Changes the valid delivery, for example its signature. */
  change?: (delivery: SignedDelivery) => SignedDelivery;
}

/** Measurement error in milliseconds on a busy machine. */
export const jitterMs = 60;

/** Milliseconds by which an event that is sent ahead is in flight before the measured one. */
const headStartMs = 25;

/** Most measurements of one event while our own delay makes the result uncertain. */
const mostMeasurements = 3;

/** Sends events and compares their times with the limit of the surface. */
export class Stopwatch {
  readonly limitMs: number;
  readonly seen: string[] = [];
  readonly #connection: Connection;

  constructor(connection: Connection, limitMs: number) {
    this.#connection = connection;
    this.limitMs = limitMs;
  }

  /** Sends one event, by default a typical one. `what` completes "… took 3.1 s". Throws {@link OutOfTime}. */
  async take(
    what: string,
    event?: Record<string, unknown>,
    { fresh = false, timeoutMs, ahead, change = (delivery) => delivery }: TimedOptions = {},
  ): Promise<Measurement> {
    const options = { fresh, change, ...(timeoutMs !== undefined && { timeoutMs }) };
    const [measurement] = await this.#measured(async () => {
      if (ahead === undefined) return [await this.#send(what, event, options)];
      const soon = new Promise((wake) => setTimeout(wake, headStartMs));
      const [, measured] = await Promise.all([
        this.#send('the other event', ahead, {}),
        soon.then(() => this.#send(what, event, options)),
      ]);
      return [measured];
    });
    this.seen.push(this.#describe(measurement as Measurement));
    return measurement as Measurement;
  }

  /** Sends these events concurrently, while those of `ahead` are in flight, whose times are not measured. */
  async atOnce(
    what: string,
    events: readonly (Record<string, unknown> | undefined)[],
    ahead: readonly Record<string, unknown>[] = [],
  ): Promise<Measurement[]> {
    const all = await this.#measured(async () => {
      const soon = new Promise((wake) => setTimeout(wake, ahead.length === 0 ? 0 : headStartMs));
      const [, measured] = await Promise.all([
        Promise.all(ahead.map((event) => this.#send('the other event', event, {}))),
        soon.then(() => Promise.all(events.map((event) => this.#send(what, event, {})))),
      ]);
      return measured;
    });
    const times = all.map(({ ms }) => ms).sort((a, b) => a - b);
    const failed = all.filter(({ accepted, slow }) => !accepted && !slow).length;
    const troubles = failed === 0 ? '' : `; ${failed} of them were not accepted`;
    this.seen.push(
      `${capital(what)} took ${times.map(formatMs).join(', ')}${troubles} (limit ${formatMs(this.limitMs)}).`,
    );
    return all;
  }

  /** Events that were sent before this probe, oldest first, accepted or not. */
  earlier(): Measurement[] {
    const isOurs = (exchange: WireExchange): exchange is Observation =>
      exchange.kind === 'http' && exchange.request.method === 'POST' && exchange.request.url === this.#connection.url;
    return this.#connection.exchanges
      .filter(isOurs)
      .map((observation) => this.#measurementOf('an event that was sent before', observation));
  }

  /** Repeats a measurement while our own delay makes it uncertain. */
  async #measured(measure: () => Promise<Measurement[]>): Promise<Measurement[]> {
    for (let nth = 1; ; nth++) {
      const all = await measure();
      if (nth === mostMeasurements || !all.some(({ uncertain }) => uncertain)) return all;
    }
  }

  async #send(what: string, event: Record<string, unknown> | undefined, options: TimedOptions): Promise<Measurement> {
    const { change = (delivery) => delivery, ...deliver } = options;
    const { delivery } = this.#connection.case({ event });
    // The client releases the previous connection only in a later tick.
    await new Promise((wake) => setImmediate(wake));
    const observation = await this.#connection.ask(change(delivery), {
      label: what,
      timed: true,
      limitMs: this.limitMs,
      ...deliver,
    });
    return this.#measurementOf(what, observation);
  }

  #measurementOf(what: string, observation: Observation): Measurement {
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

  #describe(measurement: Measurement): string {
    const { answer } = measurement.observation;
    const { lagMs, proxyMs = 0 } = measurement.observation.times;
    const delayed = proxyMs > 0 ? 'our own process and the proxy' : 'our own process';
    const lag = measurement.uncertain ? `, ${delayed} delayed by up to ${formatMs(lagMs)}` : '';
    const limit = `(limit ${formatMs(this.limitMs)}${lag})`;
    const who = capital(measurement.what);
    switch (answer.outcome) {
      case 'answered':
        return `${who} was answered ${answer.status} and took ${formatMs(measurement.ms)} ${limit}.`;
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

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
