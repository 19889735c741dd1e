import { get as getPlain, type RequestOptions } from 'node:http';
import { get as getSafe } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connectOnRoute, type Abortable } from '../wire/connect.ts';
import { directRoute, type Route } from '../wire/route.ts';
import type { EndpointLogs } from './endpoint-logs.ts';

/** Milliseconds between two checks. */
const pollMs = 100;
/** The same after a restart, for which deliveries wait. */
const quickPollMs = 20;
/**
 * Milliseconds that a connection must stay open. Docker accepts connections before the container does, and closes them
 * as soon as it finds that nothing listens there.
 */
const minConnectionMs = 150;
/** Milliseconds to wait for one connection, or for one answer of the readiness address. */
const answerMs = 5_000;

/** When an endpoint is ready. */
export interface ReadyCondition {
  /** Path of which a GET must be answered with 2xx. */
  path?: string;
  /** Text that it must write. */
  log?: string;
  timeoutSeconds: number;
}

/** A place that must accept connections. */
export interface ExpectedListener {
  /** Host and port as seen from this process. */
  place: string;
  /** What to check if nothing listens there: the end of the sentence that reports it. */
  advice: string;
  route?: Route;
}

export interface Readiness {
  listeners: readonly ExpectedListener[];
  /** Scheme, host and port of the address with `wait.path`. */
  origin: string;
  wait: ReadyCondition;
  logs: EndpointLogs;
}

/**
 * Waits until an endpoint accepts connections, answers the readiness address, and has written the awaited text. Returns
 * the missing condition after the timeout.
 */
export async function waitUntilReady(readiness: Readiness, signal: AbortSignal): Promise<string | undefined> {
  const until = performance.now() + readiness.wait.timeoutSeconds * 1000;
  for (;;) {
    const missing = await missingCondition(readiness);
    if (missing === undefined) return undefined;
    signal.throwIfAborted();
    if (performance.now() > until) return missing;
    await delay(pollMs, undefined, { signal });
  }
}

/** The same after a restart, until the signal aborts. */
export async function waitUntilReadyAgain(readiness: Readiness, signal: AbortSignal): Promise<void> {
  while ((await missingCondition(readiness)) !== undefined) await delay(quickPollMs, undefined, { signal });
}

/** The first condition that is not met. */
async function missingCondition({ listeners, origin, wait, logs }: Readiness): Promise<string | undefined> {
  return (
    (await missingListener(listeners)) ??
    (await missingAnswer(wait.path === undefined ? undefined : `${origin}${wait.path}`)) ??
    missingText(wait.log, logs)
  );
}

async function missingListener(listeners: readonly ExpectedListener[]): Promise<string | undefined> {
  const missing = await Promise.all(
    listeners.map(async (listener) => ((await acceptsConnections(listener)) ? [] : [listener])),
  );
  const [first] = missing.flat();
  return first && `nothing accepts connections at ${first.place}${first.advice}`;
}

/** Whether a connection to this place can be made and stays open. */
export function acceptsConnections({ place, route = directRoute }: Omit<ExpectedListener, 'advice'>): Promise<boolean> {
  const { hostname, port } = new URL(`tcp://${place}`);
  return new Promise<boolean>((resolve) => {
    let tcp: Abortable | undefined;
    const settle = (is: boolean) => {
      clearTimeout(timer);
      resolve(is);
      tcp?.destroy();
    };
    // Dropped packets cause no error.
    let timer = setTimeout(() => settle(false), answerMs);
    const connected = (socket: Socket) => {
      clearTimeout(timer);
      timer = setTimeout(() => settle(true), minConnectionMs);
      socket.once('data', () => settle(true));
      for (const event of ['end', 'error', 'close']) socket.once(event, () => settle(false));
    };
    connectOnRoute(
      route,
      { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port), timeoutMs: answerMs },
      (opening) => (tcp = opening),
      (error, socket) => {
        if (socket) connected(socket);
        else settle(false);
      },
    );
  });
}

async function missingAnswer(url: string | undefined): Promise<string | undefined> {
  if (url === undefined) return undefined;
  const found = await statusOf(url);
  if (typeof found === 'number' && found >= 200 && found < 300) return undefined;
  return `the last GET ${url} ${typeof found === 'number' ? `was answered ${found}, not 2xx` : `had no answer (${found})`}.`;
}

function missingText(text: string | undefined, logs: EndpointLogs): string | undefined {
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
