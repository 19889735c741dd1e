import type { EndpointSurface } from '../../specs/surfaces.ts';
import { isSuccess } from '../wire/answer-status.ts';
import type { Observation } from '../wire/observation.ts';
import { asEvidence, currentRecord, type CheckRecord } from './check-record.ts';

/** Maximum number of refused deliveries kept for each surface. */
const maxKept = 50;

/** Answers that ask for the same delivery later: because of another one, or of a limit that the run may have used up. */
export const laterStatuses: readonly number[] = [409, 425, 429, 503];

/** A valid delivery that was refused. */
export interface UnacceptedDelivery {
  observation: Observation;
  /** `performance.now()` when it was answered. */
  until: number;
  /** Sends the same content as a new delivery. */
  again: (label: string) => Promise<Observation>;
}

/** Valid deliveries of one surface. */
export interface ValidDeliveries {
  accepted: number;
  /** The latest accepted one. */
  latest: Observation | undefined;
  /** Those that were refused although they are valid, unless a check has reported it. */
  refused: readonly UnacceptedDelivery[];
  /** More were refused than are kept. */
  isFull: boolean;
}

/**
 * Which valid deliveries of a run the endpoint accepted. Many checks judge something else and only need an accepted
 * delivery, so a refusal that occurs once would appear in no verdict.
 */
export class Acceptance {
  readonly #surfaces = new Map<EndpointSurface, ValidDeliveries & { refused: UnacceptedDelivery[] }>();
  readonly #senders = new WeakMap<UnacceptedDelivery, CheckRecord>();

  /**
   * Records the answer to a delivery that the endpoint should accept, and that is not a repetition.
   *
   * @param repeat returns what sends its content as a new delivery; `undefined` if something else may be the reason for a
   *   refusal
   */
  book(
    surface: EndpointSurface,
    observation: Observation,
    repeat: () => UnacceptedDelivery['again'] | undefined,
  ): void {
    const { answer, request } = observation;
    const record = currentRecord();
    if (!record || record.isOwn || answer.outcome !== 'answered' || request.authentic !== true) return;
    const known = this.#of(surface);
    if (isSuccess(answer.status)) {
      known.accepted++;
      known.latest = observation;
      return;
    }
    const again = laterStatuses.includes(answer.status) ? undefined : repeat();
    if (!again) return;
    known.isFull ||= known.refused.length === maxKept;
    if (known.isFull) return;
    const refused = { observation: asEvidence(observation), until: performance.now(), again };
    known.refused.push(refused);
    this.#senders.set(refused, record);
  }

  /** Drops the refusals that a check caused or saw: it reports them itself, since it did not pass. */
  report(record: CheckRecord): void {
    const seen = new Set(record.evidence.map(({ request }) => request));
    for (const known of this.#surfaces.values()) {
      known.refused = known.refused.filter(
        (one) => this.#senders.get(one) !== record && !seen.has(one.observation.request),
      );
    }
  }

  /** The valid deliveries of this surface so far. */
  of(surface: EndpointSurface): ValidDeliveries {
    return this.#of(surface);
  }

  #of(surface: EndpointSurface): ValidDeliveries & { refused: UnacceptedDelivery[] } {
    const known = this.#surfaces.get(surface) ?? { accepted: 0, latest: undefined, refused: [], isFull: false };
    this.#surfaces.set(surface, known);
    return known;
  }
}
