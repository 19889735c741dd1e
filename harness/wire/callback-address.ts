import { once } from 'node:events';
import { createServer } from 'node:net';
import { areCalling } from '../../specs/surfaces.ts';
import { HarnessFault } from '../checks/faults.ts';
import { configRedactor } from '../config/config-redactor.ts';
import type { ResolvedConfig } from '../config/settings.ts';
import { resourceFault } from './resource-limits.ts';

/**
 * Verifies that callbacks and replies can arrive: listens at the configured address, and sends a request to
 * `service.publicUrl` if one of these surfaces needs it. Throws {@link HarnessFault}: `inbox-not-started` when the
 * address is not free, `public-url-astray` when the request does not arrive at this process.
 */
export async function assertCallbackRoute(config: ResolvedConfig, surfaces: readonly string[]): Promise<void> {
  const { publicUrl, publicUrlCheck = true, host, port } = config.service;
  if (publicUrl === undefined || !publicUrlCheck || !areCalling(surfaces)) {
    await assertFree(host, port);
    return;
  }
  const found = await publicUrlProblem(config.service);
  if (found === undefined) return;
  const where = port === 0 ? `${host}, on the port set in service.port` : `${host}:${port}`;
  const redact = configRedactor(config);
  throw new HarnessFault('public-url-astray', { publicUrl: redact(publicUrl), found: redact(found), where });
}

/** Listens as the service will, without loading it: a run does that in another thread. */
async function assertFree(host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw resourceFault(error) ?? new HarnessFault('inbox-not-started', { host, port, reason });
  }
  await new Promise((resolve) => server.close(resolve));
}

/** As `callbackRouteProblem`, with its own inbox. */
async function publicUrlProblem(service: ResolvedConfig['service']): Promise<string | undefined> {
  const { Inbox } = await import('./inbox.ts');
  const { callbackRouteProblem } = await import('./callback-route.ts');
  const inbox = await Inbox.open(service);
  try {
    return await callbackRouteProblem(inbox);
  } finally {
    await inbox[Symbol.asyncDispose]();
  }
}
