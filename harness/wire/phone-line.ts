import { setTimeout as delay } from 'node:timers/promises';
import type { Brand } from '../../specs/brand.ts';
import { limits } from '../../specs/limits.ts';
import { CallConnection } from './call-connection.ts';
import { currentRecord, waitsLong } from '../checks/check-record.ts';
import type { TimeBudget } from '../checks/time-budget.ts';
import { HarnessFault, NotExercised } from '../checks/faults.ts';
import { assertWanted } from '../checks/wanted.ts';
import { sharedLanes, type Lanes, type TrafficGate } from './traffic-gate.ts';
import type { LagMeter } from './lag-meter.ts';
import type { Answer, CallObservation, WireRequest } from './observation.ts';
import { placesOf } from './host-and-port.ts';
import type { AddressPace, Pace, PacedExchange } from './pace.ts';
import { requestedPauseMs } from './requested-pause.ts';
import { lostConnection, type Reach } from './reach.ts';
import type { Routes } from './routes.ts';
import type { TrafficLimits } from './traffic-limits.ts';
import { isConnected, hasNoCall } from './upgrade-answer.ts';

/** Shared state of the drivers of one session. */
export interface SharedTraffic {
  url: () => string;
  gate: TrafficGate;
  lag: LagMeter;
  pace: Pace;
  reach: Reach;
  budget: TimeBudget;
  brand: Brand;
  routes: Routes;
  limits: TrafficLimits;
}

/** The number of concurrent calls, one to be refused, or calls with nothing else in flight. */
export type CallLanes = number | 'refused' | 'all';

/** Options of dialling one call. */
export interface LineOptions {
  label: string;
  callId: string;
  /** The endpoint should reject it, in any way. */
  toBeRefused?: boolean;
  /** The same check has another open call. */
  hasOtherCalls?: boolean;
  limitMs?: number;
  /** The AI has flooded an earlier call. */
  afterFlood?: boolean;
}

/** Additional milliseconds to wait beyond the set-up limit, so that the report can show how late a connection was. */
const beyondSetupMs = 2_000;
/** Maximum attempts to dial one call when the endpoint is busy or briefly unavailable. */
const triesToDial = 6;
/** Lanes of a call with an AI that more exchanges do not slow down: most of the time it only waits for words. */
const lanesOfCall = 0.5;
/**
 * The same if the AI often speaks for at least this many milliseconds, so that its calls last long and consist of few
 * frames, or if as many exchanges at once did not slow it down.
 */
const lanesOfLongCall = 0.25;
const longSpeechMs = 1_000;
/** Number of latest answers whose speech determines that, and the part of them that must be long: some are short. */
const rememberedSpeeches = 20;
const longPart = 0.25;
/** Milliseconds until a call to a busy endpoint is redialled, and the longest pause that it may request. */
const busyPauseMs = 500;
const longestBusyPauseMs = 10_000;

/**
 * Dials calls to one address: limits concurrency to what it accepts, retries after pauses, and stops when retrying is
 * pointless.
 */
export class PhoneLine {
  readonly #traffic: SharedTraffic;
  /** Concurrent calls that the endpoint accepts, as far as known. */
  #capacity = Infinity;
  /** Milliseconds of speech of the latest answers. */
  #speechesMs: number[] = [];
  #open: CallConnection[] = [];

  constructor(traffic: SharedTraffic) {
    this.#traffic = traffic;
  }

  /** Maximum number of concurrent calls. */
  get capacity(): number {
    return this.#capacity;
  }

  /** Whether the AI often speaks for a second or more. */
  get speaksLong(): boolean {
    const long = this.#speechesMs.filter((ms) => ms >= longSpeechMs).length;
    return long > 0 && long >= longPart * this.#speechesMs.length;
  }

  limitToOneCall(): void {
    this.#capacity = 1;
  }

  /** Records how long the AI spoke in one answer. */
  bookSpeech(ms: number): void {
    this.#speechesMs = [...this.#speechesMs, ms].slice(-rememberedSpeeches);
  }

  /**
   * Runs while it has the lanes for these calls; not paced if nothing else is in flight. `isFirst`: before others, by default
   * calls that should be refused, and those that a check waits long for.
   */
  async inLanes<T>(
    calls: CallLanes,
    run: (calls: PacedExchange | undefined) => Promise<T>,
    { isFirst = calls === 'refused' || waitsLong() } = {},
  ): Promise<T> {
    const { url, budget, limits: traffic } = this.#traffic;
    const outgoing = { url: url(), method: 'GET' };
    const atOnce = typeof calls === 'number' ? calls : 1;
    const isAlone = currentRecord()?.alone === true;
    for (let waitMs = 0; ;) {
      budget.assertLeft(currentRecord()?.part, waitMs);
      if (waitMs > 0) await delay(waitMs);
      using _lanes = isAlone ? undefined : await this.#acquire(calls, isFirst);
      assertWanted();
      // Only now: slots that wait for lanes would keep others from being sent.
      using room = traffic.reserve(outgoing, atOnce);
      ({ waitMs } = room);
      if (waitMs > 0) continue;
      using paced = calls === 'all' ? undefined : this.#paceOf(calls).begin(calls === 'refused' ? 1 : calls);
      return await room.run(() => run(paced));
    }
  }

  #acquire(calls: CallLanes, isFirst: boolean): Promise<Lanes> {
    const { gate, url } = this.#traffic;
    if (calls === 'all') return gate.alone();
    const most = () => (this.#paceOf(calls).ownLanes === sharedLanes ? 1 : Infinity);
    return gate.shared(() => this.#lanesOf(calls), { ...placesOf(url()), most, isFirst });
  }

  #paceOf(calls: CallLanes): AddressPace {
    return this.#traffic.pace.of(this.#traffic.url(), { toBeRefused: calls === 'refused' });
  }

  #lanesOf(calls: CallLanes): number {
    if (calls === 'all') return sharedLanes;
    const { ownLanes, lanes } = this.#paceOf(calls);
    if (calls === 'refused') return lanes;
    // One call at a time still leaves lanes to others.
    const known = ownLanes === sharedLanes ? lanes : ownLanes;
    const paced = Math.max(known, 1);
    const fewest = this.speaksLong ? lanesOfLongCall : Math.max(lanesOfLongCall, Math.min(known, lanesOfCall));
    const ofCall = paced === 1 ? fewest : lanesOfCall;
    const accepted = Math.ceil(sharedLanes / this.#capacity / ofCall) * ofCall;
    return calls * Math.max(paced === sharedLanes ? paced : paced * ofCall, accepted);
  }

  /**
   * Dials until the endpoint requests no further pause; `request` is created at the moment of dialling, from Unix
   * milliseconds. Throws {@link HarnessFault} like `Session.send`, and {@link NotExercised} when the endpoint accepts
   * no more calls alongside those of the same check.
   */
  async dial(request: (now: number) => WireRequest, options: LineOptions): Promise<CallConnection> {
    const { reach, lag, brand, budget, routes, limits: traffic } = this.#traffic;
    const url = this.#traffic.url();
    const outgoing = { url, method: 'GET' };
    const route = routes.to(url);
    const timeoutMs = limits.phoneSetupMs + beyondSetupMs;
    for (let tries = 1; ; tries++) {
      const throttling = reach.throttlingOf(options.toBeRefused === true);
      budget.assertLeft(currentRecord()?.part, throttling.remainingMs(url));
      await throttling.pause(url);
      reach.before(url, timeoutMs, 'calls');
      await traffic.pass(outgoing, (waitMs) => budget.assertLeft(currentRecord()?.part, waitMs));
      const sending = reach.sending(url, options.label);
      // Signed only now: t is the time of sending, not of queueing.
      const from = performance.now();
      const openBefore = this.#open.filter(({ isUp }) => isUp).length;
      const onDown = async (isBroken: boolean) => {
        if (isBroken) return await sending.closed();
        sending[Symbol.dispose]();
        return undefined;
      };
      const connection = await CallConnection.dial(request(Date.now()), {
        ...options,
        timeoutMs,
        onDown,
        brand,
        route,
      });
      const { observation } = connection;
      const { answer } = observation;
      if (hasNoCall(answer)) traffic.refund(outgoing);
      const { proxyMs = 0 } = observation.times;
      observation.times.lagMs = proxyMs + lag.whileDialling(from, performance.now());
      const hasReturned = await reach.ended(url, answer, { sending, label: options.label });
      if (answer.outcome === 'unreachable') {
        if (hasReturned && tries < triesToDial) continue;
        throw lostConnection(url, tries, answer.detail);
      }
      const record = currentRecord();
      record?.keep(observation);
      if (record) record.sent++;
      if (!isConnected(answer)) sending[Symbol.dispose]();
      this.#open = this.#open.filter(({ isUp }) => isUp);
      if (connection.isUp) this.#open.push(connection);
      if (options.toBeRefused === true) return connection;
      const isLast = tries === triesToDial && answer.outcome === 'no-answer';
      const pause = isLast ? undefined : this.#busyPause(answer, openBefore, options);
      if (pause === undefined) reach.answered(url, answer.outcome !== 'no-answer', 'calls');
      if (pause === undefined) {
        if (!throttling.book(url, answer, from)) return connection;
      } else if (tries === triesToDial) {
        throw new HarnessFault('target-throttles:upgrades', {
          url,
          count: triesToDial,
          pause: answer.outcome === 'answered' ? { status: answer.status } : undefined,
        });
      } else {
        await new Promise((wake) => setTimeout(wake, pause));
      }
    }
  }

  /** Whether the endpoint stopped during one of these calls and listens again, so that they can be repeated. */
  async hasReturned(...calls: readonly CallObservation[]): Promise<boolean> {
    return calls.some(hasStopped) && (await this.#traffic.reach.hasReturned(this.#traffic.url()));
  }

  /**
   * Milliseconds until a call to a busy endpoint is redialled. An endpoint that rejects calls while others are open
   * (503 or 429), or leaves them without an answer, gets no more concurrent calls from then on: the interface does not
   * state how many it must accept.
   */
  #busyPause(answer: Answer, openBefore: number, { hasOtherCalls = false }: LineOptions): number | undefined {
    const open = this.#open.length;
    if (answer.outcome === 'no-answer' && openBefore > 0) {
      this.#capacity = Math.min(this.#capacity, openBefore);
      if (!hasOtherCalls) return busyPauseMs;
      throw new NotExercised(
        `With ${openBefore} open ${openBefore === 1 ? 'call' : 'calls'} the endpoint left the next one without an answer for ${limits.phoneSetupMs / 1000} s.`,
      );
    }
    if (answer.outcome !== 'answered' || (answer.status !== 503 && answer.status !== 429)) return undefined;
    if (open > 0) this.#capacity = Math.min(this.#capacity, open);
    if (hasOtherCalls) {
      throw new NotExercised(`With ${open} open calls the endpoint answered the next one with ${answer.status}.`);
    }
    const asked = requestedPauseMs(answer);
    if (open === 0 && asked !== undefined) return undefined;
    // A longer pause is not due to our open calls.
    return asked !== undefined && asked <= longestBusyPauseMs ? asked : busyPauseMs;
  }
}

/** Whether the endpoint stopped during a call. */
export function hasStopped({ answer, end }: CallObservation): boolean {
  return (answer.outcome === 'closed' ? answer.stop : end?.stop) !== undefined;
}
