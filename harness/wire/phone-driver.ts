import { frameType } from '../../specs/frame-type.ts';
import { limits, protocolRevision } from '../../specs/limits.ts';
import type { SessionStarted, Skill } from '../../specs/generated/types.ts';
import { Call, GreetingTooShort, type CallOptions, type CallTimeouts } from './call.ts';
import { isConnected } from './upgrade-answer.ts';
import { currentRecord } from '../checks/check-record.ts';
import { HarnessFault } from '../checks/faults.ts';
import { sharedLanes } from './gate.ts';
import { isJsonObject } from '../checks/json.ts';
import { KeptCalls } from './kept-calls.ts';
import { header, type CallObservation } from './observation.ts';
import { PhoneLine, type LineOptions, type SharedTraffic } from './phone-line.ts';
import type { Session } from '../checks/session.ts';
import { SignedDelivery } from './signed-delivery.ts';

/** How one call is held. */
export interface HoldOptions {
  label: string;
  /** Changes the beginning of the call. */
  started?: Partial<SessionStarted> | undefined;
  /** The beginning as it is, in place of a typical one. */
  startedAs?: (SessionStarted | Record<string, unknown>) | undefined;
  /** Milliseconds that the service's greeting takes; default: as long as this AI needs. */
  greetingMs?: number | undefined;
  resultsOf?: CallOptions['resultsOf'];
}

/** How this AI behaves at the beginning of a call, as the first calls of the run have shown. */
interface Behaviour {
  /** It speaks before the first prompt. */
  greets: boolean;
  /** Milliseconds between `session.started` and the first prompt. */
  greetingMs: number;
}

/** Milliseconds of the service's greeting in the call from which we learn: short, but as long as one really takes. */
const fullGreetingMs = 800;
/** Milliseconds of the greeting for an AI that needs none: nobody waits for what nobody hears. */
const shortGreetingMs = 10;
/** Milliseconds after a skill or an empty closing piece in which speech may still follow. */
const quietMs = 250;
/** Milliseconds in which a connection is mostly down once we close it; nothing of ours waits longer. */
const usualClosingMs = 250;
/**
 * Milliseconds between two pieces after which an answer counts as over, of an AI that has left one open for the whole
 * patience and closed none since.
 */
const unclosedPauseMs = 600;
/** Milliseconds for which an answer that does not end is listened to: the first one, and later ones of such an AI. */
const longestAnswerMs = 60_000;
const shortAnswerMs = 5_000;
/** How many times as long as usual an answer may take to begin before we stop to expect it. */
const roomToSpare = 3;
/** First pieces of answers whose times tell what is usual. */
const rememberedTimes = 20;

/** Holds own-AI phone calls as the service does (interface: Own-AI phone frames). */
export class PhoneDriver {
  readonly #kept = new KeptCalls();
  /** Calls so far that were signed correctly, for being judged at the end of the run. */
  readonly calls: readonly CallObservation[] = this.#kept.calls;
  /** Calls without their frames, for which there was no room. */
  readonly unkept: readonly CallObservation[] = this.#kept.unkept;
  readonly #session: Session;
  readonly #traffic: SharedTraffic;
  readonly #line: PhoneLine;
  #behaviour: Behaviour | undefined;
  #learning: Promise<Behaviour> | undefined;
  #leavesOpen = false;
  #hasFlooded = false;
  #firstPieces: number[] = [];
  readonly #ending = new Set<Promise<unknown>>();

  constructor(session: Session, traffic: SharedTraffic) {
    this.#session = session;
    this.#traffic = traffic;
    this.#line = new PhoneLine(traffic);
  }

  get #target(): { url: string; secret: string; timeoutSeconds: number } {
    const target = this.#session.settings.config.phone;
    if (!target) throw new HarnessFault('check-broken', 'phone is not configured.');
    return target;
  }

  /** The address that is called. */
  get url(): string {
    return this.#target.url;
  }

  /** The configured waiting time in milliseconds (interface: Limits). */
  get timeoutMs(): number {
    return this.#target.timeoutSeconds * 1000;
  }

  /** The skills of the assistant. */
  get skills(): readonly Skill[] {
    return this.#session.settings.config.skills;
  }

  /** How long calls wait, in milliseconds. */
  get timeouts(): CallTimeouts {
    const whole = Math.max(this.#session.settings.patienceMs, this.timeoutMs);
    const shortened = this.#leavesOpen;
    const nextPieceMs = shortened ? unclosedPauseMs : whole;
    const wholeMs = shortened ? shortAnswerMs : longestAnswerMs;
    return { firstPieceMs: whole, nextPieceMs, wholeMs, shortened, quietMs, usualMs: this.usualFirstPieceMs };
  }

  /** Milliseconds in which this AI usually has begun to answer, and twice that again. */
  get usualFirstPieceMs(): number {
    return roomToSpare * Math.max(0, ...this.#firstPieces) + quietMs;
  }

  /** The upgrade request of a call, signed correctly until it is changed. */
  upgrade(callId: string = this.#session.ids.text(), protocol: string = protocolRevision): SignedDelivery {
    const headers = [
      ['User-Agent', 'svc-conform'],
      ['X-Svc-Call-Id', callId],
      ['X-Svc-Agent-Protocol', protocol],
    ] as const;
    return SignedDelivery.upgrade(callId, headers, this.#target.secret);
  }

  /**
   * Dials with any upgrade and, when it is let in, says a sentence: goes on until the AI sends a frame, closes, or has
   * kept the connection open as long as a set-up may take.
   */
  async attemptCall(upgrade: SignedDelivery, label: string): Promise<CallObservation> {
    const { pace } = this.#traffic;
    return await this.#inLanes(pace.lanesForRefusal(this.url), async () => {
      const callId = header(upgrade, 'X-Svc-Call-Id') ?? this.#session.ids.text();
      const from = performance.now();
      const call = await this.#dial(upgrade, { label, callId, toBeRefused: true });
      if (call.isUp) {
        call.start(this.#session.sample.sessionStarted({ callId }));
        await call.firstPiece(call.speak(this.#session.sample.callerSentence), limits.phoneSetupMs);
      }
      // Also of a call that the AI has begun to close: who closed it is known at the end.
      await call.end();
      pace.bookRefusal(this.url, performance.now() - from);
      return call.observation;
    });
  }

  /** Dials with a correct upgrade and hangs up: before anything was said, or as a call that was begun. */
  async ring(
    label: string,
    {
      upgrade = this.upgrade(),
      begin = true,
      limitMs,
    }: { upgrade?: SignedDelivery; begin?: boolean; limitMs?: number } = {},
  ): Promise<CallObservation> {
    return await this.#inLanes(1, async () => {
      const callId = header(upgrade, 'X-Svc-Call-Id') ?? '';
      const call = await this.#dial(upgrade, { label, callId, ...(limitMs === undefined ? {} : { limitMs }) });
      if (call.isUp && begin) call.start(this.#session.sample.sessionStarted({ callId }));
      await (begin ? call.end() : call.vanish('close'));
      return call.observation;
    });
  }

  /**
   * Holds one call: dials, begins, lets the greeting pass, does what `body` says, ends. Throws {@link HarnessFault}
   * `control-failed` when the AI does not take a correctly signed call: nothing of a call can be judged then.
   */
  async hold<T>(options: HoldOptions, body: (call: Call) => Promise<T>): Promise<T> {
    return await this.holdSeveral(1, async (dial) => await body(await dial(options)));
  }

  /** Holds up to `count` calls at the same time; `dial` begins one. All are ended afterwards. */
  async holdSeveral<T>(count: number, body: (dial: (options: HoldOptions) => Promise<Call>) => Promise<T>): Promise<T> {
    let manners = await this.#knownBehaviour();
    let isAlone = false;
    for (;;) {
      const calls: Call[] = [];
      const held = this.#holdOnce(isAlone ? sharedLanes : count, manners, calls, body);
      const error = await held.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error instanceof GreetingTooShort && manners.greetingMs < fullGreetingMs) {
        // A real greeting takes seconds, so an AI need not be ready sooner.
        manners = this.#behaviour = { ...manners, greetingMs: fullGreetingMs };
      } else if (!isAlone && (await this.#hasReturned(calls))) {
        // Only what stops the endpoint again, with nothing else in flight, is the reason.
        isAlone = true;
      } else {
        return await held;
      }
    }
  }

  async #hasReturned(calls: readonly Call[]): Promise<boolean> {
    for (const { observation } of calls) if (await this.#line.hasReturned(observation)) return true;
    return false;
  }

  /** Runs one call; once more with nothing else in flight when the endpoint stopped during it and listens again. */
  async #inLanes(lanes: number, call: () => Promise<CallObservation>): Promise<CallObservation> {
    const observation = await this.#line.inLanes(lanes, call);
    if (!(await this.#line.hasReturned(observation))) return observation;
    return await this.#line.inLanes(sharedLanes, call);
  }

  async #holdOnce<T>(
    count: number,
    { greets, greetingMs }: Behaviour,
    calls: Call[],
    body: (dial: (options: HoldOptions) => Promise<Call>) => Promise<T>,
  ): Promise<T> {
    return await this.#line.inLanes(count, async () => {
      try {
        return await body(async (options) => {
          const call = await this.#begin(
            { greetingMs, ...options },
            calls.some(({ isUp }) => isUp),
          );
          calls.push(call);
          if (greets) await call.settle(quietMs);
          return call;
        });
      } finally {
        await this.#endAll(calls);
        for (const { observation } of calls) this.#book(observation);
      }
    });
  }

  /** Several calls at once are kept apart, as far as is known. */
  get acceptsConcurrentCalls(): boolean {
    return this.#line.capacity > 1;
  }

  /** From now on no two calls are in the air at once: this AI mixes them up, or takes no more. */
  limitToOneCall(): void {
    this.#line.limitToOneCall();
  }

  /** Ends calls, and waits for the other side's part as long as it mostly takes; the rest goes on by itself. */
  async #endAll(calls: readonly Call[]): Promise<void> {
    const ended = Promise.all(calls.map((call) => call.end()));
    this.#ending.add(ended);
    void ended.finally(() => this.#ending.delete(ended));
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise((resolve) => {
      timer = setTimeout(resolve, usualClosingMs);
    });
    await Promise.race([ended, enough]);
    clearTimeout(timer);
    for (const { examined } of calls) await examined;
  }

  /** Waits until every connection is down. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#ending);
  }

  async #dial(upgrade: SignedDelivery, options: LineOptions, call: Partial<CallOptions> = {}): Promise<Call> {
    const connection = await this.#line.dial((now) => upgrade.request(this.url, now), {
      ...options,
      afterFlood: this.#hasFlooded,
    });
    return new Call(connection, { timeouts: () => this.timeouts, lag: this.#traffic.lag, ...call });
  }

  async #begin(
    { label, started, startedAs, greetingMs = 0, resultsOf }: HoldOptions,
    hasOtherCalls = false,
  ): Promise<Call> {
    this.#traffic.reach.before(this.url, this.timeouts.firstPieceMs, 'sentences of callers');
    const first = startedAs ?? this.#session.sample.sessionStarted(started);
    const callId = typeof first.callId === 'string' ? first.callId : this.#session.ids.text();
    const protocol = typeof first.protocol === 'string' ? first.protocol : protocolRevision;
    const options = { label, callId, besideAnother: hasOtherCalls };
    const hasty = greetingMs < fullGreetingMs;
    const call = await this.#dial(this.upgrade(callId, protocol), options, { resultsOf, hasty });
    if (!isConnected(call.observation.answer)) throw rejectedCall(call.observation);
    call.start(first);
    if (greetingMs > 0) await call.pass(greetingMs);
    return call;
  }

  /** What is known about the beginning of calls; learnt by the first one who asks. */
  async #knownBehaviour(): Promise<Behaviour> {
    if (this.#behaviour) return this.#behaviour;
    // Whoever has the endpoint to itself cannot wait for another one, who would wait for the endpoint.
    if (currentRecord()?.alone === true) return (this.#behaviour ??= await this.#learn());
    this.#learning ??= this.#line.inLanes(1, () => this.#learn());
    try {
      return (this.#behaviour ??= await this.#learning);
    } catch (error) {
      this.#learning = undefined;
      throw error;
    }
  }

  /**
   * Holds a call with a greeting that takes its time and hears whether the AI speaks meanwhile; then one in which the
   * first sentence comes soon. An AI that is not ready by then gets the long greeting in every call.
   */
  async #learn(): Promise<Behaviour> {
    const { callerSentence } = this.#session.sample;
    const slow = await this.#begin({
      label: 'the first call, with a greeting that takes its time',
      greetingMs: fullGreetingMs,
    });
    const greets = slow.heardSince(0) !== '';
    if (greets) await slow.settle(quietMs);
    const calm = await slow.ask(callerSentence);
    await slow.end();
    this.#book(slow.observation);
    if (greets || calm.firstPieceMs === null) return { greets, greetingMs: fullGreetingMs };
    const quick = await this.#begin({ label: 'a call in which the caller speaks soon', greetingMs: shortGreetingMs });
    const heard = await quick.firstPiece(quick.speak(callerSentence), roomToSpare * calm.firstPieceMs + fullGreetingMs);
    await quick.end();
    this.#book(quick.observation);
    return { greets, greetingMs: heard ? shortGreetingMs : fullGreetingMs };
  }

  /** Keeps a call for the end of the run, and learns from its answers. */
  #book(call: CallObservation): void {
    const { pace, reach } = this.#traffic;
    for (const { outcome, firstPieceMs, toFrame } of call.answers) {
      if (outcome === 'call-ended') continue;
      // An action that nobody knows is not an answer, but whoever sends one is not silent.
      const reacted = call.frames.some(
        ({ from, value }, at) => at > toFrame && from === 'ai' && isJsonObject(value) && frameType(value),
      );
      reach.answered(this.url, outcome !== 'nothing' || reacted, 'sentences of callers');
      if (firstPieceMs !== null) {
        this.#firstPieces = [...this.#firstPieces, firstPieceMs].slice(-rememberedTimes);
        pace.bookAnswer(this.url, firstPieceMs);
      }
      if (outcome === 'not-closed' || outcome === 'closed') this.#leavesOpen = outcome === 'not-closed';
    }
    this.#hasFlooded ||= call.end?.isCutOff === true;
    this.#kept.keep(call);
  }
}

function rejectedCall({ request, answer }: CallObservation): HarnessFault {
  const received = answer.outcome === 'answered' ? `status ${answer.status}` : answer.outcome;
  return new HarnessFault(
    'control-failed',
    `Not judged: a correctly signed call to ${request.url} must be taken first; received ${received}.`,
  );
}
