import type { AgentTest } from '../../specs/types.ts';
import type { Connection } from '../connection.ts';
import type { Found, Outcome, Suspect } from '../outcome.ts';

/** What may be wrong with a secret or token as it was given. */
export interface Doubt extends Suspect {
  /** What was meant then. */
  meant?: string;
}

/** What one stage leaves to those after it. */
export interface StageNotes {
  /** Addresses of the host, of both families. */
  addresses: string[];
  /** What may be wrong with the set-up; told only when the endpoint refuses what is right by it. */
  doubts: readonly Doubt[];
  agentTest?: AgentTest;
  /** What it is when no known way of signing is accepted either. */
  ifRefused?: Found;
}

export interface StageOutcome extends Outcome {
  /** There is nothing of this kind to look at. */
  isNotApplicable?: true;
  /** As in {@link StageNotes}. */
  ifRefused?: Found;
}

/** Looks at one layer of a connection. Rejects as probes do. */
export type Stage = (connection: Connection, notes: StageNotes) => Promise<StageOutcome>;
