import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { limits } from '../../specs/limits.ts';
import { targetBelow } from '../../service/request-target.ts';
import type { SeedOptions } from '../../service/seed.ts';
import { SimulatedService } from '../../service/simulated-service.ts';
import { ApiEffects } from './api-effects.ts';
import { ArrivingBodies } from './arriving-body.ts';
import { HarnessFault } from '../checks/faults.ts';
import type { Arrival } from './observation.ts';
import { Mailbox } from './mailbox.ts';
import { noOutbound } from './no-outbound.ts';
import { resourceFault } from './resource-limits.ts';

/** What the inbox answers to one arrival. */
export interface Reply {
  status: number;
  body?: unknown;
  /** Holds the answer back until this has come about. */
  after?: Promise<unknown>;
}

export type Responder = (arrival: Pick<Arrival, 'request' | 'truncated'>) => Reply;

export interface InboxAddress {
  host: string;
  /** 0: any free port. */
  port: number;
  /** The address by which the endpoint reaches host and port, when it is not on this machine. */
  publicUrl?: string | undefined;
}

/** Requests to addresses that were not given out that are kept. */
const maxStrays = 500;
/** Connections at once; a queue that sends the callbacks of a whole run at once has fewer. */
const maxConnections = 1_000;
/** Milliseconds for an arriving request to be complete: a callback that takes longer is late by then. */
const requestTimeoutMs = limits.crmCallbackWithinMs + 30_000;
/** Milliseconds that answers under way get when the inbox closes. */
const closingMs = 500;

/** What the simulated service behind the door begins with. */
export interface InboxOptions {
  seed?: SeedOptions;
  firstId?: number;
}

/**
 * Where the endpoint reaches us: the door of the simulated service. API v1 is behind it; in addition to, it gives every case
 * addresses of its own under a path that nobody would hard-code, records what arrives there and when, and answers as
 * the service would or as it is told.
 */
export class Inbox {
  /** Requests that reached us at no address that we gave out. */
  readonly strays: Arrival[] = [];
  /** What the endpoint has done at API v1. */
  readonly apiEffects = new ApiEffects();
  readonly #bodies = new ArrivingBodies();
  readonly #boxes = new Map<string, Box>();
  /** The latest box of each project: API v1 lists agent-replies by the project alone. */
  readonly #byProject = new Map<number, Box>();
  readonly #secretPath = `/${randomToken()}`;
  readonly #below: (target: string) => string;
  #service: SimulatedService | undefined;

  private constructor(publicUrl: string | undefined) {
    this.#below = targetBelow(publicUrl);
  }

  /** Listens. Throws {@link HarnessFault} `inbox-not-started` when the address cannot be taken. */
  static async open({ host, port, publicUrl }: InboxAddress, behind: InboxOptions = {}): Promise<Inbox> {
    const inbox = new Inbox(publicUrl);
    const { seed = {}, firstId } = behind;
    try {
      inbox.#service = await SimulatedService.open({
        outbound: noOutbound,
        host,
        port,
        publicUrl,
        inboxes: [seed],
        // What one run sends in a minute is the run's doing, not the endpoint's.
        rateLimit: false,
        ...(firstId !== undefined && { firstId }),
        apiHooks: { onExchange: (record) => inbox.apiEffects.add(record, inbox.service.baseUrl) },
        makeServer: (handle) => inbox.#makeServer(handle),
      });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      throw (
        resourceFault(error) ??
        new HarnessFault('inbox-not-started', `The inbox cannot listen on ${host}:${port}: ${text}.`)
      );
    }
    return inbox;
  }

  /** The simulated service behind the door. */
  get service(): SimulatedService {
    if (!this.#service) throw new RangeError('expected an open inbox, received one that is not');
    return this.#service;
  }

  /** Every address that was given out so far, the oldest first. */
  get given(): readonly string[] {
    return [...this.#boxes].map(([path, { search }]) => this.#base + path + search);
  }

  get #base(): string {
    return this.service.baseUrl + this.#secretPath;
  }

  #makeServer(handle: (request: IncomingMessage, response: ServerResponse) => void): Server {
    const server = createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
      const path = this.#below(request.url ?? '/');
      const isApi = /^\/v1(?:[/?]|$)/.test(path);
      if (isApi && this.#boxOfProject(path) === undefined) {
        handle(request, response);
      } else {
        void this.#receive(request, response);
      }
    });
    server.maxConnections = maxConnections;
    return server;
  }

  /** A new `callbackUrl` (interface: CRM webhook). It is opaque and has a query, as any address may. */
  callbackBox(label: string, respond: Responder): Mailbox {
    return this.#add('callback', label, `/callbacks/${randomToken()}`, `?ticket=${randomToken()}`, respond);
  }

  /** A new `replyUrl`: the absolute address of agent-replies of one project (interface: Own-AI chat event). */
  replyBox(label: string, projectId: number, respond: Responder): Mailbox {
    const path = `/${randomToken()}/v1/projects/${projectId}/agent-replies`;
    const box = this.#add('api', label, path, '', respond);
    const entry = this.#boxes.get(path);
    // Of several messages in one conversation nobody can tell which one a reply to the listed address is for.
    if (entry) this.#byProject.set(projectId, { ...entry, isShared: this.#byProject.has(projectId) });
    return box;
  }

  #add(kind: Arrival['kind'], label: string, path: string, search: string, respond: Responder): Mailbox {
    const box = new Mailbox(label, this.#base + path + search, respond);
    // A proxy before publicUrl may take a prefix off; what is unguessable decides, wherever it stands in the path.
    this.#boxes.set(path, { kind, box, search });
    return box;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = new Date();
    const { path, search } = this.#locate(request.url ?? '/');
    const entry = this.#boxes.get(path) ?? this.#boxOfProject(this.#below(request.url ?? '/'));
    const known = entry !== undefined && entry.search === search ? entry : undefined;
    const unfinished = { method: request.method ?? '', bodyBytes: 0 };
    known?.box.begin(unfinished);
    const read = await this.#bodies.read(request, unfinished).catch(() => undefined);
    // Cut off before it was complete: nothing arrived.
    if (!read || !request.complete) return;
    known?.box.unfinished.delete(unfinished);
    const { body, bodyBytes, truncated } = read;
    const arrived = {
      kind: known?.kind ?? (path.includes('/agent-replies') ? ('api' as const) : ('callback' as const)),
      label: known?.box.label ?? 'a request to an address that was not given out',
      startedAt,
      at: performance.now(),
      request: {
        method: request.method ?? '',
        url: path.startsWith('/') ? this.#base + path + search : this.service.baseUrl + this.#below(request.url ?? '/'),
        headers: pairs(request.rawHeaders),
        body,
      },
      truncated,
      bodyBytes,
    };
    const reply: Reply = known
      ? known.box.respond(arrived)
      : { status: 404, body: { type: 'about:blank', title: 'not_found', status: 404 } };
    const text = reply.body === undefined ? '' : JSON.stringify(reply.body);
    const headers: [string, string][] =
      text === '' ? [] : [['content-type', reply.status >= 400 ? 'application/problem+json' : 'application/json']];
    const arrival: Arrival = { ...arrived, response: { status: reply.status, headers, body: text } };
    if (!this.#book(arrival, known)) this.#bodies.release(read);
    await reply.after;
    if (response.destroyed) return;
    response.writeHead(reply.status, Object.fromEntries(headers));
    response.end(text);
  }

  /** Whether the arrival is kept. */
  #book(arrival: Arrival, known: Box | undefined): boolean {
    if (known) return known.isShared !== true && known.box.book(arrival);
    return this.strays.length < maxStrays && this.strays.push(arrival) > 0;
  }

  #locate(target: string): { path: string; search: string } {
    const at = target.indexOf('?');
    const path = at < 0 ? target : target.slice(0, at);
    const search = at < 0 ? '' : target.slice(at);
    const found = path.indexOf(`${this.#secretPath}/`);
    return { path: found < 0 ? `(elsewhere)${path}` : path.slice(found + this.#secretPath.length), search };
  }

  #boxOfProject(path: string): Box | undefined {
    const project = /^\/v1\/projects\/([1-9]\d*)\/agent-replies$/.exec(path)?.[1];
    return project === undefined ? undefined : this.#byProject.get(Number(project));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { server } = this.service.app;
    const force = setTimeout(() => server.closeAllConnections(), closingMs);
    await this.service[Symbol.asyncDispose]();
    clearTimeout(force);
  }
}

interface Box {
  kind: Arrival['kind'];
  box: Mailbox;
  search: string;
  /** What comes by the project alone is answered, and booked to none of its messages. */
  isShared?: boolean;
}

/** 128 bits as hex. */
export function randomToken(): string {
  return randomBytes(16).toString('hex');
}

function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);
}
