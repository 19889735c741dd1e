import type { CheckRecord } from './check-record.ts';
import type { Observation, WireRequest } from '../wire/observation.ts';

/** Maximum number of refused deliveries kept. */
const maxKept = 200;

/** Answers that ask for the same delivery later: because of another one, or of a limit that the run may have used up. */
const laterStatuses: readonly number[] = [409, 425, 429, 503];

/** Valid deliveries to one address. */
export interface ValidDeliveries {
  accepted: number;
  /** The latest accepted one. */
  latest: Observation | undefined;
  /** Those that were refused although they are valid, unless a check has reported it. */
  refused: readonly Observation[];
}

/**
 * Which valid deliveries of a run the endpoint accepted. Many checks judge something else and only need an accepted
 * delivery, so a refusal that occurs once would appear in no verdict.
 */
export class Acceptance {
  readonly #accepted = new Map<string, { count: number; latest: Observation }>();
  readonly #refused: Observation[] = [];
  readonly #ofRecord = new WeakMap<CheckRecord, WireRequest[]>();
  readonly #reported = new WeakSet<WireRequest>();

  /** Records the answer to a delivery that the endpoint should accept. */
  book(observation: Observation, record: CheckRecord): void {
    const { answer, request } = observation;
    if (answer.outcome !== 'answered' || request.authentic !== true || record.isOwn) return;
    const { status } = answer;
    if (status >= 200 && status <= 299) {
      const { count = 0 } = this.#accepted.get(request.url) ?? {};
      this.#accepted.set(request.url, { count: count + 1, latest: observation });
      return;
    }
    if (laterStatuses.includes(status) || this.#refused.length === maxKept) return;
    this.#refused.push(observation);
    this.#ofRecord.set(record, [...(this.#ofRecord.get(record) ?? []), request]);
  }

  /** Marks the refusals that a check caused or saw as reported, since it did not pass. */
  report(record: CheckRecord): void {
    const seen = record.evidence.map(({ request }) => request);
    for (const request of [...seen, ...(this.#ofRecord.get(record) ?? [])]) this.#reported.add(request);
  }

  /** The valid deliveries to this address so far. */
  at(url: string): ValidDeliveries {
    const { count = 0, latest } = this.#accepted.get(url) ?? {};
    const refused = this.#refused.filter(({ request }) => request.url === url && !this.#reported.has(request));
    return { accepted: count, latest, refused };
  }
}
