import type { ApiWebhookEvent } from '../../specs/generated/types.ts';
import { adoptAppointment } from '../../service/adopt-event.ts';
import { HarnessFault } from '../checks/faults.ts';
import type { Observation } from './observation.ts';
import type { DriverContext } from './driver-context.ts';
import { SignedDelivery } from './signed-delivery.ts';

export interface SignedPostOptions {
  label: string;
  fresh?: boolean;
  toBeRefused?: boolean;
  timed?: boolean;
  limitMs?: number;
  timeoutMs?: number;
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
   * `text` is the body to send, by default `JSON.stringify` of the event.
   */
  sign(
    event: ApiWebhookEvent | Record<string, unknown>,
    { text = JSON.stringify(event) }: { text?: string } = {},
  ): SignedDelivery {
    adoptAppointment(this.#context.inbox.service.inbox, event.data);
    const headers = [
      ['Content-Type', 'application/json'],
      ['User-Agent', 'svc-conform'],
      ['X-Svc-Delivery-Id', `whd_${this.#context.ids.text()}`],
    ] as const;
    return SignedDelivery.of(event, text, headers, this.#target.secret);
  }

  async post(delivery: SignedDelivery, options: SignedPostOptions): Promise<Observation> {
    return await this.#context.send(() => delivery.request(this.#target.url, Date.now()), {
      timeoutMs: this.#context.settings.answerTimeoutMs,
      ...options,
    });
  }
}
