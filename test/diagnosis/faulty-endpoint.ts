import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { CauseId } from '../../diagnosis/causes.ts';
import { Connection } from '../../diagnosis/connection.ts';
import type { Failing, ProbeOutcome, Probe } from '../../diagnosis/outcome.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';

/** A running endpoint with its configuration. */
export interface StartedEndpoint extends AsyncDisposable {
  config: ResolvedConfig;
}

/** An endpoint with one fault or none, and the expected diagnosis. */
export interface FaultyEndpoint {
  /** Its fault, or what is unusual about it. */
  what: string;
  surface: DiagnosedSurface;
  /** The cause that must be named; `undefined`: none may be. */
  cause: CauseId | undefined;
  /** The first suspect if no cause can be named; `undefined`: nothing may be suspected. */
  suspect?: CauseId;
  /** Strings that the description of the cause must contain. */
  says?: RegExp;
  start: () => Promise<StartedEndpoint>;
  /** The previous secret, as the user gives it. */
  oldSecret?: string;
  failing?: Failing;
}

/** The outcome of a probe and its cost. */
export interface Diagnosed {
  outcome: ProbeOutcome;
  deliveries: number;
  seconds: number;
}

/** Time limit of a probe in milliseconds: more than any endpoint here needs. */
const withinMs = 60_000;

/** Starts an endpoint and runs a probe against it. */
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
