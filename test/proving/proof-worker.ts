/**
 * A child process of the proof: runs the endpoints that it is sent, to the extent that it is sent, each at once.
 */
import { securityOfEndpoints } from '../tls/endpoint-security.ts';
import { prove, type ProofExtent } from './prove.ts';
import { proofEndpoints } from './proof-endpoints.ts';
import { endpointWithBothFaults } from './two-fault-endpoint.ts';

const security = securityOfEndpoints();

process.on('message', ({ id, name, extent }: { id: number; name: string; extent: ProofExtent }) => {
  const endpoint = proofEndpoints.get(name) ?? endpointWithBothFaults(name);
  if (endpoint === undefined) throw new Error(`No endpoint is called ${name}.`);
  void prove(endpoint, extent, security).then(
    (result) => process.send?.({ id, result }),
    (error: unknown) =>
      process.send?.({ id, error: `${name}: ${error instanceof Error ? error.message : String(error)}` }),
  );
});
process.on('disconnect', () => process.exit());
