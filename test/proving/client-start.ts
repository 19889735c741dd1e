import { correctClient, runProvingClient, type ClientEnvironment, type ClientSeams } from './client.ts';
import type { Handler } from './wire.ts';

/** Runs the client once for each request, whose body contains the environment of the client. */
export function clientHandler(seams: Partial<ClientSeams> = {}): Handler {
  return async ({ body }) => {
    await runProvingClient({ ...correctClient(), ...seams }, JSON.parse(body.toString('utf8')) as ClientEnvironment);
    return { status: 204 };
  };
}
