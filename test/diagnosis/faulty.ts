import type { CauseId } from '../../diagnosis/causes.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import type { Seams } from '../proving/endpoint.ts';
import type { OpenOptions } from './open-connection.ts';

/** An endpoint that is correct except for one cause. */
export interface Faulty {
  cause: CauseId;
  name: string;
  surface: DiagnosedSurface;
  build: () => Seams;
  /** Details that the sentence must contain. */
  says?: string;
  /** The cause cannot be established with certainty: it must be the first suspect. */
  suspected?: true;
  options?: OpenOptions;
}
