import { randomInt } from 'node:crypto';
import { HarnessFault } from '../harness/checks/faults.ts';
import { Acceptance } from '../harness/checks/acceptance.ts';
import { IdGenerator } from '../harness/checks/id-generator.ts';
import { Samples } from '../harness/checks/samples.ts';
import { seedOptions } from '../harness/checks/seed-options.ts';
import { runDefaults, type ResolvedConfig, type RunSettings } from '../harness/config/settings.ts';
import { ApiWebhooksDriver } from '../harness/wire/api-webhooks-driver.ts';
import { ChatDriver } from '../harness/wire/chat-driver.ts';
import { CrmWebhookDriver } from '../harness/wire/crm-webhook-driver.ts';
import { Deliveries, type DeliverOptions } from '../harness/wire/deliveries.ts';
import type { DriverContext } from '../harness/wire/driver-context.ts';
import { Inbox } from '../harness/wire/inbox.ts';
import { KeptAnswers } from '../harness/wire/kept-answers.ts';
import { LagMeter } from '../harness/wire/lag-meter.ts';
import type { Observation, WireRequest } from '../harness/wire/observation.ts';
import { assertFileHandles } from '../harness/wire/resource-limits.ts';
import { Routes } from '../harness/wire/routes.ts';
import { TrafficLimits } from '../harness/wire/traffic-limits.ts';
import { Brand } from '../specs/brand.ts';
import { limits } from '../specs/limits.ts';

/**
 * The drivers of a run with one difference: whatever they send is sent at once, as arrivals of an open model do not wait
 * for answers or for each other.
 */
export class LoadSession implements DriverContext {
  readonly settings: RunSettings;
  readonly inbox: Inbox;
  readonly ids = new IdGenerator();
  readonly acceptance = new Acceptance();
  readonly sample: Samples;
  readonly crm: CrmWebhookDriver;
  readonly hooks: ApiWebhooksDriver;
  readonly chat: ChatDriver;
  readonly limits: TrafficLimits;
  readonly lag = new LagMeter();
  readonly brand: Brand;
  readonly routes: Routes;
  readonly #deliveries: Deliveries;

  private constructor(settings: RunSettings, inbox: Inbox) {
    const { config } = settings;
    this.settings = settings;
    this.inbox = inbox;
    this.limits = TrafficLimits.of(config);
    this.brand = Brand.named(config.brand);
    this.routes = Routes.of(config);
    this.#deliveries = new Deliveries(this.lag, this.brand, this.routes);
    this.sample = new Samples(this.ids, {
      workspace: inbox.service.inbox.workspace,
      skills: config.skills,
      caller: config.stimuli.knownCaller,
      sentence: config.stimuli.chat?.answer,
      callerSentence: config.stimuli.phone?.answer,
    });
    this.crm = new CrmWebhookDriver(this);
    this.hooks = new ApiWebhooksDriver(this);
    this.chat = new ChatDriver(this);
  }

  /** Starts the service that the endpoint calls. Throws {@link HarnessFault} when it cannot listen. */
  static async open(config: ResolvedConfig, seed: number): Promise<LoadSession> {
    assertFileHandles();
    const settings: RunSettings = {
      ...runDefaults,
      config,
      seed,
      callbackWaitMs: limits.crmCallbackWithinMs,
      callbackLimitMs: limits.crmCallbackWithinMs,
      only: [],
    };
    const inbox = await Inbox.open(config.service, {
      // Random, so that an endpoint with stored data does not meet the ids of an earlier run.
      firstId: randomInt(1_000_000, 90_000_000),
      seed: seedOptions(settings),
      brand: Brand.named(config.brand),
    });
    return new LoadSession(settings, inbox);
  }

  /** Each answer is judged when it arrives, so that none has to share memory with others. */
  get answers(): KeptAnswers {
    return new KeptAnswers();
  }

  isUnanswered(): boolean {
    return false;
  }

  /** Sends one request at once. Throws {@link HarnessFault} `limit-used` when the limits of the config do not permit it. */
  async send(makeRequest: () => WireRequest, options: DeliverOptions): Promise<Observation> {
    const request = makeRequest();
    if (this.limits.admit(request) > 0) {
      const { perMinute = 0 } = this.settings.config.limits ?? {};
      throw new HarnessFault('limit-used:minute', { perMinute });
    }
    const observation = await this.#deliveries.deliver(request, options);
    if (observation.answer.outcome === 'unreachable') this.limits.refund(request);
    return observation;
  }

  /** Counts one call; `false` if the limits of the config do not permit it. */
  mayCall(upgrade: Parameters<TrafficLimits['admit']>[0]): boolean {
    try {
      return this.limits.admit(upgrade) === 0;
    } catch (error) {
      if (error instanceof HarnessFault && error.code === 'limit-used') return false;
      throw error;
    }
  }

  /** Forgets the deliveries of a step. */
  forget(): void {
    this.crm.delivered.length = 0;
    this.chat.delivered.length = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#deliveries[Symbol.asyncDispose]();
    await this.inbox[Symbol.asyncDispose]();
    this.lag[Symbol.dispose]();
  }
}
