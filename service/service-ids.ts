import { randomBytes } from 'node:crypto';

/** Ids of the service: numbers count up, strings cannot be guessed. */
export class ServiceIds {
  #next: number;

  /** @param first the first number; a harness starts above those of earlier runs */
  constructor(first = 1_001) {
    this.#next = first;
  }

  /** A positive integer that is unique in this service. */
  integer(): number {
    return this.#next++;
  }

  /** 128 random bits as hex, with the prefix of the interface: `evt_`, `whsec_`, `CA` … */
  text(prefix = ''): string {
    return prefix + randomBytes(16).toString('hex');
  }
}
