import type { CrmEvent } from '../../specs/generated/types.ts';
import { adoptCrmEvent } from '../../service/adopt-event.ts';
import { adaptToWorkspace } from '../../service/adapt-to-workspace.ts';
import { HarnessFault } from '../checks/faults.ts';
import { CrmAnswers } from './crm-answers.ts';
import type { Mailbox } from './mailbox.ts';
import type { Observation } from './observation.ts';
import type { DriverContext } from './driver-context.ts';
import { assertDocumented } from './documented-traffic.ts';

/** A CRM event before the driver adds `callbackUrl`; checks may set any other field. */
export type CrmEventDraft = Omit<CrmEvent, 'callbackUrl'> | Record<string, unknown>;

/** One delivery of a CRM event: its immediate answer, and the mailbox of its `callbackUrl`. */
export interface CrmObservation extends Observation {
  /** The event as sent. */
  event: Record<string, unknown>;
  callback: Mailbox;
  /** `performance.now()` when the answer was complete. */
  answeredAt: number;
  redelivered: boolean;
  callbackDue: boolean | 'if-overtaken';
}

export interface CrmDeliveryOptions {
  label?: string;
  /** Value of `Authorization`; `null` sends none. Default: the configured bearer token. */
  authorization?: string | null;
  fresh?: boolean;
  toBeRefused?: boolean;
  timed?: boolean;
  limitMs?: number;
  timeoutMs?: number;
  /** The mailbox of an earlier delivery: sends the same event again with the same `callbackUrl`. */
  callback?: Mailbox;
  /**
   * A 202 must be followed by a callback in time. Not set for the dense traffic of other checks, which no queue has to
   * handle at that rate; `if-overtaken`: once later events of its type have been called back and no
   * queue is at work any more.
   */
  callbackDue?: boolean | 'if-overtaken';
  /** The same event is delivered twice; its callbacks are judged by the rules for redeliveries. */
  redelivered?: boolean;
  /** The service itself has made the event and applies its answer; checks do not judge it. */
  caused?: boolean;
}

/** Maximum number of deliveries kept for the end of the run. */
const maxRemembered = 1_000;

/** Sends CRM webhook events as the service does (interface: CRM webhook). */
export class CrmWebhookDriver {
  /** Every event delivered so far, except those that the endpoint should reject. */
  readonly delivered: CrmObservation[] = [];
  /** Mailboxes that may receive the same callback again, since our answer is delayed. */
  readonly repeatable = new Set<Mailbox>();
  readonly #context: DriverContext;
  readonly #answers: CrmAnswers;
  /** Mailboxes of events that API v1 knows. */
  readonly #known = new WeakSet<Mailbox>();

  constructor(context: DriverContext) {
    this.#context = context;
    this.#answers = new CrmAnswers(context);
  }

  /** The configured token, for deriving invalid ones. */
  get token(): string {
    return this.#target.token;
  }

  get #target(): { url: string; token: string } {
    const target = this.#context.settings.config.crmWebhook;
    if (!target) throw new HarnessFault('check-broken:not-configured', { key: 'crmWebhook' });
    return target;
  }

  /** Whether events of this type were sent and never answered. */
  isUnanswered(type: string): boolean {
    return this.#context.isUnanswered(this.#target.url, type);
  }

  /** Delivers one event; each new one gets its own `callbackUrl`, and API v1 then knows its contact and project. */
  async deliver(draft: CrmEventDraft, options: CrmDeliveryOptions = {}): Promise<CrmObservation> {
    const label = options.label ?? String(draft.eventType);
    const callback =
      options.callback ?? this.#context.inbox.callbackBox(`callback of: ${label}`, () => ({ status: 200 }));
    const { caused = false } = options;
    const { inbox } = this.#context.inbox.service;
    const {
      eventType,
      timestampUtc,
      callbackUrl: _,
      ...parts
    } = (caused ? draft : adaptToWorkspace(inbox, draft)) as Record<string, unknown>;
    const event = { eventType, timestampUtc, callbackUrl: callback.url, ...parts };
    assertDocumented('crmEvent', event);
    const isFirst = !this.#known.has(callback);
    this.#known.add(callback);
    const outcome = { isFinal: false };
    if (isFirst && options.toBeRefused !== true) this.#applyCallback(callback, event, outcome);
    const authorization = options.authorization === undefined ? `Bearer ${this.token}` : options.authorization;
    const received = await this.#context.send(
      () => {
        // At the moment of sending: events of other checks may be about the same contact.
        if (!caused && isFirst) adoptCrmEvent(inbox, event);
        return {
          method: 'POST',
          url: this.#target.url,
          headers: [
            ['Content-Type', 'application/json'],
            ['User-Agent', 'svc-conform'],
            ...(authorization === null ? [] : [['Authorization', authorization] as const]),
          ],
          body: Buffer.from(JSON.stringify(event), 'utf8'),
          ...(options.authorization === undefined && { authentic: true as const }),
        };
      },
      { timeoutMs: this.#context.settings.answerTimeoutMs, kind: String(eventType), ...options, label },
    );
    outcome.isFinal = received.answer.outcome === 'answered' && received.answer.status !== 202;
    if (!caused && options.toBeRefused !== true) this.#applyAnswer(received, event);
    if (isFirst && !caused && options.toBeRefused !== true && options.authorization === undefined) {
      this.#context.acceptance.book('crm-webhook', received, () => (again) => this.deliver(draft, { label: again }));
    }
    const observation = this.#context.answers.keep(received);
    const { redelivered = false, callbackDue = redelivered } = options;
    const delivered = { ...observation, event, callback, answeredAt: performance.now(), redelivered, callbackDue };
    if (!caused && options.toBeRefused !== true && (callbackDue === true || this.delivered.length < maxRemembered)) {
      this.delivered.push(delivered);
    }
    return delivered;
  }

  #applyAnswer({ answer }: Observation, event: Record<string, unknown>): void {
    if (answer.outcome !== 'answered' || answer.status !== 200 || answer.truncated) return;
    this.#answers.apply('crmAnswer', event, answer.body);
  }

  /** Applies the first valid callback when it arrives, unless the event's answer is final. */
  #applyCallback(callback: Mailbox, event: Record<string, unknown>, outcome: { readonly isFinal: boolean }): void {
    const { respond } = callback;
    let isApplied = false;
    callback.respond = (arrival) => {
      const { request, truncated } = arrival;
      const isRead = !outcome.isFinal && !isApplied && !truncated && request.method === 'POST';
      isApplied ||= isRead && this.#answers.apply('crmCallback', event, request.body);
      return respond(arrival);
    };
  }

  /** Deliveries answered with 202: each may be followed by one callback; those with `callbackDue` must be. */
  get answeredLater(): readonly CrmObservation[] {
    return this.delivered.filter(({ answer }) => answer.outcome === 'answered' && answer.status === 202);
  }

  /** Deliveries answered with 200 or 204: none needs a callback. */
  get answeredNow(): readonly CrmObservation[] {
    return this.delivered.filter(
      ({ answer }) => answer.outcome === 'answered' && (answer.status === 200 || answer.status === 204),
    );
  }
}
