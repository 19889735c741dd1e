import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Brand } from '../../specs/brand.ts';
import { limits } from '../../specs/limits.ts';
import type { ApiExchangeRecord, ApiTrouble, ArrivedRequest } from '../../service/api/install-recording.ts';
import { targetBelow } from '../../service/target-below.ts';
import type { Outbound } from '../../service/outbound.ts';
import type { SeedOptions } from '../../service/seed.ts';
import { SimulatedService } from '../../service/simulated-service.ts';
import { ApiEffects } from './api-effects.ts';
import { ArrivingBodies } from './arriving-bodies.ts';
import { HarnessFault } from '../checks/faults.ts';
import type { Arrival } from './observation.ts';
import { Mailbox } from './mailbox.ts';
import { noOutbound } from './no-outbound.ts';
import { resourceFault } from './resource-limits.ts';
import type { Reply, Responder } from './responder.ts';

export interface InboxAddress {
  host: string;
  /** 0: any free port. */
  port: number;
  /** The address by which the endpoint reaches host and port, if it is on another machine. */
  publicUrl?: string | undefined;
}

/** Maximum number of requests kept that were sent to unknown addresses. */
const maxStrays = 500;
/** Milliseconds in which a refusal may be booked after the endpoint has acted on it. */
const bookingMs = 100;
/** Maximum number of refused or delayed requests whose time is kept. */
const maxDisturbances = 1_000;
/**
 * Maximum number of concurrent connections; more than a queue needs that sends the callbacks of a whole run at once.
 */
const maxConnections = 1_000;
/** Milliseconds until an arriving request must be complete: by then a callback is late. */
const requestTimeoutMs = limits.crmCallbackWithinMs + 30_000;
/** Milliseconds for pending answers when the inbox closes. */
const closingMs = 500;

/** Initial state of the simulated service. */
export interface InboxOptions {
  seed?: SeedOptions;
  firstId?: number;
  /** Default: sends nothing. */
  outbound?: Outbound;
  /** Default: that of the document. */
  brand?: Brand;
}

/**
 * The HTTP server that the endpoint calls. It serves API v1 of the simulated service; in addition, it assigns every
 * case its own addresses under a random path, records the requests that arrive there with their times, and answers like
 * the service or as the case requires.
 */
export class Inbox {
  /** Requests to unknown addresses. */
  readonly strays: Arrival[] = [];
  /** Effects of the endpoint at API v1. */
  readonly apiEffects = new ApiEffects();
  /** The failure of a valid request to API v1, if it is to fail. */
  apiTrouble: ((request: ArrivedRequest) => ApiTrouble | undefined) | undefined;
  readonly #watchers = new Set<(record: ApiExchangeRecord) => void>();
  readonly #bodies = new ArrivingBodies();
  /** When requests were refused or kept waiting; the latest ones. */
  readonly #disturbedAt: number[] = [];
  readonly #boxes = new Map<string, Box>();
  /** The latest box of each project: the agent-replies address of API v1 contains only the project. */
  readonly #byProject = new Map<number, Box>();
  readonly #secretPath = `/${randomToken()}`;
  readonly #below: (target: string) => string;
  readonly #brand: Brand;
  #service: SimulatedService | undefined;

  private constructor(publicUrl: string | undefined, brand: Brand) {
    this.#brand = brand;
    this.#below = targetBelow(publicUrl);
  }

  /** Listens. Throws {@link HarnessFault} `inbox-not-started` when the address is not available. */
  static async open({ host, port, publicUrl }: InboxAddress, behind: InboxOptions = {}): Promise<Inbox> {
    const { seed = {}, firstId, outbound = noOutbound, brand = Brand.named() } = behind;
    const inbox = new Inbox(publicUrl, brand);
    try {
      inbox.#service = await SimulatedService.open({
        outbound,
        host,
        port,
        publicUrl,
        brand,
        inboxes: [seed],
        // The request rate of a run is caused by the run, not by the endpoint.
        rateLimit: false,
        ...(firstId !== undefined && { firstId }),
        apiHooks: {
          onExchange: (record) => {
            inbox.apiEffects.add(record, inbox.service.baseUrl);
            if (record.response === 'cut' || record.response.status >= 400) inbox.#bookDisturbance();
            for (const watcher of inbox.#watchers) watcher(record);
          },
          trouble: (request) => inbox.apiTrouble?.(request),
        },
        makeServer: (handle) => inbox.#makeServer(handle),
      });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      throw resourceFault(error) ?? new HarnessFault('inbox-not-started', { host, port, reason: text });
    }
    return inbox;
  }

  get service(): SimulatedService {
    if (!this.#service) throw new RangeError('expected an open inbox, received a closed one');
    return this.#service;
  }

  /** Every address assigned so far, oldest first. */
  get given(): readonly string[] {
    return [...this.#boxes].map(([path, { search }]) => this.#base + path + search);
  }

  /** The mailbox of every `replyUrl` assigned so far, oldest first. */
  get replyBoxes(): readonly Mailbox[] {
    return [...this.#boxes.values()].filter(({ kind }) => kind === 'api').map(({ box }) => box);
  }

  /** Reports every exchange of API v1 as it ends, until it is disposed. */
  watchApi(watcher: (record: ApiExchangeRecord) => void): Disposable {
    this.#watchers.add(watcher);
    return { [Symbol.dispose]: () => void this.#watchers.delete(watcher) };
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

  /**
   * Creates a mailbox with a new `callbackUrl` (interface: CRM webhook). The URL is opaque and has a query, as any
   * address may.
   */
  callbackBox(label: string, respond: Responder): Mailbox {
    return this.#add('callback', label, `/callbacks/${randomToken()}`, `?ticket=${randomToken()}`, respond);
  }

  /**
   * Creates a mailbox with a new `replyUrl`: the absolute agent-replies address of one project (interface: Own-AI chat
   * event).
   */
  replyBox(label: string, projectId: number, respond: Responder): Mailbox {
    const path = `/${randomToken()}/v1/projects/${projectId}/agent-replies`;
    const box = this.#add('api', label, path, '', respond);
    const entry = this.#boxes.get(path);
    // With several messages in one conversation, a reply to the listed address cannot be assigned to one of them.
    if (entry) this.#byProject.set(projectId, { ...entry, isShared: this.#byProject.has(projectId) });
    return box;
  }

  #add(kind: Arrival['kind'], label: string, path: string, search: string, respond: Responder): Mailbox {
    const box = new Mailbox(label, this.#base + path + search, respond);
    // A proxy at publicUrl may remove a prefix; the random part decides, wherever it is in the path.
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
    if (!read || !request.complete) {
      known?.box.abort(unfinished);
      return;
    }
    known?.box.unfinished.delete(unfinished);
    const { bodyBytes, truncated } = read;
    const body = this.#brand.body(read.body);
    const arrived = {
      kind: known?.kind ?? (path.includes('/agent-replies') ? ('api' as const) : ('callback' as const)),
      label: known?.box.label ?? 'a request to an unknown address',
      startedAt,
      at: performance.now(),
      request: {
        method: request.method ?? '',
        url: path.startsWith('/') ? this.#base + path + search : this.service.baseUrl + this.#below(request.url ?? '/'),
        headers: this.#brand.headers(pairs(request.rawHeaders)),
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
    const isDisturbing = reply.after !== undefined || reply.status >= 400;
    if (isDisturbing) this.#bookDisturbance();
    await reply.after;
    if (isDisturbing || response.destroyed) this.#bookDisturbance();
    if (response.destroyed) return;
    response.writeHead(reply.status, Object.fromEntries(headers));
    response.end(text);
    if (reply.status >= 400) known?.box.reject(arrival);
  }

  #bookDisturbance(): void {
    this.#disturbedAt.push(performance.now());
    if (this.#disturbedAt.length > maxDisturbances) this.#disturbedAt.shift();
  }

  /**
   * Whether a request of the endpoint was refused or kept waiting between two moments of `performance.now()`, or may have
   * been: an endpoint may pass our error on.
   */
  wasDisturbed(from: number, until: number): boolean {
    const times = this.#disturbedAt;
    const areForgotten = times.length === maxDisturbances && from < (times[0] ?? 0);
    return areForgotten || times.some((at) => at >= from && at <= until + bookingMs);
  }

  /** Records an arrival; returns whether it is kept. */
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
  /** Replies to the project's address are answered, but not assigned to one of its messages. */
  isShared?: boolean;
}

/** 122 random bits as hex. Node draws the bits of many UUIDs at once, which takes a tenth of the time. */
export function randomToken(): string {
  return randomUUID().replaceAll('-', '');
}

function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);
}
