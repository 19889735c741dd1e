import { get as getPlain, type RequestOptions } from 'node:http';
import { get as getSafe } from 'node:https';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerLogs } from './container-logs.ts';
import type { ContainerSettings } from './container-settings.ts';
import { HarnessFault } from '../checks/faults.ts';

/** Milliseconds between two looks. */
const pollMs = 100;
/**
 * Milliseconds that a connection must stand. Docker takes connections before the container does, and drops them as
 * soon as it finds that nothing listens there.
 */
const minConnectionMs = 150;
/** Milliseconds for one answer of the address that tells. */
const answerMs = 5_000;

export interface Readiness {
  /** Host and port by which the container is reached. */
  place: string;
  /** The port on which it should listen, as the container has it. */
  port: number;
  /** By TLS. */
  isSafe: boolean;
  wait: ContainerSettings['wait'];
  logs: ContainerLogs;
}

/**
 * Waits until a container takes connections, and answers and has written what it should. Throws {@link HarnessFault}
 * `container-not-ready` with what is missing after the time that it has.
 */
export async function waitUntilReady(
  { place, port, isSafe, wait, logs }: Readiness,
  signal: AbortSignal,
): Promise<void> {
  const until = performance.now() + wait.timeoutSeconds * 1000;
  for (;;) {
    const missing =
      (await missingConnection(place, port)) ??
      (await missingAnswer(wait.path === undefined ? undefined : `http${isSafe ? 's' : ''}://${place}${wait.path}`)) ??
      missingText(wait.log, logs);
    if (missing === undefined) return;
    signal.throwIfAborted();
    if (performance.now() > until) {
      throw new HarnessFault('container-not-ready', `was not ready after ${wait.timeoutSeconds} s: ${missing}`);
    }
    await delay(pollMs, undefined, { signal });
  }
}

async function missingConnection(place: string, port: number): Promise<string | undefined> {
  const { hostname, port: hostPort } = new URL(`http://${place}`);
  const stands = await new Promise<boolean>((resolve) => {
    const socket = connect(Number(hostPort), hostname.replace(/^\[(.*)\]$/, '$1'));
    const tell = (is: boolean) => {
      resolve(is);
      socket.destroy();
    };
    socket.setTimeout(answerMs);
    socket.once('connect', () => socket.setTimeout(minConnectionMs));
    // Where packets are dropped, nobody says no.
    socket.once('timeout', () => tell(!socket.connecting));
    socket.once('data', () => tell(true));
    for (const event of ['end', 'error', 'close']) socket.once(event, () => tell(false));
  });
  if (stands) return undefined;
  return `nothing takes connections at ${place}, port ${port} of the container. Is that its port, and does it listen on 0.0.0.0 there, not on 127.0.0.1?`;
}

async function missingAnswer(url: string | undefined): Promise<string | undefined> {
  if (url === undefined) return undefined;
  const found = await statusOf(url);
  if (typeof found === 'number' && found >= 200 && found < 300) return undefined;
  return `GET ${url} was last ${typeof found === 'number' ? `answered ${found}, not 2xx` : `without an answer (${found})`}.`;
}

function missingText(text: string | undefined, logs: ContainerLogs): string | undefined {
  if (text === undefined || logs.hasAwaited) return undefined;
  return `it has not written ${JSON.stringify(text)}.`;
}

/** The status of one GET, or why there is none. */
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
