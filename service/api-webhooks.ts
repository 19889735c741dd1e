import type { ApiAppointment, ApiWebhookEvent, WebhookRequest, WebhookResponse } from '../specs/generated/types.ts';
import { isAllowedAddress } from './is-allowed-address.ts';
import { answerData, describeAnswer } from './describe-answer.ts';
import { timestamp } from './clock.ts';
import { InFlight } from './in-flight.ts';
import { Problem } from './problem.ts';
import type { InboxCore } from './inbox-core.ts';
import { signedPost } from './signed-post.ts';
import { shownAddress } from './without-secrets.ts';
import type { SubscriptionRecord } from './workspace.ts';

/** Milliseconds for one attempt. The interface states no limit. */
const attemptTimeoutMs = 10_000;

/** Bytes of an answer that are read: only its status matters. */
const answerBytes = 4_096;

const refusedAddress =
  'url: expected a public https address without user name and password (http for loopback only), received another.';

/** Subscriptions to appointment events, and the signed deliveries to them (interface: API webhook events). */
export class ApiWebhooks {
  readonly #inbox: InboxCore;
  readonly #inFlight = new InFlight();
  /** The last delivery to each subscription: the next one waits for it, so that events arrive in their order. */
  readonly #last = new Map<number, Promise<void>>();

  constructor(inbox: InboxCore) {
    this.#inbox = inbox;
  }

  /**
   * Subscribes an address. The secret is in this answer and in no other (interface: Authentication).
   * Throws {@link Problem} `invalid_request` when the address is not allowed (assumption loopback-addresses).
   */
  subscribe({ url, events, description }: WebhookRequest): WebhookResponse {
    if (!isAllowedAddress(url, 'https')) throw new Problem('invalid_request', refusedAddress);
    const { workspace, ids, clock } = this.#inbox;
    const subscription: SubscriptionRecord = {
      id: ids.integer(),
      url,
      events: [...new Set(events)],
      description: description ?? null,
      secret: ids.text('whk_'),
      createdAt: clock.now(),
    };
    workspace.subscriptions.set(subscription.id, subscription);
    const { secret, createdAt, ...shown } = subscription;
    return { subscription: { ...shown, createdAt: timestamp(createdAt) }, secret };
  }

  /**
   * Sends an event to every subscription that lists it: one attempt each (assumption webhook-redelivery), one after the
   * other at each address. Resolves when all have ended, successful or not; the outcomes are logged as events.
   */
  async emit(type: ApiWebhookEvent['type'], appointment: ApiAppointment): Promise<void> {
    const { workspace, ids, clock } = this.#inbox;
    const wanting = [...workspace.subscriptions.values()].filter(({ events }) => events.includes(type));
    if (wanting.length === 0) return;
    const event: ApiWebhookEvent = {
      id: ids.text('whe_'),
      type,
      createdAt: timestamp(clock.now()),
      workspaceId: workspace.id,
      // As received from the integrator, so it may exceed the bounds of the values that we generate.
      data: appointment as ApiWebhookEvent['data'],
    };
    const body = Buffer.from(JSON.stringify(event), 'utf8');
    const deliveries = wanting.map((subscription) => {
      const before = this.#last.get(subscription.id) ?? Promise.resolve();
      // A failed delivery, which is logged elsewhere, must not block the next ones.
      const delivery = before.catch(() => undefined).then(() => this.#deliver(subscription, event, body));
      this.#last.set(subscription.id, delivery);
      return delivery;
    });
    const all = Promise.all(deliveries);
    this.#inFlight.add(all);
    await all;
  }

  /** Resolves when no delivery is under way. */
  async settled(): Promise<void> {
    await this.#inFlight.settled();
  }

  async #deliver(subscription: SubscriptionRecord, event: ApiWebhookEvent, body: Buffer): Promise<void> {
    const { outbound, ids, workspace } = this.#inbox;
    const { id: subscriptionId, url, secret } = subscription;
    const deliveryId = ids.text('whd_');
    const headers = [
      ['Content-Type', 'application/json'],
      ['User-Agent', 'svc-conform'],
      ['X-Svc-Delivery-Id', deliveryId],
    ] as const;
    const answer = await outbound
      .post(() => signedPost({ url, secret, headers, body }), {
        eventType: event.type,
        timeoutMs: attemptTimeoutMs,
        maxBodyBytes: answerBytes,
      })
      .catch((error: unknown) => ({ outcome: 'unreachable' as const, detail: String(error), ms: 0 }));
    const address = shownAddress(url);
    const taken = answer.outcome === 'answered' && answer.status >= 200 && answer.status < 300;
    const { type: eventType, id: eventId } = event;
    this.#inbox.log(
      'delivery',
      `${eventType} to ${address}: ${describeAnswer(answer)}`,
      {
        kind: 'api-webhook',
        eventType,
        eventId,
        deliveryId,
        subscriptionId,
        url: address,
        taken,
        ...answerData(answer),
      },
      workspace.projects.get(event.data.projectId),
    );
  }
}
