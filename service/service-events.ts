import { warnOfDefect } from './in-flight.ts';

/** Kinds of service events. */
export type ServiceEventType =
  /** A request to API v1 was answered. */
  | 'api-request'
  /** A delivery to the integrator, and the answer. */
  | 'delivery'
  /** A CRM callback arrived. */
  | 'callback'
  /** The customer wrote or called. */
  | 'customer'
  /** Something was sent to the customer: a message, an invitation, a notice, a reminder. */
  | 'to-customer'
  /** Something only the team sees: a note, an alert, a push. */
  | 'to-team'
  /** The auto-reply state of a conversation changed. */
  | 'auto-reply'
  | 'appointment'
  | 'skill'
  /** A call began, a frame was sent or received, the call ended. */
  | 'call'
  /** Contact or project data changed by an answer of the CRM. */
  | 'crm-data'
  /** The time was moved. */
  | 'clock';

/** An event of the service: for the live log, for tests in any language, for scenario files. */
export interface ServiceEvent {
  /** Counts up from 1. */
  seq: number;
  /** The service's time, UTC without a zone. */
  at: string;
  type: ServiceEventType;
  workspaceId: number;
  projectId?: number;
  /** One line for people. Contains no secret. */
  text: string;
  /** The same for programs. Contains no secret. */
  data: Readonly<Record<string, unknown>>;
}

/** All events, oldest first, and their listeners. */
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

  /** Adds an event and calls the listeners. */
  add(event: Omit<ServiceEvent, 'seq' | 'at'>): ServiceEvent {
    const added = { seq: ++this.#seq, at: this.#now(), ...event };
    this.kept.push(added);
    if (this.kept.length > keptEvents * 2) this.kept.splice(0, keptEvents);
    for (const listener of this.#listeners) {
      try {
        listener(added);
      } catch (error) {
        // Listeners are no part of the service; one that always fails is reported once.
        if (!this.#failing.has(listener)) warnOfDefect(error);
        this.#failing.add(listener);
      }
    }
    return added;
  }

  /** Calls `listener` with each event from now on; returns a function that removes it. */
  listen(listener: (event: ServiceEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Minimum number of events that stay readable. */
const keptEvents = 2_000;
