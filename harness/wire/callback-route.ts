import { request, type Dispatcher } from 'undici';
import { HarnessFault } from '../checks/faults.ts';
import { Inbox } from './inbox.ts';
import { redactor } from '../../service/redact.ts';
import { secretsOf, type ResolvedConfig } from '../config/settings.ts';

/** Milliseconds for a request of our own to come back through the public address: twice a slow tunnel's connection. */
export const callbackRouteTimeoutMs = 5_000;
/** Characters of a header of whatever answered instead. */
const mostHeaderCharacters = 80;

/** Surfaces whose endpoints send something to us: callbacks, replies, requests to API v1. */
const calling: ReadonlySet<string> = new Set(['crm-webhook', 'own-ai-chat', 'api-client']);

/**
 * Listens once where callbacks and replies are to arrive, and sends a request of our own to `service.publicUrl` when one
 * of these surfaces needs that address. Throws {@link HarnessFault}: `inbox-not-started` when the address is not free,
 * `public-url-astray` when the request does not come back to this process.
 */
export async function assertCallbackRoute(config: ResolvedConfig, surfaces: readonly string[]): Promise<void> {
  const { publicUrl, publicUrlCheck = true, host, port } = config.service;
  await using inbox = await Inbox.open(config.service);
  if (publicUrl === undefined || !publicUrlCheck || !surfaces.some((surface) => calling.has(surface))) return;
  const found = await callbackRouteProblem(inbox);
  if (found === undefined) return;
  const where = port === 0 ? `${host}, on a port that service.port names` : `${host}:${port}`;
  const message = `service.publicUrl is ${publicUrl}, but a request of our own to it ${found}. Let the tunnel or proxy there forward requests, with path and query, to ${where}. If only your endpoint can reach that address, set service.publicUrlCheck to false.`;
  throw new HarnessFault('public-url-astray', redactor(secretsOf(config))(message));
}

/**
 * Sends a request to an address that this inbox gives out. Returns `undefined` when it arrives, and else what came of it,
 * as the predicate of a sentence.
 */
export async function callbackRouteProblem(inbox: Inbox): Promise<string | undefined> {
  const box = inbox.callbackBox('a request of our own', () => ({ status: 200 }));
  const isHere = box.atLeast(1, { withinMs: callbackRouteTimeoutMs }).then(({ length }) => length > 0);
  // Not fetch, which refuses some ports by itself. Redirects are not followed.
  const answer = await request(box.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(callbackRouteTimeoutMs),
  }).catch((error: unknown) => error as Error);
  // Whatever came back to the sender: it has arrived.
  if (box.arrivals.length > 0) return undefined;
  if (!(answer instanceof Error)) {
    answer.body.on('error', () => undefined).destroy();
    // A tunnel may answer before it forwards.
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
  const by = server === undefined ? '' : ` by a server that calls itself ${server}`;
  return `${statusCode}${by}${location === undefined ? '' : `, a redirect to ${location}`}`;
}

function describeStray({ strays }: Inbox, url: string): string {
  const [path = url] = url.split('?', 1);
  const stray = strays.find(({ request }) => request.url.startsWith(path));
  if (!stray) return 'did not arrive here';
  return stray.request.method === 'POST' ? 'arrived here without its query' : `arrived here as ${stray.request.method}`;
}
