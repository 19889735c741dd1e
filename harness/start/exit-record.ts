/** How often an endpoint ended during a run, and how it ended the last time. */
export interface EndpointExit {
  exits: number;
  exitCode?: number;
  signal?: string;
}

/** How a process or container ended. */
export interface Exit {
  code?: number;
  signal?: string;
}

/** Counts how often an endpoint ended during a run. Its instances share one record. */
export class ExitRecord {
  #latest: EndpointExit | undefined;

  /** How the endpoint ended; `undefined` if it did not. */
  get latest(): EndpointExit | undefined {
    return this.#latest;
  }

  add({ code, signal }: Exit): void {
    this.#latest = {
      exits: (this.#latest?.exits ?? 0) + 1,
      ...(code !== undefined && { exitCode: code }),
      ...(signal !== undefined && { signal }),
    };
  }
}

/** How a process ended, as the predicate of a sentence. */
export function describeExit({ code, signal }: Exit): string {
  if (code !== undefined) return `ended with exit code ${code}`;
  return signal === undefined ? 'could not be run' : `was ended by ${signal}`;
}
