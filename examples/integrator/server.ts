import { existsSync, realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { ApiClient } from './api-client.ts';
import { apiWebhooks } from './api-webhooks.ts';
import { AppointmentBook } from './appointment-book.ts';
import { think as thinkByRules } from './assistant-rules.ts';
import { BackgroundWork } from './background-work.ts';
import { brandedNames } from './branded-names.ts';
import { CrmRecords } from './crm-records.ts';
import { crmWebhook } from './crm-webhook.ts';
import { EnvironmentError, optionsFromEnvironment } from './environment.ts';
import type { Answer, Handler } from './exchange.ts';
import type { IntegratorOptions } from './integrator-options.ts';
import { Journal } from './journal.ts';
import { postOnce } from './outgoing-post.ts';
import type { OutgoingPost } from './outgoing-post.ts';
import { ownAiChat } from './own-ai-chat.ts';
import { ownAiPhone, refuseUpgrade } from './own-ai-phone.ts';
import { readRawBody } from './raw-body.ts';

/** A client that sends its body too slowly is cut off after this. */
const REQUEST_TIMEOUT_MS = 30_000;
/** How long shutting down waits for answers and replies under way, and for calls to come down. */
const CLOSE_GRACE_MS = 3_000;

export interface Integrator {
  url: string;
  crmUrl: string;
  hooksUrl: string;
  chatUrl: string;
  /** ws: here, where nothing leaves the machine. The service requires wss: (TLS, usually by a proxy in front). */
  voiceUrl: string;
  stateUrl: string;
  /**
   * Stops accepting requests and calls, lets running work finish (at most a few seconds), hands open calls to the team,
   * then frees the port.
   */
  close(): Promise<void>;
}

interface Route {
  method: 'GET' | 'POST';
  handle: Handler;
}

/** @throws when it cannot listen on the address */
export async function startIntegrator(options: IntegratorOptions): Promise<Integrator> {
  const { answer = 'now', host = '127.0.0.1', port = 0, now = Date.now, log = console.error } = options;
  const { think = thinkByRules, closeGraceMs = CLOSE_GRACE_MS } = options;
  const names = brandedNames(options.brand);
  const records = new CrmRecords();
  const book = new AppointmentBook();
  const journal = new Journal();
  const background = new BackgroundWork(log);
  const closing = new AbortController();
  const limits = options.postTimeoutMs === undefined ? {} : { timeoutMs: options.postTimeoutMs };
  const post = (request: OutgoingPost) => postOnce({ ...request, ...limits, signal: closing.signal });
  const wait = (ms: number) => delay(ms, undefined, { signal: closing.signal });
  const { baseUrl, apiKey } = options;
  const api = baseUrl === undefined ? undefined : new ApiClient({ baseUrl, apiKey, wait });
  const timing = options.hangUpMs === undefined ? {} : { hangUpMs: options.hangUpMs };
  // One assistant, so chat and phone have the same secret and the same rules.
  const agent = { secret: options.agentSecret, think, names, now, log };
  const phone = ownAiPhone({ ...agent, ...timing });

  const routes = new Map<string, Route>([
    [
      '/crm',
      { method: 'POST', handle: crmWebhook({ token: options.crmToken, answer, names, records, journal, post, log }) },
    ],
    [
      '/hooks',
      { method: 'POST', handle: apiWebhooks({ secret: options.hookSecret, book, journal, names, now, log, api }) },
    ],
    [
      '/chat',
      {
        method: 'POST',
        handle: ownAiChat({ ...agent, apiKey, answer, journal, post }),
      },
    ],
    // Calls are upgrades; this is for a browser that opens the address.
    [
      '/voice',
      { method: 'GET', handle: () => ({ status: 426, headers: { upgrade: 'websocket', connection: 'upgrade' } }) },
    ],
    // For watching this example only: do not copy it, since it shows internal state.
    ['/state', { method: 'GET', handle: () => ({ status: 200, body: state() }) }],
  ]);

  const state = () => ({
    appointments: book.state(),
    ...records.state(names),
    effects: journal.effects,
    replies: journal.replies,
    calls: phone.state(),
  });

  const settings = { requestTimeout: REQUEST_TIMEOUT_MS, shouldUpgradeCallback: isForWebSocket };
  const server = createServer(settings, (request, response) => {
    void answerTo(request).then(
      (found) => send(response, found),
      (error: unknown) => {
        // Logged only: an answer must not contain the reason.
        if (!request.destroyed) log(`request failed: ${error instanceof Error ? error.message : 'unknown'}`);
        send(response, { status: 500 });
      },
    );
  });

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!server.listening) refuseUpgrade(socket, 503);
    else if (pathOf(request) !== '/voice') refuseUpgrade(socket, 404);
    else phone.takeCall(request, socket, head);
  });

  async function answerTo(request: IncomingMessage): Promise<Answer> {
    const route = routes.get(pathOf(request));
    if (route === undefined) return { status: 404 };
    if (request.method !== route.method) return { status: 405, headers: { allow: route.method } };
    const body = await readRawBody(request, options.maxBodyBytes);
    if (body === undefined) return { status: 413, headers: { connection: 'close' } };
    return route.handle({ headers: request.headers, body });
  }

  function send(response: ServerResponse, { status, body, headers = {}, afterwards }: Answer): void {
    if (afterwards !== undefined) background.startAfter(response, afterwards);
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const connection = server.listening ? {} : { connection: 'close' };
    response.writeHead(status, { ...type, ...connection, ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });

  async function shutDown(): Promise<void> {
    const grace = setTimeout(() => {
      closing.abort();
      server.closeAllConnections();
      phone.cutCalls();
    }, closeGraceMs);
    const freed = new Promise<void>((resolve) => server.close(() => resolve()));
    phone.leaveCalls();
    // A call is a connection of this server too, so this also waits for the last one to close.
    await freed;
    await background.idle();
    clearTimeout(grace);
  }

  const address = server.address() as AddressInfo;
  const url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${String(address.port)}`;
  let closed: Promise<void> | undefined;
  return {
    url,
    crmUrl: `${url}/crm`,
    hooksUrl: `${url}/hooks`,
    chatUrl: `${url}/chat`,
    voiceUrl: `${url.replace(/^http/, 'ws')}/voice`,
    stateUrl: `${url}/state`,
    close: () => (closed ??= shutDown()),
  };
}

function pathOf(request: IncomingMessage): string {
  return request.url?.split('?', 1)[0] ?? '';
}

/** Some HTTP clients offer an upgrade to HTTP/2 with every request. That offer is ignored. */
function isForWebSocket(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket';
}

async function main(): Promise<void> {
  try {
    const integrator = await startIntegrator(optionsFromEnvironment(process.env));
    console.log(`CRM webhook   ${integrator.crmUrl}`);
    console.log(`API webhooks  ${integrator.hooksUrl}`);
    console.log(`own-AI chat   ${integrator.chatUrl}`);
    console.log(`own-AI phone  ${integrator.voiceUrl}`);
    console.log(`state         ${integrator.stateUrl}`);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void integrator.close());
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = error instanceof EnvironmentError ? 2 : 1;
  }
}

const started = process.argv[1];
if (started !== undefined && existsSync(started) && realpathSync(started) === fileURLToPath(import.meta.url)) {
  await main();
}
