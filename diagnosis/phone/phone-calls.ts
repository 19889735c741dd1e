import { Call } from '../../harness/wire/call.ts';
import type { CallTimeouts } from '../../harness/wire/call-timeouts.ts';
import { CallConnection } from '../../harness/wire/call-connection.ts';
import { LagMeter } from '../../harness/wire/lag-meter.ts';
import type { CallAnswer, CallObservation } from '../../harness/wire/observation.ts';
import { requestedPauseMs } from '../../harness/wire/requested-pause.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { isConnected, hasNoCall } from '../../harness/wire/upgrade-answer.ts';
import { Brand } from '../../specs/brand.ts';
import { limits, protocolRevision } from '../../specs/limits.ts';
import { OutOfTime, type Connection } from '../connection.ts';

/** How to dial and begin one call. */
export interface DiagnosisCallOptions {
  label: string;
  /** Makes the first frame from the typical one. */
  started?: (typical: Record<string, unknown>) => Record<string, unknown>;
  /** Replaces the correct upgrade. */
  upgrade?: SignedDelivery;
  /** Milliseconds of the greeting of the caller; default: that of {@link PhoneCalls.greetingMs}. */
  greetingMs?: number;
  /** Milliseconds for the first piece of an answer; default: the timeout of the connection. */
  firstPieceMs?: number;
}

/** Milliseconds of a short but realistic greeting. */
export const fullGreetingMs = 800;
/** Milliseconds to wait beyond the set-up limit, to measure how late a connection is. */
const beyondSetupMs = 10_000;
/** Milliseconds after a skill or an empty closing piece in which speech may follow. */
const quietMs = 250;
/** Milliseconds to listen to an answer that does not end. */
const longestAnswerMs = 30_000;
/** Multiple of the slowest start of an answer after which none is expected. */
const roomToSpare = 4;
/** Shortest timeout of an answer in milliseconds. */
const shortestWaitMs = 1_000;
/** Milliseconds in which a connection usually closes. */
const usualClosingMs = 150;
const triesWhenThrottled = 4;

/**
 * Calls to one connection, controlled frame by frame: unlike the driver of the checks, it keeps asking a silent AI.
 */
export class PhoneCalls implements AsyncDisposable {
  readonly connection: Connection;
  readonly sentence: string;
  /** Every call so far that connected. */
  readonly connected: CallObservation[] = [];
  /** Milliseconds between the first frame and the first sentence. */
  greetingMs = fullGreetingMs;
  readonly #lag = new LagMeter();
  readonly #ending: Promise<unknown>[] = [];
  readonly #nextPieceMs: number;
  #slowestMs: number | undefined;

  /** @param nextPieceMs milliseconds after which an answer without a closing piece counts as not closed */
  constructor(connection: Connection, { nextPieceMs = connection.timeoutMs }: { nextPieceMs?: number } = {}) {
    this.connection = connection;
    this.sentence = connection.session.sample.callerSentence;
    this.#nextPieceMs = nextPieceMs;
  }

  /** Milliseconds in which this AI begins to answer, judging by its earlier answers. */
  get usualMs(): number {
    const { timeoutMs } = this.connection;
    if (this.#slowestMs === undefined) return timeoutMs;
    return Math.min(timeoutMs, Math.max(shortestWaitMs, roomToSpare * this.#slowestMs + quietMs));
  }

  /** A typical first frame, of a call with this id. */
  session(callId = this.connection.session.ids.text()): Record<string, unknown> {
    return { ...this.connection.session.sample.sessionStarted(), callId };
  }

  /** Dials. The observation of the call shows whether it connected. Throws {@link OutOfTime}. */
  async dial({
    label,
    upgrade,
    firstPieceMs,
    callId = this.connection.session.ids.text(),
  }: DiagnosisCallOptions & { callId?: string }): Promise<Call> {
    const { connection } = this;
    const signed = upgrade ?? connection.session.phone.upgrade(callId, protocolRevision);
    for (let tries = 1; ; tries++) {
      this.assertTime();
      const outgoing = { url: connection.url, method: 'GET' };
      await connection.admit(outgoing);
      connection.deliveries++;
      const from = performance.now();
      const line = await CallConnection.dial(signed.request(connection.url, Date.now()), {
        label,
        callId,
        brand: Brand.named(connection.config.brand),
        route: connection.session.routes.to(connection.url),
        timeoutMs: Math.min(limits.phoneSetupMs + beyondSetupMs, Math.max(1, connection.remainingMs)),
      });
      const { observation } = line;
      const { proxyMs = 0 } = observation.times;
      observation.times.lagMs = proxyMs + this.#lag.whileDialling(from, performance.now());
      connection.keep(observation);
      if (hasNoCall(observation.answer)) connection.session.limits.refund(outgoing);
      if (observation.answer.outcome === 'no-answer') this.assertTime();
      const pause = requestedPauseMs(observation.answer);
      if (pause !== undefined && pause < connection.remainingMs && tries < triesWhenThrottled) {
        await new Promise((wake) => setTimeout(wake, pause));
        continue;
      }
      if (isConnected(observation.answer)) this.connected.push(observation);
      return new Call(line, { timeouts: () => this.#timeouts(firstPieceMs), lag: this.#lag });
    }
  }

  /** Dials, begins the call, and waits for the greeting. */
  async begin(options: DiagnosisCallOptions): Promise<Call> {
    const first = (options.started ?? ((typical) => typical))(this.session());
    const callId = typeof first.callId === 'string' ? first.callId : this.connection.session.ids.text();
    const call = await this.dial({ ...options, callId });
    if (!call.isUp) return call;
    call.start(first);
    await call.pass(options.greetingMs ?? this.greetingMs);
    return call;
  }

  /** A sentence and its answer. Throws {@link OutOfTime} when the time of the diagnosis ended the wait. */
  async ask(call: Call, text: string = this.sentence): Promise<CallAnswer> {
    const answer = await call.ask(text);
    if (answer.outcome === 'nothing' || answer.outcome === 'not-closed') this.assertTime();
    if (answer.firstPieceMs !== null) {
      this.#slowestMs = Math.max(this.#slowestMs ?? 0, answer.firstPieceMs);
    }
    // The end of the call shows which side closed it.
    if (!call.isUp) await call.end();
    return answer;
  }

  /** Ends a call as the service does, without waiting long for the peer. */
  async end(call: Call): Promise<void> {
    const ended = call.end();
    this.#ending.push(ended);
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise((resolve) => (timer = setTimeout(resolve, usualClosingMs)));
    await Promise.race([ended, enough]);
    clearTimeout(timer);
  }

  /** Waits until every ended call is closed. */
  async allDown(): Promise<void> {
    await Promise.all(this.#ending);
  }

  /** Throws {@link OutOfTime} after the deadline, which may also have shortened a wait. */
  assertTime(): void {
    if (this.connection.remainingMs <= 0) throw new OutOfTime('The time for the diagnosis is over.');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.allDown();
    this.#lag[Symbol.dispose]();
  }

  #timeouts(firstPieceMs = this.connection.timeoutMs): CallTimeouts {
    const most = Math.max(1, this.connection.remainingMs);
    return {
      firstPieceMs: Math.min(firstPieceMs, most),
      nextPieceMs: Math.min(this.#nextPieceMs, most),
      wholeMs: Math.min(longestAnswerMs, most),
      shortened: false,
      quietMs,
      usualMs: this.usualMs,
    };
  }
}
