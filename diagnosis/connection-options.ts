import type { WireExchange } from '../harness/wire/observation.ts';

/** Options of a connection under diagnosis. */
export interface ConnectionOptions {
  seed: number;
  /** Milliseconds from now until the deadline, after which nothing is sent. */
  withinMs: number;
  /** The previous secret, if known. */
  oldSecret?: string | undefined;
  /** Whether rare schemes, pairs of mistakes and distant times are tried although no answer points to them. */
  isThorough?: boolean | undefined;
  /** Maximum number of requests signed with incorrect schemes. */
  mostQuestions?: number | undefined;
  /** Ids of requirements that a run has judged as met: what would violate only these is not sent again. */
  met?: ReadonlySet<string>;
  /** Called after every exchange. */
  onExchange?: (exchange: WireExchange) => void;
}
