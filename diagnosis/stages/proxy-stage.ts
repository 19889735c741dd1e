import { connectTimeoutMs } from '../../harness/wire/connect.ts';
import { openTunnel } from '../../harness/wire/proxy-tunnel.ts';
import type { ProxyAddress, Route } from '../../harness/wire/route.ts';
import type { Connection } from '../connection.ts';
import { effectivePort } from './effective-port.ts';
import type { StageOutcome } from './stage.ts';

/** Asks the proxy of the endpoint for a connection to it. */
export async function proxyStage(
  connection: Connection,
  route: Route & { proxy: ProxyAddress },
): Promise<StageOutcome> {
  const url = new URL(connection.url);
  const target = { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: effectivePort(url) };
  const from = performance.now();
  const tunnel = openTunnel(route, { ...target, timeoutMs: Math.min(connectTimeoutMs, connection.remainingMs) });
  try {
    await tunnel.socket;
  } catch (error) {
    const { message } = error as Error;
    const summary = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
    return { found: { id: 'network/proxy', summary }, suspects: [], passed: [], seen: [summary] };
  } finally {
    tunnel.abort();
  }
  const ms = Math.round(performance.now() - from);
  const where = `port ${target.port} of ${target.host}`;
  return {
    suspects: [],
    passed: [`The proxy ${route.proxy.shown} connects to ${where}.`],
    seen: [`The proxy ${route.proxy.shown} connected to ${where} (${ms} ms).`],
  };
}
