import type { CauseId } from '../../diagnosis/causes.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import type { Seams } from '../proving/endpoint.ts';
import type { OpenOptions } from './open-connection.ts';

/** An endpoint that is right but for one cause. */
export interface Faulty {
  cause: CauseId;
  name: string;
  surface: DiagnosedSurface;
  build: () => Seams;
  /** Words that the sentence must have: the particulars. */
  says?: string;
  /** It cannot be established with certainty: the cause must come first among the suspects. */
  suspected?: true;
  options?: OpenOptions;
}
