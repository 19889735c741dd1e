import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HarnessFault } from './faults.ts';
import type { Arrival } from './observation.ts';
import { Mailbox } from './mailbox.ts';

/** What the inbox answers to one arrival. */
export interface Reply {
  status: number;
  body?: unknown;
  /** Holds the answer back until this has come about. */
  after?: Promise<unknown>;
}

export type Responder = (arrival: Pick<Arrival, 'request'>) => Reply;

export interface InboxAddress {
  host: string;
  /** 0: any free port. */
  port: number;
  /** The address by which the endpoint reaches host and port, when it is not on this machine. */
  publicUrl?: string | undefined;
}

/** Bytes of an arriving body that are kept; four times the largest that the interface allows. */
const maxBodyBytes = 262_144;
/** Requests to addresses that were not given out that are kept. */
const maxStrays = 500;
/** Milliseconds for an arriving request to be complete. */
const requestPatienceMs = 30_000;
/** Bytes after which a body that does not end is no longer listened to. */
const giveUpBytes = 4_194_304;
/** Milliseconds that answers under way get when the inbox closes. */
const closingMs = 500;

/**
 * Where the endpoint reaches us: gives every case its own address under a path that nobody would hard-code, records
 * what arrives there and when, and answers as the service would or as it is told.
 */
export class Inbox {
  /** Requests that reached us at no address that we gave out. */
  readonly strays: Arrival[] = [];
  readonly #server: Server;
  readonly #base: string;
  readonly #boxes = new Map<string, { kind: Arrival['kind']; box: Mailbox; search: string }>();

  private constructor(server: Server, base: string) {
    this.#server = server;
    this.#base = base;
    server.on('request', (request, response) => void this.#receive(request, response));
  }

  /** Listens. Throws {@link HarnessFault} `inbox-not-started` when the address cannot be taken. */
  static async open({ host, port, publicUrl }: InboxAddress): Promise<Inbox> {
    const server = createServer({ requestTimeout: requestPatienceMs });
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => {
        reject(new HarnessFault('inbox-not-started', `The inbox cannot listen on ${host}:${port}: ${error.message}.`));
      });
      server.listen(port, host, resolve);
    });
    const own = `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
    const base = `${(publicUrl ?? own).replace(/\/+$/, '')}/${unguessable()}`;
    return new Inbox(server, base);
  }

  /** A new `callbackUrl` (interface: CRM webhook). It is opaque and has a query, as any address may. */
  callbackBox(label: string, respond: Responder): Mailbox {
    return this.#add('callback', label, `/callbacks/${unguessable()}`, `?ticket=${unguessable()}`, respond);
  }

  /** A new `replyUrl`: the absolute address of agent-replies of one project (interface: Own-AI chat event). */
  replyBox(label: string, projectId: number, respond: Responder): Mailbox {
    return this.#add('api', label, `/${unguessable()}/v1/projects/${projectId}/agent-replies`, '', respond);
  }

  #add(kind: Arrival['kind'], label: string, path: string, search: string, respond: Responder): Mailbox {
    const box = new Mailbox(label, this.#base + path + search, respond);
    // A proxy before publicUrl may take a prefix off; what is unguessable decides, wherever it stands in the path.
    this.#boxes.set(path, { kind, box, search });
    return box;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = new Date();
    const { body, truncated } = await readBody(request);
    // Cut off before it was complete: nothing arrived.
    if (!truncated && !request.complete) return;
    const { path, search } = this.#locate(request.url ?? '/');
    const entry = this.#boxes.get(path);
    const known = entry !== undefined && entry.search === search ? entry : undefined;
    const arrived = {
      kind: known?.kind ?? (path.includes('/agent-replies') ? ('api' as const) : ('callback' as const)),
      label: known?.box.label ?? 'a request to an address that was not given out',
      startedAt,
      at: performance.now(),
      request: {
        method: request.method ?? '',
        url: path.startsWith('/') ? this.#base + path + search : (request.url ?? ''),
        headers: pairs(request.rawHeaders),
        body,
      },
      truncated,
    };
    const reply: Reply = known
      ? known.box.respond(arrived)
      : { status: 404, body: { type: 'about:blank', title: 'not_found', status: 404 } };
    const text = reply.body === undefined ? '' : JSON.stringify(reply.body);
    const headers: [string, string][] =
      text === '' ? [] : [['content-type', reply.status >= 400 ? 'application/problem+json' : 'application/json']];
    const arrival: Arrival = { ...arrived, response: { status: reply.status, headers, body: text } };
    if (known) known.box.take(arrival);
    else if (this.strays.length < maxStrays) this.strays.push(arrival);
    await reply.after;
    if (response.destroyed) return;
    // A body that was given up goes on arriving: the connection ends with the answer.
    if (truncated) response.setHeader('connection', 'close');
    response.writeHead(reply.status, Object.fromEntries(headers));
    response.end(text);
  }

  #locate(target: string): { path: string; search: string } {
    const at = target.indexOf('?');
    const path = at < 0 ? target : target.slice(0, at);
    const search = at < 0 ? '' : target.slice(at);
    const mark = this.#base.slice(this.#base.lastIndexOf('/'));
    const found = path.indexOf(`${mark}/`);
    return { path: found < 0 ? `(elsewhere)${path}` : path.slice(found + mark.length), search };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const force = setTimeout(() => this.#server.closeAllConnections(), closingMs);
    await closed;
    clearTimeout(force);
  }
}

/** 128 bits as hex. */
export function unguessable(): string {
  return randomBytes(16).toString('hex');
}

function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);
}

async function readBody(request: IncomingMessage): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let truncated = false;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= maxBodyBytes) chunks.push(chunk);
      else truncated = true;
      if (bytes > giveUpBytes) break;
    }
  } catch {
    // The sender went away; `complete` tells.
  }
  return { body: Buffer.concat(chunks), truncated };
}
