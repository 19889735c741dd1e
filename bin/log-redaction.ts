import { redactor, redactValue, type Redact } from '../harness/redact.ts';
import type { ServiceEvent } from '../service/service-events.ts';
import type { SimulatedService } from '../service/simulated-service.ts';

/** Takes secrets out of what a service tells: those that it began with, and those that have been made since. */
export class LogRedaction {
  readonly #service: SimulatedService;
  /** None is forgotten: one that was replaced may still be told. */
  readonly #secrets: Set<string>;
  #redact: Redact;

  constructor(service: SimulatedService, secrets: Iterable<string>) {
    this.#service = service;
    this.#secrets = new Set(secrets);
    this.#redact = this.#made();
  }

  /** The same event, without secrets in what it says. Its type and the names of its members are ours. */
  event(event: ServiceEvent): ServiceEvent {
    const known = this.#secrets.size;
    for (const { workspace } of this.#service.inboxes) {
      for (const { secret } of [...workspace.agents.values(), ...workspace.subscriptions.values()]) {
        if (secret !== undefined) this.#secrets.add(secret);
      }
    }
    if (this.#secrets.size > known) this.#redact = this.#made();
    return { ...event, text: this.#redact(event.text), data: redactValue(event.data, this.#redact) };
  }

  #made(): Redact {
    return redactor([...this.#secrets].map((value) => ({ name: 'secret', value })));
  }
}
