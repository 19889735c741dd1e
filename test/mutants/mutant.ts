import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import type { Seams } from '../proving/endpoint.ts';

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
  /** New seams with a memory of their own. */
  build: () => Seams;
}
