import type { CrmEvent } from '../../specs/generated/types.ts';
import { HarnessFault } from '../checks/faults.ts';
import type { Mailbox } from './mailbox.ts';
import type { Observation } from './observation.ts';
import type { Session } from '../checks/session.ts';

/** A CRM event before the driver gives it a `callbackUrl`; checks may put anything else into it. */
export type CrmEventDraft = Omit<CrmEvent, 'callbackUrl'> | Record<string, unknown>;

/** One delivery of a CRM event: what came back at once, and the box for what comes to its `callbackUrl`. */
export interface CrmObservation extends Observation {
  /** The event as it was sent. */
  event: Record<string, unknown>;
  callback: Mailbox;
  /** `performance.now()` when the answer was complete. */
  answeredAt: number;
  redelivered: boolean;
  callbackDue: boolean;
}

export interface CrmDeliveryOptions {
  label?: string;
  /** Value of `Authorization`; `null` sends none. Default: the bearer token as configured. */
  authorization?: string | null;
  fresh?: boolean;
  toBeRefused?: boolean;
  timed?: boolean;
  limitMs?: number;
  patienceMs?: number;
  /** The box of an earlier delivery: the same event again with the same `callbackUrl`. */
  callback?: Mailbox;
  /**
   * A 202 to it must be followed by a callback in time. Not for the dense traffic of other checks: nobody's queue has
   * to be as fast as that.
   */
  callbackDue?: boolean;
  /** The same event is delivered twice; its callbacks are judged by the rules about that. */
  redelivered?: boolean;
}

/** Deliveries that are kept for being judged at the end of the run. */
const maxRemembered = 1_000;

/** Sends CRM webhook events as the service does (interface: CRM webhook). */
export class CrmWebhookDriver {
  /** Every event delivered so far, but for those that the endpoint is right to refuse. */
  readonly delivered: CrmObservation[] = [];
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** The token as configured, for making wrong ones of it. */
  get token(): string {
    return this.#target.token;
  }

  get #target(): { url: string; token: string } {
    const target = this.#session.settings.config.crmWebhook;
    if (!target) throw new HarnessFault('check-broken', 'crmWebhook is not configured.');
    return target;
  }

  /** Delivers one event; each new one gets a `callbackUrl` of its own. */
  async deliver(draft: CrmEventDraft, options: CrmDeliveryOptions = {}): Promise<CrmObservation> {
    const label = options.label ?? String(draft.eventType);
    const callback =
      options.callback ?? this.#session.inbox.callbackBox(`callback of: ${label}`, () => ({ status: 200 }));
    const { eventType, timestampUtc, callbackUrl: _, ...parts } = draft as Record<string, unknown>;
    const event = { eventType, timestampUtc, callbackUrl: callback.url, ...parts };
    const authorization = options.authorization === undefined ? `Bearer ${this.token}` : options.authorization;
    const received = await this.#session.send(
      () => ({
        method: 'POST',
        url: this.#target.url,
        headers: [
          ['Content-Type', 'application/json'],
          ['User-Agent', 'svc-conform'],
          ...(authorization === null ? [] : [['Authorization', authorization] as const]),
        ],
        body: Buffer.from(JSON.stringify(event), 'utf8'),
      }),
      { patienceMs: this.#session.settings.patienceMs, ...options, label },
    );
    const observation = this.#session.answers.keep(received);
    const { redelivered = false, callbackDue = redelivered } = options;
    const delivered = { ...observation, event, callback, answeredAt: performance.now(), redelivered, callbackDue };
    if (options.toBeRefused !== true && (callbackDue || this.delivered.length < maxRemembered)) {
      this.delivered.push(delivered);
    }
    return delivered;
  }

  /** Deliveries that were answered 202: to each one callback may come, and to those with `callbackDue` it must. */
  get answeredLater(): readonly CrmObservation[] {
    return this.delivered.filter(({ answer }) => answer.outcome === 'answered' && answer.status === 202);
  }

  /** Deliveries that were answered 200 or 204: none of them owes anything. */
  get answeredNow(): readonly CrmObservation[] {
    return this.delivered.filter(
      ({ answer }) => answer.outcome === 'answered' && (answer.status === 200 || answer.status === 204),
    );
  }
}
