import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import type { Surface } from '../../specs/surfaces.ts';
import type { Seams } from '../proving/endpoint.ts';
import type { ListeningServer } from '../server-fixture.ts';

/** An endpoint that exhausts, breaks or deceives its reader. */
export interface HostileEndpoint {
  name: string;
  what: string;
  surface: Surface;
  /** Requirements with a check that must fail. */
  fails: readonly RequirementId[];
  /** Requirements that must be blocked unless they fail: the data that they judge was not read. */
  blocks?: readonly RequirementId[];
  /** Requirements of which every check must pass: the endpoint is unusual, and correct. */
  passes?: readonly RequirementId[];
  /** Words of a message of each requirement in `fails` and `blocks`, which show that it has the true reason. */
  reason?: RegExp;
  /** Only the checks of the requirements above run: a sibling runs all of them. */
  isNarrow?: boolean;
  build: () => Seams;
  /** A server in front of the endpoint, reached over TLS; `port` is the plain one of the endpoint. */
  front?: (port: number) => Promise<ListeningServer>;
}
