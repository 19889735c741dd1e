import { Availability } from '../harness/wire/availability.ts';
import { Deliveries, type DeliverOptions } from '../harness/wire/deliveries.ts';
import type { HoldOptions } from '../harness/wire/phone-driver.ts';
import type { Call } from '../harness/wire/call.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import { LagMeter } from '../harness/wire/lag-meter.ts';
import type { CallObservation, Observation, Stop, WireExchange, WireRequest } from '../harness/wire/observation.ts';
import { requestedPauseMs, longestDiagnosisPauseMs } from '../harness/wire/requested-pause.ts';
import type { Redact } from '../service/redact.ts';
import { FrameworkSigns } from './detect-framework.ts';
import type { ConnectionOptions } from './connection-options.ts';
import type { PreparedEvent } from './prepared-event.ts';
import { RateLimited } from './rate-limited.ts';
import { ValidRequests } from './valid-requests.ts';
import { withToken } from './with-token.ts';
import { openSession } from './open-session.ts';
import type { Session } from '../harness/checks/session.ts';
import { subscribedType } from '../harness/config/subscribed-types.ts';
import type { ResolvedConfig } from '../harness/config/settings.ts';
import type { SignedDelivery } from '../harness/wire/signed-delivery.ts';
import type { Mailbox } from '../harness/wire/mailbox.ts';
import { Brand } from '../specs/brand.ts';
import { limits } from '../specs/limits.ts';
import type { DiagnosedSurface } from '../specs/generated/types.ts';
import { configKeyOf } from '../specs/surfaces.ts';

/** Most milliseconds for an answer after an earlier one timed out. */
export const longTimeoutMs = 30_000;
/** Attempts of one request if the endpoint asks for a pause or is briefly unreachable. */
const mostTries = 4;
/** Number of latest exchanges kept as evidence. */
const keptExchanges = 60;
/** Milliseconds after the deadline to wait for pending connections and closing calls. */
const graceMs = 200;

const isOver = 'The time for the diagnosis is over.';

/** The time of the diagnosis is over. Earlier results stay valid. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/** The connection under diagnosis: sends requests and counts them. */
export class Connection implements AsyncDisposable {
  readonly surface: DiagnosedSurface;
  readonly config: ResolvedConfig;
  readonly session: Session;
  readonly seed: number;
  /** The previous secret, if known. */
  readonly oldSecret: string | undefined;
  readonly isThorough: boolean;
  readonly mostQuestions: number | undefined;
  readonly #met: ReadonlySet<string>;
  /** Requests and calls sent so far. */
  deliveries = 0;
  readonly exchanges: WireExchange[] = [];
  /** Of all exchanges, also of those that are no longer kept. */
  readonly frameworkSigns = new FrameworkSigns();
  readonly #lag = new LagMeter();
  readonly #availability: Availability;
  /** Label of the latest request that got a connection. */
  #lastReached: string | undefined;
  /** The boxes for callbacks and replies of all events so far. */
  readonly callbackBoxes: { type: unknown; event: Record<string, unknown>; box: Mailbox }[] = [];
  /** Whether software in front of the endpoint may refuse every request, valid or not. */
  mayBeGated = false;
  /** Whether a callback or reply did not arrive after a 202, so that effects cannot be observed there. */
  isCallbackMissing = false;
  readonly valid = new ValidRequests(() => this.credential);
  /** Whether a 429 asks for a pause; false if it is how the endpoint refuses a signature or token. */
  pausesWhenLimited = true;
  readonly #deliver: Deliveries;
  readonly #endsAt: number;
  #timeoutMs: number;
  readonly #onExchange: ((exchange: WireExchange) => void) | undefined;

  private constructor(
    surface: DiagnosedSurface,
    session: Session,
    { seed, withinMs, oldSecret, isThorough = false, mostQuestions, met = new Set(), onExchange }: ConnectionOptions,
  ) {
    this.surface = surface;
    this.session = session;
    this.config = session.settings.config;
    this.#availability = new Availability(session.routes, session.restarting);
    this.#deliver = new Deliveries(this.#lag, Brand.named(this.config.brand), session.routes);
    this.seed = seed;
    this.oldSecret = oldSecret;
    this.isThorough = isThorough;
    this.mostQuestions = mostQuestions;
    this.#met = met;
    this.#endsAt = performance.now() + withinMs;
    this.#timeoutMs = session.settings.answerTimeoutMs;
    this.#onExchange = onExchange;
  }

  /** Opens the inbox for callbacks and replies. Throws {@link HarnessFault} if it cannot listen. */
  static async open(
    surface: DiagnosedSurface,
    config: ResolvedConfig,
    options: ConnectionOptions,
  ): Promise<Connection> {
    return new Connection(surface, await openSession(surface, config, options.seed), options);
  }

  /** The URL of the endpoint. */
  get url(): string {
    return this.#endpoint.url;
  }

  /** The configured secret or token. */
  get credential(): string {
    const endpoint = this.#endpoint;
    return 'token' in endpoint ? endpoint.token : endpoint.secret;
  }

  /** Time limit of the interface for an answer in milliseconds; `undefined` without one. */
  get limitMs(): number | undefined {
    if (this.surface === 'crm-webhook') return limits.crmLookupAnswerMs;
    return this.surface === 'api-webhooks' ? undefined : (this.#endpoint.timeoutSeconds ?? 0) * 1000;
  }

  /** Default timeout of an answer in milliseconds. */
  get timeoutMs(): number {
    return this.#timeoutMs;
  }

  /** Changes the default timeout of an answer, in milliseconds. */
  waitUpTo(timeoutMs: number): void {
    this.#timeoutMs = timeoutMs;
  }

  get redact(): Redact {
    return this.session.redact;
  }

  /** Whether a run has judged these requirements of the surface, given without it, as met. */
  meets(slugs: readonly string[]): boolean {
    return slugs.every((slug) => this.#met.has(`${this.surface}/${slug}`));
  }

  /** Remaining milliseconds; never negative. */
  get remainingMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  get #endpoint(): { url: string; timeoutSeconds?: number } & ({ secret: string } | { token: string }) {
    const { [configKeyOf(this.surface)]: endpoint } = this.config;
    if (!endpoint || !('url' in endpoint) || !('secret' in endpoint || 'token' in endpoint)) {
      throw new HarnessFault('check-broken:not-configured', { key: this.surface });
    }
    return endpoint;
  }

  /** A typical event of this surface, or any other `event`; not for the phone, which uses calls. `write`: the serialiser. */
  case({
    event,
    write = JSON.stringify,
  }: { event?: Record<string, unknown> | undefined; write?: (event: unknown) => string } = {}): PreparedEvent {
    const { sample, chat, hooks, inbox } = this.session;
    switch (this.surface) {
      case 'own-ai-chat': {
        if (event?.type === 'ping') return { event, delivery: chat.sign(event, write(event)), box: undefined };
        const opened = chat.open(event ?? sample.messageReceived(), { write });
        this.callbackBoxes.push({ type: opened.event.type, event: opened.event, box: opened.replies });
        return { event: opened.event, delivery: opened.delivery, box: opened.replies };
      }
      case 'api-webhooks': {
        const type = subscribedType(this.config, 'appointment.created');
        const whole = event ?? (sample.apiWebhookEvent(type) as unknown as Record<string, unknown>);
        return { event: whole, delivery: hooks.sign(whole, { text: write(whole) }), box: undefined };
      }
      case 'crm-webhook': {
        const draft: Record<string, unknown> = event ?? { ...sample.crmEvent('IncomingCallLookup') };
        const { eventType, timestampUtc, callbackUrl: _, ...parts } = draft;
        const box = inbox.callbackBox(`callback of ${String(eventType)}`, () => ({ status: 200 }));
        const whole = { eventType, timestampUtc, callbackUrl: box.url, ...parts };
        this.callbackBoxes.push({ type: eventType, event: whole, box });
        return { event: whole, delivery: withToken(whole, write(whole), this.credential), box };
      }
      case 'own-ai-phone':
        throw new HarnessFault('check-broken:no-body');
    }
  }

  /**
   * Sends one request, signed at the moment of sending, and waits for the answer; repeats it after a pause that the
   * endpoint asks for. Throws HarnessFault `target-stopped`, and {@link OutOfTime}, also if the deadline is before the
   * timeout of the answer: that is not a fault of the endpoint.
   */
  async ask(
    delivery: SignedDelivery | ((now: number) => WireRequest),
    options: Partial<DeliverOptions> & { label: string },
  ): Promise<Observation> {
    const make = (): WireRequest =>
      typeof delivery === 'function' ? delivery(Date.now()) : delivery.request(this.url, Date.now());
    const { instances = 1 } = this.session.restarting ?? {};
    let stops = 0;
    for (let tries = 1; ; tries++) {
      this.#assertTime();
      const outgoing = make();
      await this.admit(outgoing);
      this.deliveries++;
      const timeoutMs = Math.min(options.timeoutMs ?? this.timeoutMs, this.remainingMs);
      using sending = this.#availability.sending(this.url, options.label);
      // A request on a kept-alive connection may have to be sent twice, and reaches the same instance as before.
      const fresh = options.fresh === true || instances > 1 || this.session.limits.counts(outgoing);
      const observation = await this.inTime(this.#deliver.deliver(make(), { ...options, fresh, timeoutMs }), graceMs);
      this.keep(observation);
      const { answer } = observation;
      if (answer.outcome === 'unreachable') this.session.limits.refund(outgoing);
      if (answer.outcome === 'unreachable' && this.#lastReached !== undefined) {
        // Nothing was in flight when it stopped, so no delivery is known to be the cause.
        if (!(await this.inTime(this.#availability.returns(this.url)))) {
          throw new HarnessFault('target-stopped:gone', { url: this.url, last: this.#lastReached });
        }
        if (tries >= mostTries) return observation;
        continue;
      }
      if (answer.outcome !== 'unreachable') this.#lastReached = options.label;
      const stop = answer.outcome === 'closed' ? await sending.closed(answer.unreachable) : undefined;
      if (stop) {
        // A repetition succeeds if the endpoint was only restarting.
        const isBack = await this.inTime(this.#availability.returns(this.url));
        if (!isBack || stops++ >= instances) throw stopped(this.url, stop);
        continue;
      }
      const pause = this.pausesWhenLimited ? requestedPauseMs(observation.answer) : undefined;
      this.valid.remember(observation, make);
      if (pause === undefined) return observation;
      if (pause > Math.min(this.remainingMs, longestDiagnosisPauseMs) || tries >= mostTries) {
        await this.#assertUnlimited(pause);
        return observation;
      }
      await new Promise((wake) => setTimeout(wake, pause));
    }
  }

  /** Throws {@link RateLimited} if even a valid request that was accepted before is asked to wait. */
  async #assertUnlimited(pauseMs: number): Promise<void> {
    const { accepted } = this.valid;
    if (!accepted) return;
    const limited = new RateLimited(this.valid, pauseMs);
    await this.admit(accepted());
    this.deliveries++;
    const options = { label: 'an accepted request, again', fresh: true, timeoutMs: this.timeoutMs };
    const again = await this.inTime(this.#deliver.deliver(accepted(), options));
    this.keep(again);
    if (requestedPauseMs(again.answer) !== undefined) throw limited;
  }

  /** Waits until the limits admit this request. Throws HarnessFault `limit-used`, and {@link OutOfTime}. */
  async admit(request: { url: string; method: string }): Promise<void> {
    await this.session.limits.pass(request, (waitMs) => this.#assertTime(waitMs));
  }

  /**
   * Dials with any upgrade and, once connected, says a sentence: see `PhoneDriver.attemptCall`. Throws
   * {@link OutOfTime}, and HarnessFault `target-unreachable`.
   */
  async dial(upgrade: SignedDelivery, label: string): Promise<CallObservation> {
    this.#assertTime();
    this.deliveries++;
    const observation = await this.inTime(this.session.phone.attemptCall(upgrade, label));
    this.keep(observation);
    this.#assertRunning(observation);
    return observation;
  }

  /** Holds one call, signed correctly: see `PhoneDriver.hold`. Throws as {@link dial} and `control-failed`. */
  async hold<T>(options: HoldOptions, body: (call: Call) => Promise<T>): Promise<T> {
    this.#assertTime();
    this.deliveries++;
    let latest: CallObservation | undefined;
    const running = this.session.phone.hold(options, async (call) => {
      latest = call.observation;
      this.keep(call.observation);
      return await body(call);
    });
    const result = await this.inTime(running);
    if (latest) this.#assertRunning(latest);
    return result;
  }

  /** Closes idle connections, so that the next request needs a new one. */
  async release(): Promise<void> {
    await this.#deliver.release();
  }

  /** Keeps an exchange as evidence. */
  keep(exchange: WireExchange): void {
    this.valid.record(exchange);
    this.frameworkSigns.addExchange(exchange);
    this.exchanges.push(exchange);
    if (this.exchanges.length > keptExchanges) this.exchanges.shift();
    this.#onExchange?.(exchange);
  }

  /**
   * Awaits `asking`. Throws {@link OutOfTime} if it takes longer than until `graceMs` milliseconds after the
   * deadline; its later result is ignored.
   */
  async inTime<Result>(asking: Promise<Result>, graceMs = 0): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new OutOfTime(isOver)), this.remainingMs + graceMs);
    });
    // A rejection after the deadline is ignored.
    asking.catch(() => undefined);
    try {
      return await Promise.race([asking, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Throws HarnessFault `target-stopped` if the endpoint stopped during this call and again when it was repeated alone. */
  #assertRunning({ answer, end }: CallObservation): void {
    const stop = answer.outcome === 'closed' ? answer.stop : end?.stop;
    if (stop) throw stopped(this.url, stop);
  }

  #assertTime(afterMs = 0): void {
    if (this.remainingMs <= afterMs) throw new OutOfTime(isOver);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closing = this.#close();
    // After the deadline the peer's part of the close is not awaited.
    if (this.remainingMs <= 0) await this.inTime(closing, graceMs).catch(() => undefined);
    else await closing;
  }

  async #close(): Promise<void> {
    await this.#deliver[Symbol.asyncDispose]();
    await this.session[Symbol.asyncDispose]();
    this.#lag[Symbol.dispose]();
  }
}

function stopped(url: string, { suspects }: Stop): HarnessFault {
  return new HarnessFault('target-stopped:in-flight', { url, suspects });
}
