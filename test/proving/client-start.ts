import type { StartClient } from '../../harness/client/run-client.ts';
import { exchangeBy } from './client-wire.ts';
import { correctClient, runProvingClient, type ClientEnvironment, type ClientSeams } from './client.ts';
import type { Handler } from './wire.ts';

/** Runs the client once for each request, whose body contains the environment of the client. */
export function clientHandler(seams: Partial<ClientSeams> = {}): Handler {
  return async ({ body }) => {
    await runProvingClient({ ...correctClient(), ...seams }, JSON.parse(body.toString('utf8')) as ClientEnvironment);
    return { status: 204 };
  };
}

/**
 * Starts the client behind this address as `start-client.js` does, but without a process: hundreds of processes would take
 * more processor time than the clients themselves.
 */
export function startingWithoutProcess(url: string): StartClient {
  return async (_command, { env, timeoutMs }) => {
    const { SVC_BASE_URL: baseUrl, SVC_API_KEY: apiKey, SVC_PROJECT_ID, SVC_AGENT_ID } = env;
    const body = JSON.stringify({ baseUrl, apiKey, projectId: Number(SVC_PROJECT_ID), agentId: Number(SVC_AGENT_ID) });
    const from = performance.now();
    const { status } = await exchangeBy({ method: 'POST', url, headers: [], body }, { timeoutMs });
    if (status === 0 && performance.now() - from >= timeoutMs) return { how: 'timed-out', output: '' };
    return { how: 'exited', code: status >= 200 && status < 300 ? 0 : 1, output: '' };
  };
}
