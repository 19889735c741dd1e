import type { Finding } from '../harness/checks/finding.ts';
import type { Observation } from '../harness/wire/observation.ts';
import type { EndpointSurface } from '../specs/surfaces.ts';
import type { RequirementId } from '../specs/requirements/catalogue.ts';

/** A violation of a requirement, as the judges of the checks report it. */
export interface LoadViolation {
  requirement: RequirementId;
  finding: Finding;
  /** The load at which the event was sent; absent: that of the current step. */
  load?: number;
}

/** One delivery and its answer. */
export interface LoadDelivery {
  observation: Observation;
  /** Whether the deadline of the surface applies to it. */
  isTimed: boolean;
  /** Judges the answer; called after its time was measured. */
  judge: () => LoadViolation[];
}

/** The events of one surface, in a realistic mix. */
export interface Traffic {
  surface: EndpointSurface;
  url: string;
  /** The limit of the interface; `undefined` where it has none. */
  deadline: { requirement: RequirementId; ms: number } | undefined;
  /** Sends the next event; with `isTimed`, one with a deadline if the surface has any. Throws HarnessFault `limit-used`. */
  send: (options: { isTimed: boolean; load: number }) => Promise<LoadDelivery>;
  /** Judges what the endpoint sent later, such as callbacks, once no answer is pending. */
  judgeLater: () => Promise<LoadViolation[]>;
}

/**
 * Milliseconds beyond its deadline for which an answer is awaited: enough to show that it came, and short, so that few
 * connections are open.
 */
export const beyondDeadlineMs = 1_000;
/** Milliseconds after which an event without a deadline in the interface counts as not answered: the usual timeout of HTTP clients. */
export const untimedTimeoutMs = 10_000;
