import {
  labelDelivery,
  type LiveCall,
  type Outbound,
  type OutboundAnswer,
  type OutboundOptions,
  type OutboundRequest,
} from '../../service/outbound.ts';
import type { ApiWebhookEvent } from '../../specs/generated/types.ts';
import { withoutRecord } from '../checks/check-record.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { parseJson } from '../checks/json.ts';
import type { ApiWebhooksDriver } from './api-webhooks-driver.ts';
import type { CrmWebhookDriver } from './crm-webhook-driver.ts';
import type { DriverContext } from './driver-context.ts';
import { outboundAnswer } from './harness-outbound.ts';
import type { Mailbox } from './mailbox.ts';

/** Drivers that send the events. */
interface EventDrivers extends Pick<DriverContext, 'settings' | 'inbox'> {
  readonly crm: CrmWebhookDriver;
  readonly hooks: ApiWebhooksDriver;
}

/** Maximum number of events: an endpoint that answers each event with a new appointment would cause them without end. */
const maxEvents = 300;

/**
 * Outbound side of the service during a run. What the endpoint does at API v1 causes events, which are sent through the
 * drivers to the configured endpoints. Nothing is sent to other addresses: a client may have configured real ones.
 */
export class RunOutbound implements Outbound {
  #drivers: EventDrivers | undefined;
  #events = 0;
  /** The mailboxes of CRM events by the `callbackUrl` that the service chose. */
  readonly #callbacks = new Map<string, Mailbox>();
  /** Ids of sent API webhook events: two subscriptions of the same address receive one delivery. */
  readonly #sent = new Set<string>();

  /** Sends events from now on. */
  connect(drivers: EventDrivers): void {
    this.#drivers = drivers;
  }

  /** Sends nothing any more. */
  end(): void {
    this.#drivers = undefined;
  }

  /** Never rejects: every behaviour of the other side is an answer. */
  async post(make: () => OutboundRequest, asked: OutboundOptions): Promise<OutboundAnswer & { ms: number }> {
    const from = performance.now();
    const { timeoutMs } = asked;
    const label = `${labelDelivery(asked)}, caused by a request to API v1`;
    const { url, body } = make();
    const drivers = this.#drivers;
    const event = parseJson(body);
    if (!drivers || 'error' in event || !isJsonObject(event.value)) return notSent('nothing is sent during a check');
    const { crmWebhook, apiWebhooks } = drivers.settings.config;
    const { value } = event;
    if (this.#events >= maxEvents) return notSent(`no more than ${maxEvents} events are sent during a run`);
    try {
      // An event belongs to no check, not even to one that is running.
      return await withoutRecord(async () => {
        // The two may have the same address.
        if ('eventType' in value && url === crmWebhook?.url) {
          this.#events++;
          return await this.#sendCrmEvent(drivers, value, { label, timeoutMs });
        }
        if ('type' in value && url === apiWebhooks?.url) {
          this.#events++;
          return await this.#sendWebhookEvent(drivers, value as unknown as ApiWebhookEvent, { label, timeoutMs });
        }
        return notSent('nothing is sent to other addresses during a check');
      });
    } catch (error) {
      // The endpoint is known to be unavailable, or the run has ended.
      return { ...notSent(error instanceof Error ? error.message : String(error)), ms: performance.now() - from };
    }
  }

  call(): Promise<LiveCall | { failed: string }> {
    return Promise.resolve({ failed: 'no call is made during a check' });
  }

  async #sendCrmEvent(
    { crm, inbox }: EventDrivers,
    event: Record<string, unknown>,
    options: { label: string; timeoutMs: number },
  ): Promise<OutboundAnswer & { ms: number }> {
    const callbackUrl = String(event['callbackUrl']);
    const callback =
      this.#callbacks.get(callbackUrl) ?? inbox.callbackBox(`callback of: ${options.label}`, () => ({ status: 200 }));
    this.#callbacks.set(callbackUrl, callback);
    const { answer, times } = await crm.deliver(event, { ...options, callback, caused: true });
    return { ...outboundAnswer(answer), ms: times.totalMs ?? options.timeoutMs };
  }

  async #sendWebhookEvent(
    { hooks }: EventDrivers,
    event: ApiWebhookEvent,
    options: { label: string; timeoutMs: number },
  ): Promise<OutboundAnswer & { ms: number }> {
    if (this.#sent.has(event.id)) return notSent('the event is sent to this address already');
    this.#sent.add(event.id);
    const { answer, times } = await hooks.post(hooks.sign(event, { caused: true }), options);
    return { ...outboundAnswer(answer), ms: times.totalMs ?? options.timeoutMs };
  }
}

function notSent(detail: string): OutboundAnswer & { ms: number } {
  return { outcome: 'unreachable', detail, ms: 0 };
}
