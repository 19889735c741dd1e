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

const deliveryId = 'X-Svc-Delivery-Id';
/** Maximum number of delivery ids kept. */
const maxRemembered = 10_000;

/** Sends signed appointment events as the service does (interface: API webhook events). */
export class ApiWebhooksDriver {
  readonly #context: DriverContext;
  readonly #sent = new Set<string>();

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
      [deliveryId, `whd_${this.#context.ids.text()}`],
    ] as const;
    return SignedDelivery.of(event, text ?? JSON.stringify(event), headers, this.#target.secret);
  }

  /** Whether events of this type were sent and never answered. */
  isUnanswered(type: string): boolean {
    return this.#context.isUnanswered(this.#target.url, type);
  }

  async post(delivery: SignedDelivery, options: SignedPostOptions): Promise<Observation> {
    const observation = await this.#context.send(() => delivery.request(this.#target.url, Date.now()), {
      timeoutMs: this.#context.settings.answerTimeoutMs,
      kind: typeOf(delivery),
      ...options,
    });
    if (options.toBeRefused !== true && this.#isNew(delivery)) {
      this.#context.acceptance.book('api-webhooks', observation, () =>
        options.inTwoParts !== true && isWrittenPlainly(delivery) ? this.#repeat(delivery) : undefined,
      );
    }
    return observation;
  }

  /** Sends the content of a delivery as a new event. */
  #repeat({ event }: SignedDelivery): (label: string) => Promise<Observation> {
    const id = `whe_${this.#context.ids.text()}`;
    return (label) => this.post(this.sign({ ...(event as object), id }, { caused: true }), { label });
  }

  /** Whether no delivery had this id before; `false` once so many were sent that it is unknown. */
  #isNew({ headers }: SignedDelivery): boolean {
    const [, id = ''] = headers.find(([name]) => name === deliveryId) ?? [];
    if (this.#sent.has(id) || this.#sent.size === maxRemembered) return false;
    this.#sent.add(id);
    return true;
  }
}

/** The type of the event in a delivery. */
export function typeOf({ event }: SignedDelivery): string {
  return String((event as { type?: unknown } | undefined)?.type);
}

/** Whether body and headers are written in the usual form, so that a refusal is not due to another one. */
export function isWrittenPlainly({ event, body, headers }: SignedDelivery): boolean {
  return (
    Buffer.from(body).toString('utf8') === JSON.stringify(event) &&
    headers.some(([name, value]) => name === 'Content-Type' && value === 'application/json')
  );
}
