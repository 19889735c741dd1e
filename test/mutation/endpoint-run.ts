/** One run of an endpoint of the proof, as a fault worker is asked for it. */
export interface EndpointRequest {
  name: string;
  /** Ids of the checks to run; absent: those of the proof. */
  checks?: readonly string[] | undefined;
  /** Key of the fault that is in effect. */
  fault?: string | undefined;
  /** Whether to return the faults that the checks reach. */
  collects?: boolean;
}

export interface EndpointRun {
  /** Whether the result is the one that the proof requires. */
  isRight: boolean;
  ms: number;
  /** The checks that reached each fault; `''` is what runs outside checks. */
  reached?: Record<string, string[]>;
  /** Why the run did not complete. */
  error?: string;
}

/** The first message of a fault worker: the faults that are reached when the suites are loaded. */
export interface WorkerReady {
  loaded: string[];
}
