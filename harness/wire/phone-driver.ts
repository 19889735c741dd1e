import { adaptToWorkspace } from '../../service/adapt-to-workspace.ts';
import { frameType } from '../../specs/frame-type.ts';
import { limits, protocolRevision } from '../../specs/limits.ts';
import type { SessionStarted, Skill } from '../../specs/generated/types.ts';
import { CallConsequences } from './call-consequences.ts';
import { Call, GreetingTooShort, type CallOptions } from './call.ts';
import { LearnedTimeouts, type CallTimeouts } from './call-timeouts.ts';
import { fullGreetingMs, quietMs, type CallBehaviour } from './call-behaviour.ts';
import { learnBehaviour } from './learn-behaviour.ts';
import { isConnected } from './upgrade-answer.ts';
import { EndingCalls } from './ending-calls.ts';
import { currentRecord } from '../checks/check-record.ts';
import { HarnessFault } from '../checks/faults.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { KeptCalls } from './kept-calls.ts';
import { header, type CallObservation } from './observation.ts';
import type { PacedExchange } from './pace.ts';
import { hasStopped, PhoneLine, type CallLanes, type LineOptions, type SharedTraffic } from './phone-line.ts';
import type { DriverContext } from './driver-context.ts';
import type { SignedDelivery } from './signed-delivery.ts';
import { signedUpgrade } from './signed-upgrade.ts';

/** Options of one call. */
export interface HoldOptions {
  label: string;
  /** Changes fields of `session.started`. */
  started?: Partial<SessionStarted> | undefined;
  /** The complete first frame, instead of a typical one. */
  startedAs?: (SessionStarted | Record<string, unknown>) | undefined;
  /** Duration of the service's greeting in milliseconds; default: as long as this AI needs. */
  greetingMs?: number | undefined;
  resultsOf?: CallOptions['resultsOf'];
  /** The call shows something even if no sentence is answered, so it is made with a silent AI too. */
  needsNoAnswer?: boolean;
}

/** Conducts own-AI phone calls like the service (interface: Own-AI phone frames). */
export class PhoneDriver {
  readonly #kept = new KeptCalls();
  /** Correctly signed calls so far, for the end of the run. */
  readonly calls: readonly CallObservation[] = this.#kept.calls;
  /** Calls that did not fit, without their frames. */
  readonly unkept: readonly CallObservation[] = this.#kept.unkept;
  readonly #context: DriverContext;
  readonly #traffic: SharedTraffic;
  readonly #line: PhoneLine;
  #behaviour: CallBehaviour | undefined;
  #learning: Promise<CallBehaviour> | undefined;
  #hasFlooded = false;
  readonly #learned = new LearnedTimeouts();
  readonly #ending = new EndingCalls();

  constructor(context: DriverContext, traffic: SharedTraffic) {
    this.#context = context;
    this.#traffic = traffic;
    this.#line = new PhoneLine(traffic);
  }

  get #target(): { url: string; secret: string; timeoutSeconds: number } {
    const target = this.#context.settings.config.phone;
    if (!target) throw new HarnessFault('check-broken:not-configured', { key: 'phone' });
    return target;
  }

  get url(): string {
    return this.#target.url;
  }

  /** The configured timeout in milliseconds (interface: Limits). */
  get timeoutMs(): number {
    return this.#target.timeoutSeconds * 1000;
  }

  get #mostStops(): number {
    return this.#context.settings.config.restarts?.instances ?? 1;
  }

  /** The skills of the assistant. */
  get skills(): readonly Skill[] {
    return this.#context.settings.config.skills;
  }

  /** The current timeouts of calls. */
  get timeouts(): CallTimeouts {
    const { answerTimeoutMs } = this.#context.settings;
    return this.#learned.timeouts({ answerTimeoutMs, waitingMs: this.timeoutMs });
  }

  /** Usual milliseconds until this AI begins to answer, with a margin. */
  get usualFirstPieceMs(): number {
    return this.#learned.usualFirstPieceMs;
  }

  /** A correctly signed upgrade request, which can be modified. */
  upgrade(callId: string = this.#context.ids.text(), protocol: string = protocolRevision): SignedDelivery {
    return signedUpgrade(callId, { secret: this.#target.secret, protocol });
  }

  /**
   * Dials with any upgrade and, if it is accepted, speaks a sentence. Ends when the AI sends a frame, closes, or has
   * kept the connection open for the set-up limit.
   */
  async attemptCall(upgrade: SignedDelivery, label: string): Promise<CallObservation> {
    return await this.#inLanes('refused', async (paced) => {
      const callId = header(upgrade, 'X-Svc-Call-Id') ?? this.#context.ids.text();
      const from = performance.now();
      const call = await this.#dial(upgrade, { label, callId, toBeRefused: true });
      if (call.isUp) {
        call.start(this.#context.sample.sessionStarted({ callId }));
        await call.firstPiece(call.speak(this.#context.sample.callerSentence), limits.phoneSetupMs);
      }
      // Also needed if the AI has begun to close: the end shows who closed.
      await call.end();
      // The time until a stopped endpoint listens again is not that of a refusal.
      const pace = this.#traffic.pace.of(this.url, { toBeRefused: true });
      const { answer, times } = call.observation;
      const ms = (isConnected(answer) ? null : times.totalMs) ?? performance.now() - from;
      if (hasStopped(call.observation)) pace.forgetTimes();
      else if (paced && answer.outcome === 'no-answer') pace.bookSilence(ms, paced);
      else if (paced) pace.bookAnswer(ms, paced);
      return call.observation;
    });
  }

  /** Dials with a correct upgrade and hangs up, either immediately or after `session.started`. */
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
      if (call.isUp && begin) call.start(this.#context.sample.sessionStarted({ callId }));
      await (begin ? call.end() : call.vanish('close'));
      return call.observation;
    });
  }

  /**
   * Conducts one call: dials, begins, waits for the greeting, runs `body`, ends. Throws {@link HarnessFault}
   * `control-failed` when the AI rejects a correctly signed call, so that no call can be judged.
   */
  async hold<T>(options: HoldOptions, body: (call: Call) => Promise<T>): Promise<T> {
    return await this.holdSeveral(1, async (dial) => await body(await dial(options)));
  }

  /** Conducts up to `count` concurrent calls; `dial` begins one. All are ended afterwards. */
  async holdSeveral<T>(count: number, body: (dial: (options: HoldOptions) => Promise<Call>) => Promise<T>): Promise<T> {
    let manners = await this.#knownBehaviour();
    let stops = 0;
    for (;;) {
      const calls: Call[] = [];
      const held = this.#holdOnce(stops > 0 ? 'all' : count, manners, calls, body);
      const error = await held.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error instanceof GreetingTooShort && manners.greetingMs < fullGreetingMs) {
        // A real greeting takes seconds, so an AI does not have to be ready sooner.
        manners = this.#behaviour = { ...manners, greetingMs: fullGreetingMs };
      } else if (stops < this.#mostStops && (await this.#line.hasReturned(...calls.map((call) => call.observation)))) {
        // A stop is attributed only to a call that causes it again with nothing else in flight.
        stops++;
      } else {
        return await held;
      }
    }
  }

  /** Runs one call; again with nothing else in flight if the endpoint stopped during it and was restarted. */
  async #inLanes(
    lanes: CallLanes,
    call: (paced: PacedExchange | undefined) => Promise<CallObservation>,
  ): Promise<CallObservation> {
    let observation = await this.#line.inLanes(lanes, call);
    for (let stops = 0; stops < this.#mostStops && (await this.#line.hasReturned(observation)); stops++)
      observation = await this.#line.inLanes('all', call);
    return observation;
  }

  async #holdOnce<T>(
    count: CallLanes,
    { greets, greetingMs, lostFirst }: CallBehaviour,
    calls: Call[],
    body: (dial: (options: HoldOptions) => Promise<Call>) => Promise<T>,
  ): Promise<T> {
    return await this.#line.inLanes(count, async (paced) => {
      try {
        const held = body(async (options) => {
          const call = await this.#begin({ greetingMs, ...options }, calls);
          if (greets) await call.settle(quietMs);
          if (lostFirst) await call.firstPiece(call.speak(this.#context.sample.callerSentence), this.usualFirstPieceMs);
          return call;
        });
        return await this.#traffic.budget.within(held);
      } finally {
        await this.#ending.end(calls);
        for (const { observation } of calls) if (isConnected(observation.answer)) this.#book(observation, paced);
      }
    });
  }

  /** Whether the endpoint supports concurrent calls, as far as known. */
  get acceptsConcurrentCalls(): boolean {
    return this.#line.capacity > 1;
  }

  /** Whether the AI often speaks for a second or more, so that calls last long however quickly it begins to answer. */
  get speaksLong(): boolean {
    return this.#line.speaksLong;
  }

  /** The call that showed that this AI does not answer the first sentence of a call, only later ones. */
  get lostFirstSentence(): CallObservation | undefined {
    return this.#behaviour?.lostFirst;
  }

  /** The first call of the run, if the AI answered neither of its two sentences. */
  async silentCall(): Promise<CallObservation | undefined> {
    return (await this.#knownBehaviour()).silent;
  }

  /** Disables concurrent calls: this AI mixes them up, or accepts only one. */
  readonly limitToOneCall = (): void => this.#line.limitToOneCall();

  /** Waits until every connection is down. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#ending[Symbol.asyncDispose]();
  }

  async #dial(upgrade: SignedDelivery, options: LineOptions, call: Partial<CallOptions> = {}): Promise<Call> {
    const connection = await this.#line.dial((now) => upgrade.request(this.url, now), {
      ...options,
      afterFlood: this.#hasFlooded,
    });
    const consequences = new CallConsequences(this.#context.inbox.service.inbox);
    return new Call(connection, {
      timeouts: () => this.timeouts,
      lag: this.#traffic.lag,
      onStart: consequences.begin,
      onChange: () => consequences.follow(connection.observation.frames),
      ...call,
      resultsOf: call.resultsOf ?? consequences.runSkills,
    });
  }

  async #begin(
    { label, started, startedAs, greetingMs = 0, resultsOf, needsNoAnswer = false }: HoldOptions,
    calls: Call[] = [],
  ): Promise<Call> {
    if (!needsNoAnswer) this.#traffic.reach.before(this.url, this.timeouts.firstPieceMs, 'sentences of callers');
    const first = adaptToWorkspace(
      this.#context.inbox.service.inbox,
      startedAs ?? this.#context.sample.sessionStarted(started),
    );
    const callId = typeof first.callId === 'string' ? first.callId : this.#context.ids.text();
    const protocol = typeof first.protocol === 'string' ? first.protocol : protocolRevision;
    const options: LineOptions = { label, callId, hasOtherCalls: calls.some(({ isUp }) => isUp) };
    const hasty = greetingMs < fullGreetingMs;
    const call = await this.#dial(this.upgrade(callId, protocol), options, { resultsOf, hasty });
    // Also if the endpoint stops meanwhile: the check is repeated then.
    calls.push(call);
    if (!isConnected(call.observation.answer)) throw rejectedCall(call.observation);
    call.start(first);
    if (greetingMs > 0) await call.pass(greetingMs);
    return call;
  }

  /** The behaviour at the beginning of calls; observed on first use, before others, since other checks wait for it. */
  async #knownBehaviour(): Promise<CallBehaviour> {
    if (this.#behaviour) return this.#behaviour;
    const learn = () => this.#line.inLanes(1, (calls) => this.#learn(calls), { isFirst: true });
    // An exclusive check cannot wait for a shared observation, which would wait for the endpoint.
    if (currentRecord()?.alone === true) return (this.#behaviour ??= await learn());
    this.#learning ??= learn().catch((error: unknown) => {
      this.#learning = undefined;
      throw error;
    });
    return (this.#behaviour ??= await this.#learning);
  }

  async #learn(calls: PacedExchange | undefined): Promise<CallBehaviour> {
    const learned = await this.#traffic.budget.within(
      learnBehaviour({
        begin: (options) => this.#begin(options),
        end: async (call) => {
          await call.end();
          this.#book(call.observation, calls);
        },
        sentence: this.#context.sample.callerSentence,
        timeoutMs: this.timeoutMs,
      }),
    );
    // Silent calls do not keep the endpoint busy, so several can wait at once.
    if (learned.silent && calls) this.#traffic.pace.of(this.url).bookAnswer(learned.silent.times.totalMs ?? 0, calls);
    return learned;
  }

  /** Keeps a call for the end of the run, and updates the known behaviour from its answers. */
  #book(call: CallObservation, calls: PacedExchange | undefined): void {
    const { pace, reach } = this.#traffic;
    for (const { outcome, firstPieceMs, wholeMs, waitedMs, toFrame } of call.answers) {
      if (outcome === 'call-ended') continue;
      currentRecord()?.answerTimes.push({
        what: 'a sentence on the phone',
        ms: firstPieceMs ?? waitedMs,
        ...(outcome === 'nothing' && { isSilent: true as const }),
      });
      // An unknown action is not an answer, but shows that the AI is not silent.
      const reacted = call.frames.some(
        ({ from, value }, at) => at > toFrame && from === 'ai' && isJsonObject(value) && frameType(value),
      );
      reach.answered(this.url, outcome !== 'nothing' || reacted, 'sentences of callers');
      this.#learned.book({ outcome, firstPieceMs, waitedMs }, { reacted, mostMs: this.timeouts.firstPieceMs });
      if (firstPieceMs !== null) {
        // Calls last long, and those that run together do not begin together.
        if (calls) pace.of(this.url).bookAnswer(firstPieceMs, calls, { fewest: 1 });
        if (outcome === 'closed' && wholeMs !== null) this.#line.bookSpeech(wholeMs - firstPieceMs);
      }
    }
    this.#hasFlooded ||= call.end?.isCutOff === true;
    this.#kept.keep(call);
  }
}

function rejectedCall({ request, answer }: CallObservation): HarnessFault {
  const received = answer.outcome === 'answered' ? `status ${answer.status}` : answer.outcome;
  return new HarnessFault('control-failed:call', { url: request.url, received });
}
