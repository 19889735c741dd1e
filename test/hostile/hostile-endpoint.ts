import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import type { Seams } from '../proving/endpoint.ts';
import type { Surface } from '../../specs/surfaces.ts';

/** An endpoint that wears a reader out: what it sends never ends, or is far larger or deeper than anything documented. */
export interface HostileEndpoint {
  name: string;
  what: string;
  surface: Surface;
  /** Requirements of which a check must fail. */
  fails: readonly RequirementId[];
  /** Requirements that must be blocked where they did not fail: what they judge was not read. */
  blocks?: readonly RequirementId[];
  build: () => Seams;
}
