import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { CauseId } from '../../diagnosis/causes.ts';
import { Connection } from '../../diagnosis/connection.ts';
import type { Failing, ProbeOutcome, Probe } from '../../diagnosis/outcome.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';

/** An endpoint that is on, and how it is configured. */
export interface StartedEndpoint extends AsyncDisposable {
  config: ResolvedConfig;
}

/** An endpoint with one fault, or a right one, and what a diagnosis of it must say. */
export interface FaultyEndpoint {
  /** What is wrong with it, or unusual about it. */
  what: string;
  surface: DiagnosedSurface;
  /** The cause that must be named; `undefined`: none may be. */
  cause: CauseId | undefined;
  /** Where no cause can be named: the first of those that are suspected; `undefined`: nothing may be suspected. */
  suspect?: CauseId;
  /** Strings that the description of the cause must contain. */
  says?: RegExp;
  start: () => Promise<StartedEndpoint>;
  /** The secret that was valid before, as a person gives it. */
  oldSecret?: string;
  failing?: Failing;
}

/** What a probe said about an endpoint, and what that took. */
export interface Diagnosed {
  outcome: ProbeOutcome;
  deliveries: number;
  seconds: number;
}

/** Milliseconds that a probe has; more than any endpoint here needs. */
const withinMs = 60_000;

/** Asks a probe about an endpoint that runs for this alone. */
export async function diagnoseEndpoint(probe: Probe, endpoint: FaultyEndpoint): Promise<Diagnosed> {
  await using started = await endpoint.start();
  await using connection = await Connection.open(endpoint.surface, started.config, {
    seed: 1,
    withinMs,
    oldSecret: endpoint.oldSecret,
  });
  const from = performance.now();
  const outcome = await probe(connection, endpoint.failing);
  return { outcome, deliveries: connection.deliveries, seconds: (performance.now() - from) / 1000 };
}
