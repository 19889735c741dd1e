import type { Clock } from './clock.ts';
import type { Outbound } from './outbound.ts';
import type { ServiceEvents, ServiceEventType } from './service-events.ts';
import type { ServiceIds } from './service-ids.ts';
import type { ProjectRecord, Workspace } from './workspace.ts';

/** Shared by all inboxes of one service. */
export interface ServiceCommons {
  readonly clock: Clock;
  readonly ids: ServiceIds;
  readonly events: ServiceEvents;
  readonly outbound: Outbound;
  /** The address at which the integrator reaches the service, without a trailing slash. */
  readonly baseUrl: () => string;
}

/** Dependencies of every part of an inbox. A part that uses other parts extends this with them. */
export interface InboxCore extends ServiceCommons {
  readonly workspace: Workspace;
  /** The service has ended, and this inbox with it. */
  readonly hasEnded: boolean;
  /** Adds an event of this inbox. `text` is one line for people. Secrets are redacted in both. */
  log(type: ServiceEventType, text: string, data?: Record<string, unknown>, project?: ProjectRecord): void;
}
