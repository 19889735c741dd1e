import { randomInt } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { ApiWebhooksDriver } from '../wire/api-webhooks-driver.ts';
import type { Restarting } from '../wire/availability.ts';
import { Acceptance } from './acceptance.ts';
import { currentRecord, waitsLong } from './check-record.ts';
import { ClientUnderTest } from '../client/client-under-test.ts';
import { ChatDriver } from '../wire/chat-driver.ts';
import { CrmWebhookDriver } from '../wire/crm-webhook-driver.ts';
import { Deliveries, type DeliverOptions } from '../wire/deliveries.ts';
import type { DriverContext } from '../wire/driver-context.ts';
import { TrafficGate, sharedLanes, type AloneOptions, type Lanes } from '../wire/traffic-gate.ts';
import { TrafficLimits } from '../wire/traffic-limits.ts';
import { IdGenerator } from './id-generator.ts';
import { placesOf } from '../wire/host-and-port.ts';
import { Inbox } from '../wire/inbox.ts';
import { KeptAnswers } from '../wire/kept-answers.ts';
import { LagMeter } from '../wire/lag-meter.ts';
import type { Observation, WireRequest } from '../wire/observation.ts';
import { assertFileHandles } from '../wire/resource-limits.ts';
import { Pace, type AddressPace } from '../wire/pace.ts';
import { RunOutbound } from '../wire/run-outbound.ts';
import { Reach, lostConnection, type DeliverySort } from '../wire/reach.ts';
import { Routes } from '../wire/routes.ts';
import { PhoneDriver } from '../wire/phone-driver.ts';
import { Brand } from '../../specs/brand.ts';
import { EndpointExits } from '../start/endpoint-exits.ts';
import { configKeyOf, endpointSurfaces, isEndpointSurface } from '../../specs/surfaces.ts';
import type { NamedSecret, Redact } from '../../service/redact.ts';
import { Samples } from './samples.ts';
import { seedOptions } from './seed-options.ts';
import type { CheckIdentity } from './check-outcome.ts';
import { TimeBudget } from './time-budget.ts';
import { assertWanted } from './wanted.ts';
import { configRedactor } from '../config/config-redactor.ts';
import type { RunSettings } from '../config/settings.ts';
import { labelKind } from './label-kind.ts';
import { after, undoneUnless } from './at-scope-end.ts';

/** Times that one request is resent because the endpoint was briefly unavailable. */
const maxResends = 3;

/** Resources that the checks of one worker share: connections, inbox, ids. */
export class Session implements DriverContext {
  readonly settings: RunSettings;
  readonly inbox: Inbox;
  readonly ids = new IdGenerator();
  readonly answers = new KeptAnswers();
  readonly sample: Samples;
  readonly crm: CrmWebhookDriver;
  readonly hooks: ApiWebhooksDriver;
  readonly chat: ChatDriver;
  readonly phone: PhoneDriver;
  readonly client: ClientUnderTest;
  readonly budget: TimeBudget;
  /** Requirements with a judgement so far. */
  readonly exercised = new Set<string>();
  readonly acceptance = new Acceptance();
  /** How the addresses of the config are reached. */
  readonly routes: Routes;
  /** How much an own AI may still receive. */
  readonly limits: TrafficLimits;
  /** Set for an endpoint that the run starts again. */
  readonly restarting: Restarting | undefined;
  readonly #gate = new TrafficGate();
  readonly #lag = new LagMeter();
  readonly #deliveries: Deliveries;
  readonly #pace = new Pace();
  readonly #exits = new EndpointExits();
  readonly #reach: Reach;
  readonly #outbound: RunOutbound;
  #redact: { secrets: readonly NamedSecret[]; redact: Redact } | undefined;

  private constructor(settings: RunSettings, inbox: Inbox, outbound: RunOutbound) {
    this.settings = settings;
    this.inbox = inbox;
    this.#outbound = outbound;
    const surfaces = settings.surfaces ?? endpointSurfaces.filter((name) => settings.config[configKeyOf(name)]);
    this.budget = new TimeBudget({
      budgetMs: settings.budgetMs,
      answeringMs: settings.answeringBudgetMs,
      isAnswering: () => this.#reach.isAnswering,
      surfaces: surfaces.filter(isEndpointSurface),
      starvedMs: () => this.#lag.starvedMs,
    });
    const { skills, stimuli, restarts } = settings.config;
    const brand = Brand.named(settings.config.brand);
    this.routes = Routes.of(settings.config);
    this.limits = TrafficLimits.of(settings.config);
    if (restarts) this.restarting = { ...restarts, exits: this.#exits };
    this.#reach = new Reach(this.routes, this.restarting);
    this.#deliveries = new Deliveries(this.#lag, brand, this.routes);
    this.sample = new Samples(this.ids, {
      workspace: inbox.service.inbox.workspace,
      skills,
      caller: stimuli.knownCaller,
      sentence: stimuli.chat?.answer,
      callerSentence: stimuli.phone?.answer,
    });
    this.crm = new CrmWebhookDriver(this);
    this.hooks = new ApiWebhooksDriver(this);
    this.chat = new ChatDriver(this);
    this.client = new ClientUnderTest(settings);
    inbox.watchApi(this.client.observe);
    this.phone = new PhoneDriver(this, {
      url: () => settings.config.phone?.url ?? '',
      gate: this.#gate,
      lag: this.#lag,
      pace: this.#pace,
      reach: this.#reach,
      budget: this.budget,
      routes: this.routes,
      limits: this.limits,
      brand,
    });
    outbound.connect(this);
  }

  /** Redacts the secrets of the config, and those issued to the client once they are known. */
  get redact(): Redact {
    const { secrets } = this.client;
    if (secrets !== this.#redact?.secrets) {
      this.#redact = { secrets, redact: configRedactor(this.settings.config, secrets) };
    }
    return this.#redact.redact;
  }

  /** Starts the inbox. Throws HarnessFault when it cannot listen or the limit of open files is too low. */
  static async open(settings: RunSettings): Promise<Session> {
    assertFileHandles();
    const { service } = settings.config;
    const brand = Brand.named(settings.config.brand);
    const outbound = new RunOutbound();
    return new Session(
      settings,
      await Inbox.open(service, {
        outbound,
        // Random, so that an endpoint with stored data does not meet the ids of an earlier run.
        firstId: randomInt(1_000_000, 90_000_000),
        seed: seedOptions(settings),
        brand,
      }),
      outbound,
    );
  }

  /**
   * Sends one request and adds the exchange to the record of the running check. Pauses that the endpoint requests are
   * granted, or returned with `returnsPauses`; after a stop and restart of the endpoint the request is repeated, with
   * nothing else in flight; in a check that has only one address to itself, among traffic of others.
   * Throws HarnessFault `target-unreachable` or `client-certificate-required` when no connection can be made, and
   * `target-stopped`, `target-silent` or `target-throttles` when further requests are pointless: no requirement fails
   * for any of them.
   */
  async send(makeRequest: () => WireRequest, options: DeliverOptions): Promise<Observation> {
    const record = currentRecord();
    const alone = record?.alone === true;
    const { instances = 1 } = this.restarting ?? {};
    let stops = 0;
    let wasPaused = false;
    for (;;) {
      const { observation, hasReturned, isThrottled } = await this.#sendOnce(makeRequest, options, {
        alone,
        isRepeated: stops > 0,
      });
      const { answer, request } = observation;
      const isUnreachable = answer.outcome === 'unreachable';
      if (!isUnreachable) record?.keep(observation);
      if (hasReturned && stops < (isUnreachable ? maxResends : instances)) stops++;
      else if (isUnreachable) throw lostConnection(request.url, stops + 1, answer.detail);
      else if (!isThrottled) return { ...observation, ...(wasPaused && { wasPaused }) };
      wasPaused ||= isThrottled;
    }
  }

  async #sendOnce(
    makeRequest: () => WireRequest,
    options: DeliverOptions,
    { alone, isRepeated }: { alone: boolean; isRepeated: boolean },
  ): Promise<{ observation: Observation; hasReturned: boolean; isThrottled: boolean }> {
    const { url, method } = makeRequest();
    const outgoing = { url, method };
    const { toBeRefused = false, timed = false, label, kind = label, timeoutMs } = options;
    const record = currentRecord();
    this.budget.assertLeft(record?.part);
    // A forged delivery needs all lanes, so valid ones that begin at the same moment let it go first.
    if (!toBeRefused && record?.part?.group === 'forged') await nextTurn();
    const sort: DeliverySort = { kind, toBeRefused, timed, isAlone: alone && record?.othersHaveTraffic !== true };
    // A timed request without a limit only keeps the endpoint busy during another exchange: no answer says nothing.
    const isCounted = !timed || options.limitMs !== undefined;
    // Decided before the limits count anything: what is not sent must not use them up.
    const decide = () => {
      assertWanted();
      this.budget.assertLeft(record?.part);
      this.#reach.before(url, timeoutMs, 'deliveries', toBeRefused);
      return isCounted ? this.#reach.knownSilence(url, sort) : undefined;
    };
    const { lanes: acquired, known } = await this.#lanes(outgoing, { alone, isWhole: isRepeated, toBeRefused }, decide);
    using lanes = acquired;
    if (known) return { observation: known, hasReturned: false, isThrottled: false };
    let isSent = false;
    using _refund = undoneUnless(
      () => isSent,
      () => this.limits.refund(outgoing),
    );
    using sending = this.#reach.sending(url, label);
    const pace = this.#pace.of(url, { toBeRefused });
    using exchange = pace.begin();
    const { slowestMs, overdueMs } = this.#pace.of(url);
    const wantedMs = this.#reach.answerTimeoutMs(url, sort, { ...options, slowestMs });
    const isSuspect = !toBeRefused && wantedMs < timeoutMs;
    // An endpoint that hangs on one event may answer others.
    using _overdue = after(isSuspect ? 0 : overdueMs, () => {
      lanes?.rest();
      exchange[Symbol.dispose]();
    });
    const sentAt = performance.now();
    const waitMs = Math.min(wantedMs, this.budget.leftMs);
    // Signed only now: t is the time of sending, not of queueing.
    const observation = await this.#deliveries.deliver(makeRequest(), {
      ...options,
      timeoutMs: waitMs,
      // A request on a kept-alive connection may have to be sent twice, and reaches the same instance as before.
      ...((this.limits.counts(outgoing) || (this.restarting?.instances ?? 1) > 1) && { fresh: true }),
    });
    const { answer, times } = observation;
    isSent = answer.outcome !== 'unreachable';
    if (record && isSent) record.sent++;
    const isSilent = answer.outcome === 'no-answer';
    const what = labelKind(kind, toBeRefused);
    if (isSilent || times.totalMs !== null) {
      record?.answerTimes.push({ what, ms: times.totalMs ?? waitMs, ...(isSilent && { isSilent }) });
    }
    if (isSilent && waitMs < wantedMs) throw this.budget.fault();
    const hasReturned = await this.#reach.ended(url, answer, { sending, label });
    if (toBeRefused || !hasReturned) {
      const { totalMs, lagMs, proxyMs = 0 } = times;
      if (toBeRefused || isCounted) this.#reach.booked(url, sort, observation);
      const bytes = answer.outcome === 'answered' ? answer.bodyBytes : 0;
      if (isSilent) pace.bookSilence(waitMs, exchange);
      else if (toBeRefused && totalMs === null) pace.forgetTimes();
      else pace.bookAnswer(totalMs ?? timeoutMs, exchange, { bytes, ownMs: lagMs - proxyMs });
    }
    const throttling = this.#reach.throttlingOf(toBeRefused);
    if (options.returnsPauses === true) throttling.postpone(url, answer);
    const isThrottled = options.returnsPauses !== true && throttling.book(url, answer, sentAt);
    return { observation, hasReturned, isThrottled };
  }

  /**
   * Lanes for one delivery, which the limits admit unless `decide` knows its observation, after the pause that its
   * address requested; a check that is alone already has its lanes.
   */
  async #lanes(
    request: Pick<WireRequest, 'url' | 'method'>,
    { alone, isWhole, toBeRefused }: { alone: boolean; isWhole: boolean; toBeRefused: boolean },
    decide: () => Observation | undefined,
  ): Promise<{ lanes: Lanes | undefined; known?: Observation }> {
    const { url } = request;
    const throttling = this.#reach.throttlingOf(toBeRefused);
    // Refusals and the first exchange with an address need all lanes: behind others, each would wait for long calls.
    const isFirst = this.#pace.claimFirst(url) || toBeRefused || waitsLong();
    const how = { ...placesOf(url), most: () => this.#pace.of(url, { toBeRefused }).most, isFirst };
    const shared = () => this.#gate.shared(() => this.#lanesOf(url, toBeRefused), how);
    for (;;) {
      const lanes = alone ? undefined : await (isWhole ? this.#gate.alone() : shared());
      const pauseMs = throttling.remainingMs(url);
      let waitMs = 0;
      try {
        if (pauseMs === 0) {
          const known = decide();
          if (known) return { lanes, known };
          if ((waitMs = this.limits.admit(request)) === 0) return { lanes };
        }
      } catch (error) {
        lanes?.[Symbol.dispose]();
        throw error;
      }
      lanes?.[Symbol.dispose]();
      this.budget.assertLeft(currentRecord()?.part, Math.max(pauseMs, waitMs));
      await (waitMs > 0 ? delay(waitMs) : throttling.pause(url));
    }
  }

  #lanesOf(url: string, toBeRefused = false): number {
    if (this.#reach.throttlingOf(toBeRefused).isLimited(url)) return sharedLanes;
    return this.#pace.of(url, { toBeRefused }).lanes;
  }

  /** Whether nothing listens at this address. If so, faults name the label as what the endpoint stopped after. */
  readonly isDownAfter = (url: string, label: string): Promise<boolean> => this.#reach.isDownAfter(url, label);

  /** Number of deliveries and calls so far, with requests for the state of the endpoint. */
  get begun(): number {
    return this.#reach.begun;
  }

  /** Changes whenever an endpoint stops: what it had only in memory may be lost. */
  get stops(): number {
    return this.#reach.stops;
  }

  /** Whether events of this type were sent to this address and never answered. */
  readonly isUnanswered = (url: string, type: string): boolean => this.#reach.isUnanswered(url, type);

  /** How quickly addresses answer. */
  readonly paceOf = (url: string, sort?: { toBeRefused: boolean }): Pick<AddressPace, 'most' | 'quickestMs'> =>
    this.#pace.of(url, sort);

  /** Whether the run owes a verdict on the requirement of this check: it is a must, and nothing has judged it so far. */
  owes({ level, requirement }: Pick<CheckIdentity, 'level' | 'requirement'>): boolean {
    return level === 'must' && !this.exercised.has(requirement);
  }

  /**
   * Runs without concurrent traffic: no other exchange in flight, no idle connection open, except where waiting ones are
   * tolerated. Rejects if `signal` aborts first.
   */
  async alone<T>(run: () => Promise<T>, options: AloneOptions = {}): Promise<T> {
    using _lanes = await this.#gate.alone(options);
    if (options.toleratesWaiting !== true) await this.#deliveries.release();
    return await run();
  }

  /** Runs without concurrent traffic with this address; others may have traffic, unless the endpoint is slower for it. */
  async aloneAt<T>(url: string, run: () => Promise<T>): Promise<T> {
    // Checks that begin at the same moment and need everything go first.
    await nextTurn();
    using _lanes = await this.#gate.aloneAt(() => this.#lanesOf(url), placesOf(url));
    return await run();
  }

  /** Waits, for a few seconds at most, until this process runs without delays, so that a time can be measured again. */
  readonly quietMoment = (): Promise<void> => this.#lag.quietMoment();

  /** Milliseconds since a reading of `performance.now()` in which this process was stalled. */
  readonly stalledMsSince = (from: number): number => this.#lag.between(from, performance.now());

  async [Symbol.asyncDispose](): Promise<void> {
    this.#outbound.end();
    await this.phone[Symbol.asyncDispose]();
    await this.#deliveries[Symbol.asyncDispose]();
    await this.inbox[Symbol.asyncDispose]();
    this.#lag[Symbol.dispose]();
    this.#exits[Symbol.dispose]();
  }
}
