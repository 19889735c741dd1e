import { Client, request, type Dispatcher } from 'undici';
import { connectorOf } from './connect.ts';
import type { Inbox } from './inbox.ts';
import type { Mailbox } from './mailbox.ts';
import { Routes } from './routes.ts';

/** Milliseconds for our request to arrive through the public address: twice a slow tunnel's connection time. */
export const callbackRouteTimeoutMs = 5_000;
/** Characters of a header of an unexpected answer in a message. */
const mostHeaderCharacters = 80;

/**
 * Sends a request to an address of this inbox. Returns `undefined` when it arrives, and otherwise the result as the
 * predicate of a sentence. Throws the reason of the signal once it aborts.
 */
export async function callbackRouteProblem(inbox: Inbox, signal?: AbortSignal): Promise<string | undefined> {
  signal?.throwIfAborted();
  const box = inbox.callbackBox('a test request', () => ({ status: 200 }));
  // The environment decides about a proxy, as for an endpoint on another machine.
  const client = new Client(new URL(box.url).origin, { connect: connectorOf(Routes.none().to(box.url)) });
  try {
    const found = await problemOf(inbox, box, client, signal);
    signal?.throwIfAborted();
    return found;
  } finally {
    void client.destroy().catch(() => undefined);
  }
}

async function problemOf(
  inbox: Inbox,
  box: Mailbox,
  dispatcher: Client,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const timeout = AbortSignal.timeout(callbackRouteTimeoutMs);
  const isHere = box.atLeast(1, { withinMs: callbackRouteTimeoutMs, signal }).then(({ length }) => length > 0);
  // Not fetch, which blocks some ports. Redirects are not followed.
  const answer = await request(box.url, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  }).catch((error: unknown) => error as Error);
  // The request has arrived, whatever its answer.
  if (box.arrivals.length > 0) return undefined;
  if (!(answer instanceof Error)) {
    answer.body.on('error', () => undefined).destroy();
    // A tunnel may answer before it forwards the request.
    if (await isHere) return undefined;
    return `was answered ${describeAnswer(answer)}, and ${describeStray(inbox, box.url)}`;
  }
  if (answer.name === 'TimeoutError')
    return `got no answer within ${callbackRouteTimeoutMs / 1000} s, and did not arrive here`;
  return `failed: ${answer.message || String((answer as NodeJS.ErrnoException).code)}`;
}

function describeAnswer({ statusCode, headers }: Dispatcher.ResponseData): string {
  const header = (name: string) => headers[name]?.toString().slice(0, mostHeaderCharacters);
  const [server, location] = [header('server'), header('location')];
  const by = server === undefined ? '' : ` by the server ${server}`;
  return `${statusCode}${by}${location === undefined ? '' : `, a redirect to ${location}`}`;
}

function describeStray({ strays }: Inbox, url: string): string {
  const [path = url] = url.split('?', 1);
  const stray = strays.find(({ request }) => request.url.startsWith(path));
  if (!stray) return 'did not arrive here';
  return stray.request.method === 'POST' ? 'arrived here without its query' : `arrived here as ${stray.request.method}`;
}
