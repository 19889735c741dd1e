import { once } from 'node:events';
import { connect } from 'node:net';
import { Clock } from '../../service/clock.ts';
import type {
  CallRequest,
  LiveCall,
  Outbound,
  OutboundAnswer,
  OutboundOptions,
  OutboundRequest,
} from '../../service/outbound.ts';
import type { SeedOptions } from '../../service/seed.ts';
import type { ServiceEvent, ServiceEventType } from '../../service/service-events.ts';
import type { ServiceInbox } from '../../service/service-inbox.ts';
import { SimulatedService, type ServiceOptions } from '../../service/simulated-service.ts';

/** The API key of the first inbox, unless a test seeds another one. */
export const apiKey = 'svc_sk_of_the_tests';
/** The time at which the clock of the tests begins. */
export const begin = Date.UTC(2026, 9, 11, 9, 30);

/** Untyped JSON: each test knows its shape. */
export type Json = ReturnType<typeof JSON.parse>;

/** A request that the service would have sent. */
export interface Sent extends OutboundRequest {
  options: OutboundOptions;
  /** The body as JSON. */
  json: Json;
  /** A header, whatever its case. */
  header: (name: string) => string | undefined;
}

/** The answer of a test to a request of the service; `undefined`: 204. */
export type Answer = (sent: Sent) => AnswerParts | undefined | Promise<AnswerParts | undefined>;
type AnswerParts = { status: number; json?: unknown } | Exclude<OutboundAnswer, { outcome: 'answered' }>;

/** The reaction of a test to a call. */
export type Pickup = (request: CallRequest) => LiveCall | { failed: string } | Promise<LiveCall | { failed: string }>;

/** An `Outbound` that sends nothing: it records the requests and returns the configured answers. */
export class FakeOutbound implements Outbound {
  readonly sent: Sent[] = [];
  readonly calls: CallRequest[] = [];
  answer: Answer = () => undefined;
  pickup: Pickup = () => ({ failed: 'no one picks up in this test' });

  async post(make: () => OutboundRequest, options: OutboundOptions): Promise<OutboundAnswer & { ms: number }> {
    const request = make();
    const text = Buffer.from(request.body).toString('utf8');
    const header = (name: string) => request.headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
    const sent: Sent = { ...request, options, json: text === '' ? undefined : JSON.parse(text), header };
    this.sent.push(sent);
    const answer = (await this.answer(sent)) ?? { status: 204 };
    if ('outcome' in answer) return { ...answer, ms: 1 };
    const body = answer.json === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(answer.json));
    const { status } = answer;
    return { outcome: 'answered', status, headers: [], body, bodyBytes: body.length, truncated: false, ms: 1 };
  }

  async call(request: CallRequest): Promise<LiveCall | { failed: string }> {
    this.calls.push(request);
    return await this.pickup(request);
  }

  /** Requests to addresses that contain this string. */
  to(part: string): Sent[] {
    return this.sent.filter(({ url }) => url.includes(part));
  }
}

/** An answer of the API. */
export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; `undefined` if it is not JSON. */
  json: Json;
}

export interface RequestOptions {
  body?: unknown;
  headers?: Record<string, string>;
  /** `null`: without a key. */
  key?: string | null;
}

/** A service over real sockets, on a separate clock, that makes no outgoing connections. */
export class OpenService {
  readonly service: SimulatedService;
  readonly outbound: FakeOutbound;

  constructor(service: SimulatedService, outbound: FakeOutbound) {
    this.service = service;
    this.outbound = outbound;
  }

  get inbox(): ServiceInbox {
    return this.service.inbox;
  }

  get clock(): Clock {
    return this.service.clock;
  }

  /** A request to the API. A string or bytes are sent unchanged as the body, any other value as JSON. */
  async api(
    method: string,
    path: string,
    { body, headers = {}, key = apiKey }: RequestOptions = {},
  ): Promise<Answered> {
    const response = await fetch(this.service.baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key !== null && { 'X-Api-Key': key }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body: typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body),
      }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  }

  async get(path: string, options?: RequestOptions): Promise<Answered> {
    return await this.api('GET', path, options);
  }

  async post(path: string, body?: unknown, options: RequestOptions = {}): Promise<Answered> {
    return await this.api('POST', path, { body, ...options });
  }

  /** Sends raw bytes to the port, and returns all received data until the connection ended. */
  async raw(text: string): Promise<string> {
    const { port, hostname } = new URL(this.service.baseUrl);
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A reset also ends the connection.
    socket.on('error', () => undefined);
    socket.write(text);
    await once(socket, 'close');
    return Buffer.concat(chunks).toString('latin1');
  }

  /** Service events, oldest first, of one type if given. */
  events(type?: ServiceEventType): ServiceEvent[] {
    const { kept } = this.service.events;
    return type === undefined ? [...kept] : kept.filter((event) => event.type === type);
  }

  /** Resolves with the first matching event of this type, past or future. */
  async event(type: ServiceEventType, fits: (event: ServiceEvent) => boolean = () => true): Promise<ServiceEvent> {
    const already = this.events(type).find(fits);
    if (already) return already;
    return await new Promise((resolve) => {
      const off = this.service.events.listen((event) => {
        if (event.type !== type || !fits(event)) return;
        off();
        resolve(event);
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service[Symbol.asyncDispose]();
    // In every test, a 500 is a defect of the service.
    const broken = this.events('api-request').filter(({ data }) => data.title === 'internal_error');
    if (broken.length > 0) throw new Error(`the API failed: ${JSON.stringify(broken.map(({ data }) => data))}`);
  }
}

/**
 * Opens a service for a test: no rate limit, a clock that begins at {@link begin}, and one inbox with the key {@link
 * apiKey}. `seed` is the initial content of that inbox; `options.inboxes` replaces it.
 */
export async function openService(
  seed: SeedOptions = {},
  options: Partial<Omit<ServiceOptions, 'outbound'>> = {},
): Promise<OpenService> {
  const outbound = new FakeOutbound();
  const service = await SimulatedService.open({
    outbound,
    clock: new Clock(begin),
    rateLimit: false,
    inboxes: [{ apiKeys: { [apiKey]: 'Tests' }, ...seed }],
    ...options,
  });
  return new OpenService(service, outbound);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
