import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import type { Seams } from '../proving/endpoint.ts';
import type { Surface } from '../../specs/surfaces.ts';

/** An endpoint that exhausts a reader: its data never ends, or is far larger or deeper than anything documented. */
export interface HostileEndpoint {
  name: string;
  what: string;
  surface: Surface;
  /** Requirements with a check that must fail. */
  fails: readonly RequirementId[];
  /** Requirements that must be blocked unless they fail: the data that they judge was not read. */
  blocks?: readonly RequirementId[];
  build: () => Seams;
}
