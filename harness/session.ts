import { randomInt } from 'node:crypto';
import { ApiWebhooksDriver } from './api-webhooks.ts';
import { currentRecord } from './check-record.ts';
import { ClientUnderTest } from './client-under-test.ts';
import { ChatDriver } from './own-ai-chat.ts';
import { CrmWebhookDriver } from './crm-webhook.ts';
import { Deliveries, type DeliverOptions } from './deliver.ts';
import { HarnessFault } from './faults.ts';
import { Gate } from './gate.ts';
import { Identities } from './identities.ts';
import { Inbox } from './inbox.ts';
import { KeptAnswers } from './kept-answers.ts';
import { LagMeter } from './lag.ts';
import type { Observation, WireRequest } from './observation.ts';
import { askedPause, Pace } from './pace.ts';
import { Reach } from './reach.ts';
import { PhoneDriver } from './own-ai-phone.ts';
import { redactor, type NamedSecret, type Redact } from './redact.ts';
import { Samples } from './samples.ts';
import { secretsOf, type RunSettings } from './settings.ts';

/** Times that one request is sent to an endpoint that asks for a pause. */
const triesWhenThrottled = 6;

/** Everything that the checks of one worker share: connections, inbox, identities. */
export class Session {
  readonly settings: RunSettings;
  readonly inbox: Inbox;
  readonly ids = new Identities();
  readonly answers = new KeptAnswers();
  readonly sample: Samples;
  readonly crm: CrmWebhookDriver;
  readonly hooks: ApiWebhooksDriver;
  readonly chat: ChatDriver;
  readonly phone: PhoneDriver;
  readonly client: ClientUnderTest;
  readonly #gate = new Gate();
  readonly #lag = new LagMeter();
  readonly #deliveries = new Deliveries(this.#lag);
  readonly #pace = new Pace();
  readonly #reach = new Reach();
  #redact: { secrets: readonly NamedSecret[]; redact: Redact } | undefined;

  private constructor(settings: RunSettings, inbox: Inbox) {
    this.settings = settings;
    this.inbox = inbox;
    const { skills, stimuli } = settings.config;
    this.sample = new Samples(this.ids, {
      skills,
      caller: stimuli.knownCaller,
      sentence: stimuli.chat?.answer,
      callerSentence: stimuli.phone?.answer,
    });
    this.crm = new CrmWebhookDriver(this);
    this.hooks = new ApiWebhooksDriver(this);
    this.chat = new ChatDriver(this);
    this.client = new ClientUnderTest(settings);
    this.phone = new PhoneDriver(this, {
      url: () => settings.config.phone?.url ?? '',
      gate: this.#gate,
      lag: this.#lag,
      pace: this.#pace,
      reach: this.#reach,
    });
  }

  /** Takes out the secrets of the config, and those that the client was given as soon as it is known. */
  get redact(): Redact {
    const { secrets } = this.client;
    if (secrets !== this.#redact?.secrets) {
      this.#redact = { secrets, redact: redactor([...secretsOf(this.settings.config), ...secrets]) };
    }
    return this.#redact.redact;
  }

  /** Starts the inbox. Throws {@link HarnessFault} when it cannot listen. */
  static async open(settings: RunSettings): Promise<Session> {
    const { service } = settings.config;
    return new Session(
      settings,
      await Inbox.open(service, {
        // An endpoint that keeps what the service told it must not meet the numbers of an earlier run again.
        firstId: randomInt(1_000_000, 90_000_000),
        seed: service.apiKey === undefined ? {} : { apiKeys: { [service.apiKey]: 'The endpoint' } },
      }),
    );
  }

  /**
   * Sends one request and books the exchange to the check that is running. An endpoint that asks for a pause gets it.
   * Throws {@link HarnessFault} `target-unreachable` or `client-certificate-required` when no connection can be made,
   * `target-silent` and `target-throttles` when it is no use to continue: none of them is held against the endpoint.
   */
  async send(makeRequest: () => WireRequest, options: DeliverOptions): Promise<Observation> {
    const record = currentRecord();
    for (let tries = 1; ; tries++) {
      const observation = await this.#sendOnce(makeRequest, options, record?.alone === true);
      record?.keep(observation);
      const pause = askedPause(observation.answer);
      if (pause === undefined) return observation;
      if (tries === triesWhenThrottled) throw throttled(observation, tries);
      await new Promise((wake) => setTimeout(wake, pause));
    }
  }

  async #sendOnce(makeRequest: () => WireRequest, options: DeliverOptions, alone: boolean): Promise<Observation> {
    const { url } = makeRequest();
    using _lanes = alone ? undefined : await this.#gate.shared(this.#pace.lanes(url));
    this.#reach.before(url, options.patienceMs);
    // Signed only now: t is the time of sending, not of queueing.
    const observation = await this.#deliveries.deliver(makeRequest(), options);
    this.#reach.connected(url, observation.answer, options.label);
    if (options.toBeRefused !== true && options.timed !== true) {
      this.#reach.answered(url, observation.answer.outcome !== 'no-answer');
      this.#pace.took(url, observation.times.totalMs ?? options.patienceMs);
    }
    return observation;
  }

  /** Runs with the endpoint to itself: no other exchange of ours in the air, no idle connection of ours open. */
  async alone<T>(run: () => Promise<T>): Promise<T> {
    using _lanes = await this.#gate.alone();
    await this.#deliveries.release();
    return await run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.phone[Symbol.asyncDispose]();
    await this.#deliveries[Symbol.asyncDispose]();
    await this.inbox[Symbol.asyncDispose]();
    this.#lag[Symbol.dispose]();
  }
}

function throttled({ request }: Observation, tries: number): HarnessFault {
  return new HarnessFault(
    'target-throttles',
    `${request.url} went on asking for a pause (429 or 503) after ${tries} tries. Let the endpoint take more requests per second for this run.`,
  );
}
