/**
 * A child process of the mutation runner: runs each endpoint of the proof that it is sent with the fault that it is sent, and
 * returns the faults that its checks reached if it is asked to. It has loaded every suite when it first answers.
 */
import { suiteFiles } from '../../harness/checks/suite-files.ts';
import { surfaces } from '../../specs/surfaces.ts';
import { proofEndpoints } from '../proving/proof-endpoints.ts';
import { startEndpoint } from '../proving/endpoint.ts';
import { prove, proofSettings } from '../proving/prove.ts';
import { loadSuites, runEachCheckWithin } from '../proving/run-registered.ts';
import { isAsExpected } from './is-as-expected.ts';
import { collectReached, plantFault, takeReached, withinCheck } from './planted-fault.ts';
import type { EndpointRun, EndpointRequest } from './endpoint-run.ts';

async function run({ name, checks, fault, collects }: EndpointRequest): Promise<EndpointRun> {
  const endpoint = proofEndpoints.get(name);
  if (endpoint === undefined) throw new Error(`No endpoint is called ${name}.`);
  plantFault(fault);
  if (collects === true) collectReached();
  const from = performance.now();
  const result = await prove(endpoint, checks ?? 'broken');
  return {
    isRight: isAsExpected(result, checks),
    ms: Math.round(performance.now() - from),
    ...(collects === true && { reached: takeReached() }),
  };
}

const [anyEndpoint] = proofEndpoints.values();
if (anyEndpoint === undefined) throw new Error('No endpoints to prove the checks.');
runEachCheckWithin(withinCheck);
{
  await using running = await startEndpoint();
  await loadSuites(suiteFiles(surfaces), proofSettings(anyEndpoint, running, 'broken'));
}
process.on('message', ({ id, ...request }: EndpointRequest & { id: number }) => {
  void run(request).then(
    (done) => process.send?.({ ...done, id }),
    (error: unknown) => process.send?.({ isRight: false, ms: 0, error: String(error), id }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ isReady: true, loaded: Object.keys(takeReached()) });
