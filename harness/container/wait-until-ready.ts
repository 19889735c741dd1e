import { get as getPlain, type RequestOptions } from 'node:http';
import { get as getSafe } from 'node:https';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerLogs } from './container-logs.ts';
import type { ContainerSettings } from './container-settings.ts';

/** Milliseconds between two checks. */
const pollMs = 100;
/**
 * Milliseconds that a connection must stay open. Docker accepts connections before the container does, and closes them
 * as soon as it finds that nothing listens there.
 */
const minConnectionMs = 150;
/** Milliseconds to wait for one answer of the readiness address. */
const answerMs = 5_000;

export interface Readiness {
  /** Host and port of the container as seen from this process. */
  place: string;
  /** The port on which it should listen inside the container. */
  port: number;
  /** Whether it uses TLS. */
  isSafe: boolean;
  wait: ContainerSettings['wait'];
  logs: ContainerLogs;
}

/**
 * Waits until a container accepts connections, answers the readiness address, and has written the awaited text. Returns
 * the missing condition after the timeout.
 */
export async function waitUntilReady(
  { place, port, isSafe, wait, logs }: Readiness,
  signal: AbortSignal,
): Promise<string | undefined> {
  const until = performance.now() + wait.timeoutSeconds * 1000;
  for (;;) {
    const missing =
      (await missingConnection(place, port)) ??
      (await missingAnswer(wait.path === undefined ? undefined : `http${isSafe ? 's' : ''}://${place}${wait.path}`)) ??
      missingText(wait.log, logs);
    if (missing === undefined) return undefined;
    signal.throwIfAborted();
    if (performance.now() > until) return missing;
    await delay(pollMs, undefined, { signal });
  }
}

async function missingConnection(place: string, port: number): Promise<string | undefined> {
  const { hostname, port: hostPort } = new URL(`http://${place}`);
  const isOpen = await new Promise<boolean>((resolve) => {
    const socket = connect(Number(hostPort), hostname.replace(/^\[(.*)\]$/, '$1'));
    const settle = (is: boolean) => {
      resolve(is);
      socket.destroy();
    };
    socket.setTimeout(answerMs);
    socket.once('connect', () => socket.setTimeout(minConnectionMs));
    // Dropped packets cause no error.
    socket.once('timeout', () => settle(!socket.connecting));
    socket.once('data', () => settle(true));
    for (const event of ['end', 'error', 'close']) socket.once(event, () => settle(false));
  });
  if (isOpen) return undefined;
  return `nothing accepts connections at ${place}, port ${port} of the container. Check the port, and that it listens on 0.0.0.0, not on 127.0.0.1.`;
}

async function missingAnswer(url: string | undefined): Promise<string | undefined> {
  if (url === undefined) return undefined;
  const found = await statusOf(url);
  if (typeof found === 'number' && found >= 200 && found < 300) return undefined;
  return `the last GET ${url} ${typeof found === 'number' ? `was answered ${found}, not 2xx` : `had no answer (${found})`}.`;
}

function missingText(text: string | undefined, logs: ContainerLogs): string | undefined {
  if (text === undefined || logs.hasAwaited) return undefined;
  return `it has not written ${JSON.stringify(text)}.`;
}

/** The status of one GET request, or the error. */
function statusOf(url: string): Promise<number | string> {
  const options: RequestOptions = { agent: false, timeout: answerMs };
  return new Promise((resolve) => {
    const request = (url.startsWith('https:') ? getSafe : getPlain)(url, options, (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    request.on('timeout', () => request.destroy(new Error(`${answerMs / 1000} s`)));
    request.on('error', (error) => resolve(error.message));
  });
}
