/** A child process of the proof: runs the endpoint that it is told, one after the other. */
import { prove } from './prove.ts';
import { proofEndpoints } from './proof-endpoints.ts';

process.on('message', (name: string) => {
  const endpoint = proofEndpoints.get(name);
  if (endpoint === undefined) throw new Error(`No endpoint is called ${name}.`);
  void prove(endpoint).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: `${name}: ${error instanceof Error ? error.message : String(error)}` }),
  );
});
process.on('disconnect', () => process.exit());
