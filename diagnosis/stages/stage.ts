import type { AgentTest } from '../../specs/generated/types.ts';
import type { Connection } from '../connection.ts';
import type { ProbeOutcome, Suspect } from '../outcome.ts';

/** A possible fault of the configured secret or token. */
export interface Doubt extends Suspect {
  /** The intended credential. */
  intended?: string;
}

/** Explains why every request is refused; `isLikely` if that is more likely than a secret or token that differs. */
export interface RefusalSuspect extends Suspect {
  isLikely?: true;
}

/** Notes that stages pass to later ones. */
export interface StageNotes {
  /** Addresses of the host in both families; empty if a proxy resolves its name. */
  addresses: string[];
  /** Possible faults of the configuration, reported only if the endpoint rejects a request that follows it. */
  doubts: readonly Doubt[];
  agentTest?: AgentTest;
  /** A further suspect if no later stage shows how the endpoint refuses. */
  ifRefused?: RefusalSuspect;
  /** The first valid request was rejected. */
  isRefused?: true;
}

export interface StageOutcome extends ProbeOutcome {
  /** There is nothing of this kind to check. */
  isNotApplicable?: true;
  /** As in {@link StageNotes}. */
  ifRefused?: RefusalSuspect;
  /** A valid delivery or call was accepted. */
  isAccepted?: true;
}

/** Checks one layer of a connection. Rejects as probes do. */
export type Stage = (connection: Connection, notes: StageNotes) => Promise<StageOutcome>;
