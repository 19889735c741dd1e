import { runVerification } from '../../contracts/run-verification.ts';
import { startEndpoint } from './endpoint.ts';
import type { ProofEndpoint } from './proof-endpoints.ts';
import { proofSettings } from './prove.ts';

/** Result of the contracts for one endpoint. */
export interface ContractProof {
  name: string;
  /** Ids of the interactions that failed, in order. */
  failed: string[];
  /** Blocked interactions, with the reason. */
  blocked: string[];
  /** Messages of the failures. */
  messages: string[];
  checks: number;
  passes: number;
  ms: number;
}

/** Verifies the contracts of the endpoint's surfaces against it. It writes to standard output. */
export async function proveContracts(endpoint: ProofEndpoint): Promise<ContractProof> {
  const from = performance.now();
  await using running = await startEndpoint(endpoint.build());
  const settings = proofSettings(endpoint, running, 'whole');
  const checks = await runVerification({ settings, surfaces: endpoint.surfaces });
  const of = (verdict: string) => checks.filter((check) => check.verdict === verdict);
  const describeCheck = ({ id, message = '' }: (typeof checks)[number]) => `${id}: ${message}`;
  return {
    name: endpoint.name,
    failed: of('fail')
      .map(({ id }) => id)
      .sort(),
    blocked: of('blocked').map(describeCheck),
    messages: of('fail').map(describeCheck),
    checks: checks.length,
    passes: of('pass').length,
    ms: Math.round(performance.now() - from),
  };
}
