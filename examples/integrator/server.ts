import { existsSync, realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { apiWebhooks } from './api-webhooks.ts';
import { AppointmentBook } from './appointment-book.ts';
import { BackgroundWork } from './background-work.ts';
import { CrmRecords } from './crm-records.ts';
import { crmWebhook } from './crm-webhook.ts';
import { EnvironmentError, optionsFromEnvironment } from './environment.ts';
import type { Answer, AnswerMode, Handler, Log } from './exchange.ts';
import { Journal } from './journal.ts';
import { postOnce } from './outgoing-post.ts';
import type { OutgoingPost } from './outgoing-post.ts';
import { ownAiChat } from './own-ai-chat.ts';
import { readRawBody } from './raw-body.ts';

/** A sender that trickles its body is cut off after this. */
const REQUEST_TIMEOUT_MS = 30_000;
/** How long shutting down waits for answers and replies under way. */
const CLOSE_GRACE_MS = 3_000;

export interface IntegratorOptions {
  /** Bearer token of the CRM webhook. */
  crmToken: string;
  /** Secret of the webhook subscription. */
  hookSecret: string;
  /** Secret of the own-AI assistant, `whsec_` included. */
  agentSecret: string;
  /** API key for replies that follow later. */
  apiKey: string;
  /** Default `now`. */
  answer?: AnswerMode;
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** Milliseconds; default the machine's clock. */
  now?: () => number;
  /** Bytes; default 4 MiB. */
  maxBodyBytes?: number;
  /** Time limit of our own requests in milliseconds; default 10 s. */
  postTimeoutMs?: number;
  /** Default standard error. */
  log?: Log;
}

export interface Integrator {
  url: string;
  crmUrl: string;
  hooksUrl: string;
  chatUrl: string;
  stateUrl: string;
  /** Takes no more requests, lets what is under way come to its end (at most a few seconds), then frees the port. */
  close(): Promise<void>;
}

interface Route {
  method: 'GET' | 'POST';
  handle: Handler;
}

/** @throws when the address cannot be listened on */
export async function startIntegrator(options: IntegratorOptions): Promise<Integrator> {
  const { answer = 'now', host = '127.0.0.1', port = 0, now = Date.now, log = console.error } = options;
  const records = new CrmRecords();
  const book = new AppointmentBook();
  const journal = new Journal();
  const background = new BackgroundWork(log);
  const closing = new AbortController();
  const limits = options.postTimeoutMs === undefined ? {} : { timeoutMs: options.postTimeoutMs };
  const post = (request: OutgoingPost) => postOnce({ ...request, ...limits, signal: closing.signal });

  const routes = new Map<string, Route>([
    ['/crm', { method: 'POST', handle: crmWebhook({ token: options.crmToken, answer, records, journal, post, log }) }],
    ['/hooks', { method: 'POST', handle: apiWebhooks({ secret: options.hookSecret, book, journal, now }) }],
    [
      '/chat',
      {
        method: 'POST',
        handle: ownAiChat({ secret: options.agentSecret, apiKey: options.apiKey, answer, journal, post, now, log }),
      },
    ],
    // For watching this example only: do not copy it, what it shows is nobody else's business.
    ['/state', { method: 'GET', handle: () => ({ status: 200, body: state() }) }],
  ]);

  const state = () => ({
    appointments: book.state(),
    ...records.state(),
    effects: journal.effects,
    replies: journal.replies,
  });

  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    void answerTo(request).then(
      (found) => send(response, found),
      (error: unknown) => {
        // The reason stays here: an answer to outside is no place for it.
        if (!request.destroyed) log(`request failed: ${error instanceof Error ? error.message : 'unknown'}`);
        send(response, { status: 500 });
      },
    );
  });

  async function answerTo(request: IncomingMessage): Promise<Answer> {
    const route = routes.get(request.url?.split('?', 1)[0] ?? '');
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
    }, CLOSE_GRACE_MS);
    await new Promise<void>((resolve) => server.close(() => resolve()));
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
    stateUrl: `${url}/state`,
    close: () => (closed ??= shutDown()),
  };
}

async function main(): Promise<void> {
  try {
    const integrator = await startIntegrator(optionsFromEnvironment(process.env));
    console.log(`CRM webhook   ${integrator.crmUrl}`);
    console.log(`API webhooks  ${integrator.hooksUrl}`);
    console.log(`own-AI chat   ${integrator.chatUrl}`);
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
