import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import type { Seams } from '../proving/endpoint.ts';
import type { Surface } from '../../specs/surfaces.ts';

/** An endpoint that is correct except for one fault. */
export interface Mutant {
  /** Unique among all endpoints of the proof. */
  name: string;
  /** The requirement whose checks must fail. */
  breaks: RequirementId;
  /** The fault in one sentence. */
  what: string;
  /** Requirements that the same fault inevitably breaks, each with the reason. */
  mayAlso?: readonly { id: RequirementId; why: string }[];
  /** Reason why nothing else can be judged on this endpoint, if so. */
  stopsTheRest?: string;
  /**
   * Reason why the checks of the requirement detect the fault only together with the other suites, if so. The proof in
   * `npm test` runs the checks of the broken requirement only.
   */
  needsTheRest?: string;
  /** Milliseconds in which the run watches it, where the fault shows only after more than usual. */
  watchMs?: number;
  /** The surfaces of the endpoint, if the requirement belongs to another one. */
  surfaces?: readonly Surface[];
  /** The brand in its config; default: that of the document. */
  brand?: string;
  /** Makes new seams that share no state. */
  build: () => Seams;
}
