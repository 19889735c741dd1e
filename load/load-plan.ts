import type { EndpointSurface } from '../specs/surfaces.ts';

/** What a load sends, and when it stops. */
export interface LoadPlan {
  /** In this order, one after the other. */
  surfaces: readonly EndpointSurface[];
  seed: number;
  /** Deliveries per second: of the first step, and at most. */
  firstRate: number;
  mostRate: number;
  /** Concurrent calls at most. */
  mostCalls: number;
  /** Seconds for which a step sends. Default: ten, or twice the deadline if that is longer. */
  stepSeconds?: number | undefined;
  /** Seconds after which no further step of a surface begins. */
  mostSeconds: number;
  /** Milliseconds that replace the limit of the interface. */
  deadlineMs?: number;
  /** Milliseconds of our own delay above which a step says nothing about the endpoint. */
  ownLagMs?: number;
  /** Milliseconds in which a caller listens and thinks before each sentence. */
  thinkMs?: number;
}
