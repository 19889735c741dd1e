import { ApiWebhooksDriver } from './api-webhooks.ts';
import { currentRecord } from './check-record.ts';
import { ChatDriver } from './own-ai-chat.ts';
import { CrmWebhookDriver } from './crm-webhook.ts';
import { Deliveries, type DeliverOptions } from './deliver.ts';
import { HarnessFault } from './faults.ts';
import { Gate } from './gate.ts';
import { Identities } from './identities.ts';
import { Inbox } from './inbox.ts';
import { LagMeter } from './lag.ts';
import type { Observation, WireRequest } from './observation.ts';
import { askedPause, Pace } from './pace.ts';
import { redactor, type Redact } from './redact.ts';
import { Samples } from './samples.ts';
import { secretsOf, type RunSettings } from './settings.ts';

/** Failed connections in a row, with none that stood before, after which no further one is tried. */
const triesToConnect = 3;

/**
 * Deliveries to one address in a row that stayed without an answer, after which no further one is tried: each costs
 * the whole patience, and the run must end.
 */
const silencesInARow = 8;
/** The same for an address that has never answered anything. */
const silencesAtFirst = 2;

/** Times that one request is sent to an endpoint that asks for a pause. */
const triesWhenThrottled = 6;

/** Everything that the checks of one worker share: connections, inbox, identities. */
export class Session {
  readonly settings: RunSettings;
  readonly inbox: Inbox;
  readonly ids = new Identities();
  readonly sample: Samples;
  readonly redact: Redact;
  readonly crm: CrmWebhookDriver;
  readonly hooks: ApiWebhooksDriver;
  readonly chat: ChatDriver;
  readonly #gate = new Gate();
  readonly #lag = new LagMeter();
  readonly #deliveries = new Deliveries(this.#lag);
  readonly #pace = new Pace();
  readonly #answered = new Set<string>();
  readonly #silences = new Map<string, number>();
  readonly #reached = new Map<string, { failed: number; detail: string; lastLabel?: string }>();

  private constructor(settings: RunSettings, inbox: Inbox) {
    this.settings = settings;
    this.inbox = inbox;
    const { skills, stimuli } = settings.config;
    this.sample = new Samples(this.ids, { skills, caller: stimuli.knownCaller, sentence: stimuli.chat?.answer });
    this.redact = redactor(secretsOf(settings.config));
    this.crm = new CrmWebhookDriver(this);
    this.hooks = new ApiWebhooksDriver(this);
    this.chat = new ChatDriver(this);
  }

  /** Starts the inbox. Throws {@link HarnessFault} when it cannot listen. */
  static async open(settings: RunSettings): Promise<Session> {
    return new Session(settings, await Inbox.open(settings.config.service));
  }

  /**
   * Sends one request and books the exchange to the check that is running. An endpoint that asks for a pause gets it.
   * Throws {@link HarnessFault} `target-unreachable` when no connection can be made, `target-silent` and
   * `target-throttles` when it is no use to go on: none of them is held against the endpoint.
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
    const { origin } = new URL(url);
    const reached = this.#reached.get(origin) ?? { failed: 0, detail: '' };
    this.#reached.set(origin, reached);
    if (reached.failed >= triesToConnect) throw unreachable(origin, reached);
    const most = this.#answered.has(url) ? silencesInARow : silencesAtFirst;
    if ((this.#silences.get(url) ?? 0) >= most) throw silent(url, most, options.patienceMs);
    // Signed only now: t is the time of sending, not of queueing.
    const observation = await this.#deliveries.deliver(makeRequest(), options);
    if (observation.answer.outcome === 'unreachable') {
      reached.failed++;
      reached.detail = observation.answer.detail;
      throw unreachable(origin, reached);
    }
    reached.failed = 0;
    reached.lastLabel = options.label;
    if (options.toBeRefused !== true && options.timed !== true) {
      const silent = observation.answer.outcome === 'no-answer';
      this.#silences.set(url, silent ? (this.#silences.get(url) ?? 0) + 1 : 0);
      if (!silent) this.#answered.add(url);
      this.#pace.took(observation, options.patienceMs);
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

function silent(url: string, count: number, patienceMs: number): HarnessFault {
  return new HarnessFault(
    'target-silent',
    `Not tried: ${url} left ${count} deliveries in a row without an answer, each for ${patienceMs / 1000} s. --patience waits longer.`,
  );
}

function unreachable(origin: string, { detail, lastLabel }: { detail: string; lastLabel?: string }): HarnessFault {
  const after = lastLabel === undefined ? '' : ` It took connections before; the last answered one was: ${lastLabel}.`;
  return new HarnessFault(
    'target-unreachable',
    `No connection to ${origin}: ${detail}.${after} Is the endpoint running, and is this its address?`,
  );
}
