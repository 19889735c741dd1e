/** A tunnel through which a test request did not arrive; `found`: what came back, as a predicate. */
export interface StrayTunnel {
  command: string;
  address: string;
  found: string;
  output: string;
}
