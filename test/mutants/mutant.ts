import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import type { Seams } from '../proving/endpoint.ts';
import type { Surface } from '../../specs/surfaces.ts';

/** An endpoint that is right but for one fault. */
export interface Mutant {
  /** Unique among all endpoints of the proof. */
  name: string;
  /** The requirement whose checks must fail. */
  breaks: RequirementId;
  /** The fault in one sentence. */
  what: string;
  /** Requirements that the same fault breaks by nature, each with the reason. */
  mayAlso?: readonly { id: RequirementId; why: string }[];
  /** Why nothing else can be judged on this endpoint, where that is so. */
  stopsTheRest?: string;
  /**
   * Why the checks of the requirement need the rest of the suites to see the fault, where that is so. The proof in
   * `npm test` runs the checks of the broken requirement only.
   */
  needsTheRest?: string;
  /** The surfaces of the endpoint, where the requirement is of another one. */
  surfaces?: readonly Surface[];
  /** The brand in its config; absent: that of the document. */
  brand?: string;
  /** New seams with separate memory. */
  build: () => Seams;
}
