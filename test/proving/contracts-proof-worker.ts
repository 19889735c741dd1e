/** A child process of the contracts' proof: verifies against the endpoints that it is sent, one after the other. */
import { proofEndpoints } from './proof-endpoints.ts';
import { proveContracts } from './prove-contracts.ts';

process.on('message', ({ name }: { name: string }) => {
  const endpoint = proofEndpoints.get(name);
  if (endpoint === undefined) throw new Error(`No endpoint is called ${name}.`);
  void proveContracts(endpoint).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: `${name}: ${error instanceof Error ? error.message : String(error)}` }),
  );
});
// An exit would wait for threads of the verifier that wait for this process.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
