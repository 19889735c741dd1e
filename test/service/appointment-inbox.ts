import { Clock, timestamp } from '../../service/clock.ts';
import type { OutboundAnswer, OutboundOptions, OutboundRequest } from '../../service/outbound.ts';
import { seededWorkspace, type SeedOptions } from '../../service/seed.ts';
import { ServiceEvents, type ServiceEvent, type ServiceEventType } from '../../service/service-events.ts';
import { ServiceIds } from '../../service/service-ids.ts';
import { ServiceInbox } from '../../service/service-inbox.ts';
import type { ApiWebhookEvent, AppointmentRequest, CrmEvent } from '../../specs/generated/types.ts';

/** The time at which these tests begin. */
export const begin = Date.UTC(2026, 9, 11, 9, 30);
export const [minute, hour] = [60_000, 3_600_000];

export const hookUrl = 'https://integrator.example/hooks';
export const hookSecret = 'whk_a-secret-of-these-tests';
export const crmUrl = 'https://integrator.example/crm';
export const phone = '+4915228817386';

/** A sent request of the service. */
export interface Sent extends OutboundRequest {
  options: OutboundOptions;
}

/** The answer to a request. */
export type Answering = (request: OutboundRequest) => OutboundAnswer | Promise<OutboundAnswer>;

export function answered(status: number): OutboundAnswer {
  return { outcome: 'answered', status, headers: [], body: new Uint8Array(), bodyBytes: 0, truncated: false };
}

/** A real inbox without the API, on a clock that only explicit moves advance; it records its requests. */
export class AppointmentInbox {
  readonly clock = new Clock(begin, () => begin);
  readonly sent: Sent[] = [];
  readonly inbox: ServiceInbox;
  answer: Answering = ({ url }) => answered(url === crmUrl ? 204 : 200);

  constructor(seed: SeedOptions = {}) {
    const { clock } = this;
    const ids = new ServiceIds();
    const events = new ServiceEvents(() => timestamp(clock.now()));
    const subscriptions = [{ url: hookUrl, secret: hookSecret }];
    const whole = { subscriptions, crmWebhook: { url: crmUrl, token: 'a-token-of-these-tests' }, ...seed };
    this.inbox = new ServiceInbox(seededWorkspace(whole, ids, clock), {
      clock,
      ids,
      events,
      baseUrl: () => 'http://127.0.0.1:8080',
      outbound: {
        post: async (make, options) => {
          const request = make();
          this.sent.push({ ...request, options });
          return { ...(await this.answer(request)), ms: 1 };
        },
        call: () => Promise.resolve({ failed: 'there is no phone in these tests' }),
      },
    });
  }

  /** A new appointment, by default in ten days, proposed. */
  create(over: Partial<AppointmentRequest> = {}): number {
    return this.inbox.appointments.create({ phone, start: inUtc(begin + 240 * hour), durationMinutes: 30, ...over }).id;
  }

  /** The appointment as the service sends it now. */
  shown(id: number): ReturnType<ServiceInbox['appointments']['wire']> {
    return this.inbox.appointments.wire(this.inbox.appointments.get(id));
  }

  /** Deliveries to subscriptions in the order of arrival, once none is pending. */
  async hooks(): Promise<ApiWebhookEvent[]> {
    await this.inbox.appointments.settled();
    return this.sent.filter(({ url }) => url !== crmUrl).map(({ body }) => parsed(body) as ApiWebhookEvent);
  }

  /** Deliveries to the CRM, once none is pending. */
  async crmEvents(): Promise<CrmEvent[]> {
    await this.inbox.appointments.settled();
    return this.sent.filter(({ url }) => url === crmUrl).map(({ body }) => parsed(body) as CrmEvent);
  }

  /** Events of one kind. */
  reported(type: ServiceEventType): ServiceEvent[] {
    return this.inbox.events.kept.filter((event) => event.type === type);
  }

  /** Kinds of messages that the customer received, in order. */
  noticeKinds(): unknown[] {
    return this.reported('to-customer').map(({ data }) => data.kind);
  }
}

/** A time in the form of requests. */
export function inUtc(at: number): string {
  return `${timestamp(at)}Z`;
}

export function parsed(body: Uint8Array): unknown {
  return JSON.parse(Buffer.from(body).toString('utf8'));
}
