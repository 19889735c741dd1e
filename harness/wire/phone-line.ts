import { limits } from '../../specs/limits.ts';
import { CallConnection } from './call-connection.ts';
import { currentRecord } from '../checks/check-record.ts';
import { HarnessFault, NotExercised } from '../checks/faults.ts';
import { sharedLanes, type Gate } from './gate.ts';
import type { LagMeter } from './lag.ts';
import type { Answer, CallObservation, WireRequest } from './observation.ts';
import { requestedPauseMs, type Pace } from './pace.ts';
import { lostConnection, type Reach } from './reach.ts';
import { isConnected } from './upgrade-answer.ts';

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
  hasOtherCalls?: boolean;
  limitMs?: number;
  /** The AI has flooded an earlier call. */
  afterFlood?: boolean;
}

/** Milliseconds beyond the set-up limit that we listen, so that the report can say how late a connection was. */
const beyondSetupMs = 2_000;
/** Times that one call is dialled when the endpoint is busy with others, or away for a moment. */
const triesToDial = 6;
/** Milliseconds after which a call that found the endpoint busy is dialled again, and the longest that it may ask for. */
const busyPauseMs = 500;
const longestBusyPauseMs = 10_000;

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

  limitToOneCall(): void {
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
   * calls alongside those of the same check.
   */
  async dial(request: (now: number) => WireRequest, options: LineOptions): Promise<CallConnection> {
    const { reach, lag } = this.#traffic;
    const url = this.#traffic.url();
    const patienceMs = limits.phoneSetupMs + beyondSetupMs;
    for (let tries = 1; ; tries++) {
      const throttling = reach.throttlingOf(options.toBeRefused === true);
      await throttling.pause(url);
      reach.before(url, patienceMs, 'calls');
      const sending = reach.sending(url, options.label);
      // Signed only now: t is the time of sending, not of queueing.
      const from = performance.now();
      const onDown = async (isBroken: boolean) => {
        if (isBroken) return await sending.closed();
        sending[Symbol.dispose]();
        return undefined;
      };
      const connection = await CallConnection.dial(request(Date.now()), { ...options, patienceMs, onDown });
      const { observation } = connection;
      const { answer } = observation;
      observation.times.lagMs = lag.whileDialling(from, performance.now());
      const hasReturned = await reach.ended(url, answer, { sending, label: options.label });
      if (answer.outcome === 'unreachable') {
        if (hasReturned && tries < triesToDial) continue;
        throw lostConnection(url, tries, answer.detail);
      }
      currentRecord()?.keep(observation);
      if (!isConnected(answer)) sending[Symbol.dispose]();
      this.#standing = this.#standing.filter(({ isUp }) => isUp);
      if (connection.isUp) this.#standing.push(connection);
      if (options.toBeRefused === true) return connection;
      reach.answered(url, answer.outcome !== 'no-answer', 'calls');
      const pause = this.#busyPause(answer, options);
      if (pause === undefined) {
        if (!throttling.book(url, answer, from)) return connection;
      } else if (tries === triesToDial) {
        throw new HarnessFault(
          'target-throttles',
          `${url} answered ${triesToDial} upgrades in a row with 429 or 503. Let the endpoint accept more calls for this run.`,
        );
      } else {
        await new Promise((wake) => setTimeout(wake, pause));
      }
    }
  }

  /** Whether the endpoint stopped during this call and listens again, so that the call can be repeated. */
  async hasReturned({ answer, end }: CallObservation): Promise<boolean> {
    const stop = answer.outcome === 'closed' ? answer.stop : end?.stop;
    return stop !== undefined && (await this.#traffic.reach.hasReturned(this.#traffic.url()));
  }

  /**
   * Milliseconds to wait before a call is dialled again that found the endpoint busy. An endpoint that accepts no more
   * while calls of ours are up (503 or 429) gets no more at once from then on: how many it accepts is not stated.
   */
  #busyPause(answer: Answer, { hasOtherCalls: besideAnother = false }: LineOptions): number | undefined {
    const standing = this.#standing.length;
    if (answer.outcome !== 'answered' || (answer.status !== 503 && answer.status !== 429)) return undefined;
    if (standing > 0) this.#capacity = Math.min(this.#capacity, standing);
    if (besideAnother) {
      throw new NotExercised(`With ${standing} calls going on the endpoint answered ${answer.status} to the next one.`);
    }
    const asked = requestedPauseMs(answer);
    if (standing === 0 && asked !== undefined) return undefined;
    // A longer pause than this is not about calls of ours that are up.
    return asked !== undefined && asked <= longestBusyPauseMs ? asked : busyPauseMs;
  }
}
