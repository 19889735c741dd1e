import { HarnessOutbound, StandaloneTransport } from '../../harness/wire/harness-outbound.ts';
import { Clock } from '../../service/clock.ts';
import type { SeedOptions } from '../../service/seed.ts';
import type { ServiceEvent, ServiceEventType } from '../../service/service-events.ts';
import type { ServiceInbox } from '../../service/service-inbox.ts';
import { SimulatedService } from '../../service/simulated-service.ts';
import type { ContactRecord } from '../../service/workspace.ts';
import { apiKey, begin } from './open-service.ts';

/** Number of Erika Mustermann, a contact in every seeded inbox. */
export const caller = '+4915228817386';

/** A service with one inbox that connects to its integrator over a real wire. */
export interface OpenInbox extends AsyncDisposable {
  inbox: ServiceInbox;
  /** Starts at `begin` and advances only on request. */
  clock: Clock;
  baseUrl: string;
  erika: ContactRecord;
  reported: (type: ServiceEventType) => ServiceEvent[];
}

export async function openInbox(seed: SeedOptions): Promise<OpenInbox> {
  const clock = new Clock(begin, () => begin);
  const wire = new StandaloneTransport();
  const outbound = new HarnessOutbound(wire, { greetingMs: 0 });
  const service = await SimulatedService.open({
    outbound,
    clock,
    inboxes: [{ apiKeys: { [apiKey]: 'Tests' }, ...seed }],
  });
  const { inbox, baseUrl, events } = service;
  return {
    inbox,
    clock,
    baseUrl,
    erika: inbox.contacts.forPhone(caller),
    reported: (type) => events.kept.filter((event) => event.type === type),
    async [Symbol.asyncDispose]() {
      await outbound[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
      await wire[Symbol.asyncDispose]();
    },
  };
}
