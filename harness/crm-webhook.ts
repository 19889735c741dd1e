import type { CrmEvent } from '../specs/types.ts';
import { HarnessFault } from './faults.ts';
import type { Mailbox } from './mailbox.ts';
import type { Observation } from './observation.ts';
import type { Session } from './session.ts';

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
}

export interface CrmDeliveryOptions {
  label?: string;
  /** Value of `Authorization`; `null` sends none. Default: the bearer token as configured. */
  authorization?: string | null;
  fresh?: boolean;
  toBeRefused?: boolean;
  limitMs?: number;
  patienceMs?: number;
  /** The box of an earlier delivery: the same event again with the same `callbackUrl`. */
  callback?: Mailbox;
  /** Writes the body; default `JSON.stringify`. */
  write?: (event: unknown) => string;
  /** The delivery must not count among those that owe a callback: the endpoint is right not to take it. */
  owesNothing?: boolean;
  /** The same event is delivered twice; its callbacks are judged by the rules about that. */
  redelivered?: boolean;
}

/** Sends CRM webhook events as the service does (interface: CRM webhook). */
export class CrmWebhookDriver {
  readonly #deliveries: CrmObservation[] = [];
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  get url(): string {
    return this.#target.url;
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
    const observation = await this.#session.send(
      () => ({
        method: 'POST',
        url: this.url,
        headers: [
          ['Content-Type', 'application/json'],
          ['User-Agent', 'svc-conform'],
          ...(authorization === null ? [] : [['Authorization', authorization] as const]),
        ],
        body: Buffer.from((options.write ?? JSON.stringify)(event), 'utf8'),
      }),
      { patienceMs: this.#session.settings.patienceMs, ...options, label },
    );
    const { redelivered = false } = options;
    const delivered = { ...observation, event, callback, answeredAt: performance.now(), redelivered };
    if (options.owesNothing !== true) this.#deliveries.push(delivered);
    return delivered;
  }

  /** Deliveries that were answered 202: each owes one callback. */
  get owed(): readonly CrmObservation[] {
    return this.#deliveries.filter(({ answer }) => answer.outcome === 'answered' && answer.status === 202);
  }

  /** Deliveries that were answered 200 or 204: none of them owes anything. */
  get answeredNow(): readonly CrmObservation[] {
    return this.#deliveries.filter(
      ({ answer }) => answer.outcome === 'answered' && (answer.status === 200 || answer.status === 204),
    );
  }
}
