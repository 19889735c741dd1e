import { randomBytes } from 'node:crypto';

/** Ids of the service: numbers count up, texts cannot be guessed. */
export class ServiceIds {
  #next: number;

  /** @param first the first number; a harness begins where no earlier run was */
  constructor(first = 1_001) {
    this.#next = first;
  }

  /** A positive integer that nothing else in this service has. */
  integer(): number {
    return this.#next++;
  }

  /** 128 random bits as hex, with what the interface puts before them: `evt_`, `whsec_`, `CA` … */
  text(prefix = ''): string {
    return prefix + randomBytes(16).toString('hex');
  }
}
