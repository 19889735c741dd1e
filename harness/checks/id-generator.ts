import { randomInt } from 'node:crypto';
import { randomToken } from '../wire/inbox.ts';

/**
 * Generates ids that no earlier run used, so that an endpoint which remembers deliveries does not treat ours as
 * redeliveries. They are the only values that a seed does not reproduce.
 */
export class IdGenerator {
  // Below 2^31: large numbers are tested only by the events made for that purpose.
  #next = randomInt(100_000_000, 2_000_000_000);

  /** A positive integer: for contacts, projects, messages, appointments. */
  integer(): number {
    return this.#next++;
  }

  /** An id of an own-AI event: prefix `evt_` (interface: Own-AI chat event). */
  event(): string {
    return `evt_${randomToken()}`;
  }

  /** Any other unique id. */
  text(): string {
    return randomToken();
  }
}
