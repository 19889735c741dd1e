import { warnOfDefect } from './in-flight.ts';

/** What kind of thing happened in the service. */
export type ServiceEventType =
  /** A request to API v1 was answered. */
  | 'api-request'
  /** A delivery to the integrator, and what came back. */
  | 'delivery'
  /** A CRM callback came. */
  | 'callback'
  /** The customer wrote or called. */
  | 'customer'
  /** Something was sent to the customer: a text, an invitation, a notice, a reminder. */
  | 'to-customer'
  /** Something only the team sees: a note, an alert, a push. */
  | 'to-team'
  /** The auto-reply state of a conversation changed. */
  | 'auto-reply'
  | 'appointment'
  | 'skill'
  /** A call began, a frame went or came, the call ended. */
  | 'call'
  /** Contact or project data changed by an answer of the CRM. */
  | 'crm-data'
  /** The time was moved. */
  | 'clock';

/** Something that happened in the service: for the live log, for tests in any language, for scenario files. */
export interface ServiceEvent {
  /** Counts up from 1. */
  seq: number;
  /** The service's time, UTC without a zone. */
  at: string;
  type: ServiceEventType;
  workspaceId: number;
  projectId?: number;
  /** One line for people. No secret stands in it. */
  text: string;
  /** The same for machines. No secret stands in it. */
  data: Readonly<Record<string, unknown>>;
}

/** Everything that happened, oldest first, and whoever listens. */
export class ServiceEvents {
  /** The latest ones. */
  readonly kept: ServiceEvent[] = [];
  readonly #listeners = new Set<(event: ServiceEvent) => void>();
  readonly #failing = new WeakSet<(event: ServiceEvent) => void>();
  readonly #now: () => string;
  #seq = 0;

  constructor(now: () => string) {
    this.#now = now;
  }

  /** Books an event and tells the listeners. */
  add(event: Omit<ServiceEvent, 'seq' | 'at'>): ServiceEvent {
    const added = { seq: ++this.#seq, at: this.#now(), ...event };
    this.kept.push(added);
    if (this.kept.length > keptEvents * 2) this.kept.splice(0, keptEvents);
    for (const listener of this.#listeners) {
      try {
        listener(added);
      } catch (error) {
        // Who listens has no part in the service; one that fails at every event is told once.
        if (!this.#failing.has(listener)) warnOfDefect(error);
        this.#failing.add(listener);
      }
    }
    return added;
  }

  /** Calls `listener` with each event from now on; returns what takes it off again. */
  listen(listener: (event: ServiceEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Events that stay readable, at least. */
const keptEvents = 2_000;
