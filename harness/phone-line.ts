import { limits } from '../specs/limits.ts';
import { CallConnection } from './call-connection.ts';
import { currentRecord } from './check-record.ts';
import { HarnessFault, NotExercised } from './faults.ts';
import { sharedLanes, type Gate } from './gate.ts';
import type { LagMeter } from './lag.ts';
import type { Answer, WireRequest } from './observation.ts';
import { askedPause, type Pace } from './pace.ts';
import type { Reach } from './reach.ts';

/** What the drivers of one session share. */
export interface SharedTraffic {
  url: () => string;
  gate: Gate;
  lag: LagMeter;
  pace: Pace;
  reach: Reach;
}

/** How one call is put through. */
export interface LineOptions {
  label: string;
  callId: string;
  /** The endpoint is right to refuse it, in whatever way. */
  toBeRefused?: boolean;
  /** Another call of the same check is going on. */
  besideAnother?: boolean;
  limitMs?: number;
  /** Earlier calls have filled the room that there is for frames. */
  isShort?: boolean;
}

/** Milliseconds beyond the set-up limit that we listen, so that the report can say how late a connection was. */
const beyondSetupMs = 2_000;
/** Times that one call is dialled when the endpoint asks for a pause. */
const triesWhenThrottled = 6;
/** Milliseconds after which a call that found the endpoint busy is dialled again. */
const busyPauseMs = 500;

/** Puts calls through to one address: as many at once as it takes, again after a pause, and no more when it is no use. */
export class PhoneLine {
  readonly #traffic: SharedTraffic;
  /** Calls that the endpoint takes at once, as far as is known. */
  #capacity: number = sharedLanes;
  #standing: CallConnection[] = [];

  constructor(traffic: SharedTraffic) {
    this.#traffic = traffic;
  }

  /** Calls that may be in the air at once. */
  get capacity(): number {
    return this.#capacity;
  }

  takeOneAtATime(): void {
    this.#capacity = 1;
  }

  /** Runs while `count` calls may be in the air. */
  async inLanes<T>(count: number, run: () => Promise<T>): Promise<T> {
    const { gate, pace, url } = this.#traffic;
    if (currentRecord()?.alone === true) return await run();
    const each = Math.max(pace.lanes(url()), Math.ceil(sharedLanes / this.#capacity));
    const lanes = each * count;
    using _lanes = await gate.shared(Math.min(lanes, sharedLanes));
    return await run();
  }

  /**
   * Dials until the endpoint asks for no pause any more; `request` is made at the moment of dialling, from Unix
   * milliseconds. Throws {@link HarnessFault} as `Session.send`, and {@link NotExercised} when the endpoint takes no more
   * calls beside those of the same check.
   */
  async dial(request: (now: number) => WireRequest, options: LineOptions): Promise<CallConnection> {
    const { reach, lag } = this.#traffic;
    const url = this.#traffic.url();
    const patienceMs = limits.phoneSetupMs + beyondSetupMs;
    for (let tries = 1; ; tries++) {
      reach.before(url, patienceMs, 'calls');
      // Signed only now: t is the time of sending, not of queueing.
      const from = performance.now();
      const connection = await CallConnection.dial(request(Date.now()), { ...options, patienceMs });
      const { observation } = connection;
      observation.times.lagMs = lag.between(from, performance.now());
      currentRecord()?.keep(observation);
      reach.connected(url, observation.answer, options.label);
      this.#standing = this.#standing.filter(({ isUp }) => isUp);
      if (options.toBeRefused === true) return connection;
      reach.answered(url, observation.answer.outcome !== 'no-answer', 'calls');
      const pause = this.#askedPause(observation.answer, options);
      if (connection.isUp) this.#standing.push(connection);
      if (pause === undefined) return connection;
      if (tries === triesWhenThrottled) {
        throw new HarnessFault(
          'target-throttles',
          `${url} went on asking for a pause (429 or 503) after ${tries} tries. Let the endpoint take more calls for this run.`,
        );
      }
      await new Promise((wake) => setTimeout(wake, pause));
    }
  }

  /**
   * Milliseconds to wait before a call is dialled again. An endpoint that takes no more while calls of ours stand (503 or
   * 429) gets no more at once from then on: how many it takes is not stated.
   */
  #askedPause(answer: Answer, { besideAnother = false }: LineOptions): number | undefined {
    const standing = this.#standing.length;
    const isBusy = answer.outcome === 'answered' && (answer.status === 503 || answer.status === 429);
    if (isBusy && standing > 0) this.#capacity = Math.min(this.#capacity, standing);
    if (isBusy && besideAnother) {
      throw new NotExercised(`With ${standing} calls going on the endpoint answered ${answer.status} to the next one.`);
    }
    return askedPause(answer) ?? (isBusy ? busyPauseMs : undefined);
  }
}
