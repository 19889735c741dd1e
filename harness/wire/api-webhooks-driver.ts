import type { ApiWebhookEvent } from '../../specs/generated/types.ts';
import { adoptAppointment } from '../../service/adopt-event.ts';
import { adaptToWorkspace } from '../../service/adapt-to-workspace.ts';
import { HarnessFault } from '../checks/faults.ts';
import type { Observation } from './observation.ts';
import type { DriverContext } from './driver-context.ts';
import { assertDocumented } from './documented-traffic.ts';
import { SignedDelivery } from './signed-delivery.ts';

export interface SignedPostOptions {
  label: string;
  fresh?: boolean;
  toBeRefused?: boolean;
  timed?: boolean;
  inTwoParts?: boolean;
  limitMs?: number;
  timeoutMs?: number;
  returnsPauses?: boolean;
}

/** Sends signed appointment events as the service does (interface: API webhook events). */
export class ApiWebhooksDriver {
  readonly #context: DriverContext;

  constructor(context: DriverContext) {
    this.#context = context;
  }

  get #target(): { url: string; secret: string } {
    const target = this.#context.settings.config.apiWebhooks;
    if (!target) throw new HarnessFault('check-broken:not-configured', { key: 'apiWebhooks' });
    return target;
  }

  /**
   * A delivery of an event with a new `X-Svc-Delivery-Id`, signed when it is sent; posting it twice redelivers it. API v1
   * knows the appointment from then on.
   * `text` is the body to send, by default `JSON.stringify` of the event. `caused`: the service itself has made the
   * event, so it knows the appointment already.
   */
  sign(
    draft: ApiWebhookEvent | Record<string, unknown>,
    { text, caused = false }: { text?: string; caused?: boolean } = {},
  ): SignedDelivery {
    const { inbox } = this.#context.inbox.service;
    const event = text === undefined && !caused ? adaptToWorkspace(inbox, draft) : draft;
    assertDocumented('apiWebhookEvent', event);
    if (!caused) adoptAppointment(inbox, event.data);
    const headers = [
      ['Content-Type', 'application/json'],
      ['User-Agent', 'svc-conform'],
      ['X-Svc-Delivery-Id', `whd_${this.#context.ids.text()}`],
    ] as const;
    return SignedDelivery.of(event, text ?? JSON.stringify(event), headers, this.#target.secret);
  }

  /** Whether events of this type were sent and never answered. */
  isUnanswered(type: string): boolean {
    return this.#context.isUnanswered(this.#target.url, type);
  }

  async post(delivery: SignedDelivery, options: SignedPostOptions): Promise<Observation> {
    return await this.#context.send(() => delivery.request(this.#target.url, Date.now()), {
      timeoutMs: this.#context.settings.answerTimeoutMs,
      kind: typeOf(delivery),
      ...options,
    });
  }
}

/** The type of the event in a delivery. */
export function typeOf({ event }: SignedDelivery): string {
  return String((event as { type?: unknown } | undefined)?.type);
}
