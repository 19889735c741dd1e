import type { AgentTest } from '../../specs/generated/types.ts';
import type { Connection } from '../connection.ts';
import type { Outcome, Suspect } from '../outcome.ts';

/** What may be wrong with a secret or token as it was given. */
export interface Doubt extends Suspect {
  /** What was meant then. */
  intended?: string;
}

/** What one stage leaves to those after it. */
export interface StageNotes {
  /** Addresses of the host, of both families. */
  addresses: string[];
  /** What may be wrong with the set-up; told only when the endpoint refuses what is right by it. */
  doubts: readonly Doubt[];
  agentTest?: AgentTest;
  /** What it may be as well when nothing tells how the endpoint refuses. */
  ifRefused?: Suspect;
  /** What is right was not taken when it was sent first. */
  isRefused?: true;
}

export interface StageOutcome extends Outcome {
  /** There is nothing of this kind to look at. */
  isNotApplicable?: true;
  /** As in {@link StageNotes}. */
  ifRefused?: Suspect;
  /** A right delivery or call was taken. */
  isAccepted?: true;
}

/** Looks at one layer of a connection. Rejects as probes do. */
export type Stage = (connection: Connection, notes: StageNotes) => Promise<StageOutcome>;
