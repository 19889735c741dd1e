import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { Client, errors, Pool, type Dispatcher } from 'undici';
import { Brand } from '../../specs/brand.ts';
import { limits } from '../../specs/limits.ts';
import { expectAnswer } from './accept-continue.ts';
import { interimFault } from './bound-interim.ts';
import { AnswerBody } from './answer-body.ts';
import { clientCertificateAnswer } from './client-certificate.ts';
import { connectorOf, connectTimeoutMs, failedConnection, takeConnectMs } from './connect.ts';
import { describeError } from './describe-error.ts';
import { dividedInside } from './divided-body.ts';
import type { LagMeter } from './lag-meter.ts';
import type { Answer, Observation, WireRequest } from './observation.ts';
import { ProxyError, proxyShareMs, recordRoundTrip } from './proxy-tunnel.ts';
import { withRouteHeaders, type Route } from './route.ts';
import { Routes } from './routes.ts';
import { timeoutAfterReads } from './timeout-after-reads.ts';

/** Options of delivering one request. */
export interface DeliverOptions {
  label: string;
  /** The type of the event: what was not answered three times is not awaited again. Default: the label. */
  kind?: string;
  /** Milliseconds from the first byte sent until a missing answer is an observation. */
  timeoutMs: number;
  /** Use a new connection instead of a kept-alive one. */
  fresh?: boolean;
  /** The endpoint should reject this request, in any way: a missing answer says nothing about other requests. */
  toBeRefused?: boolean;
  /** The time is judged: without an answer, it says nothing about other exchanges. */
  timed?: boolean;
  /** Send the body in two parts, divided inside its first character of several bytes. */
  inTwoParts?: boolean;
  /** Maximum bytes kept of the answer's body; the others are counted. */
  maxBodyBytes?: number;
  limitMs?: number;
  /** An answer that requests a pause is returned like any other: the request is not sent again after it. */
  returnsPauses?: boolean;
}

/**
 * Milliseconds from dispatch until the first byte must be sent: one connection attempt, and another one if a kept-alive
 * connection was gone. It ensures that the run ends.
 */
const dispatchTimeoutMs = 2 * connectTimeoutMs;
/** Four times the largest answer that the interface allows: enough to distinguish "too large" from "endless". */
const defaultMaxBodyBytes = 4 * limits.ownAiAnswerBytes;
/** Maximum bytes of answer headers; no client reads more. */
const maxHeaderBytes = 32_768;
/**
 * Milliseconds of idle time after which a connection is not reused: shorter than the keep-alive of any known server.
 */
const keptAliveMs = 1_000;
/**
 * HTTP/1.1 only, one request at a time: the interface does not mention HTTP/2, and with HTTP/2 negotiation all requests
 * of a pool to an https address wait for the first connection.
 */
const http1 = { maxHeaderSize: maxHeaderBytes, allowH2: false, pipelining: 1 } as const;

interface Course {
  sentAt: number | undefined;
  connectMs: number | null;
  socket: Socket | undefined;
  onSent: () => void;
}

const courses = new WeakMap<object, Course>();
let starting: Course | undefined;

channel('undici:request:create').subscribe((message) => {
  if (starting) courses.set((message as { request: object }).request, starting);
});
channel('undici:client:sendHeaders').subscribe((message) => {
  const { request, socket } = message as { request: object; socket: Socket };
  const course = courses.get(request);
  if (!course) return;
  course.sentAt = performance.now();
  course.connectMs = takeConnectMs(socket);
  course.socket = socket;
  expectAnswer(socket);
  course.onSent();
});

/**
 * Sends requests over HTTP/1.1 and observes what comes back. Does not follow redirects or resend requests, except on a
 * stale kept-alive connection.
 */
export class Deliveries {
  readonly #lag: LagMeter;
  readonly #brand: Brand;
  readonly #routes: Routes;
  /** By route and origin. */
  readonly #pools = new Map<Route, Map<string, Pool>>();
  /** Origins behind a proxy that got a request without an event. */
  readonly #asked = new Set<string>();

  /**
   * @param brand its names are on the wire, those of the document in requests and answers
   * @param routes how each address is reached; their headers are on the wire only
   */
  constructor(lag: LagMeter, brand = Brand.named(), routes = Routes.none()) {
    this.#lag = lag;
    this.#brand = brand;
    this.#routes = routes;
  }

  /** Delivers one request. Never rejects: everything that the other side can do is an {@link Answer}. */
  async deliver(request: WireRequest, options: DeliverOptions): Promise<Observation> {
    const first = await this.#attempt(request, options, options.fresh ?? false);
    // A server may close a kept-alive connection while we write to it, which is not a fault (RFC 9112, 9.3.1).
    const { answer, times } = first;
    if (answer.outcome !== 'closed' || answer.status !== undefined || times.connectMs !== null) return first;
    const second = await this.#attempt(request, options, true);
    // Nothing listens any more: the first attempt may have stopped the endpoint. After other connection failures, such
    // as a TLS error, something still listens.
    const isGone = second.answer.outcome === 'unreachable' && second.answer.isRefused === true;
    return isGone ? { ...first, answer: { ...answer, unreachable: true } } : second;
  }

  /** Closes kept-alive connections, so that a timed exchange is the only one at the endpoint. */
  async release(): Promise<void> {
    // Waits for exchanges of checks that have ended: aborting them would look like a failed connection.
    await Promise.all(this.#takePools().map((pool) => pool.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#takePools().map((pool) => pool.destroy()));
  }

  #takePools(): Pool[] {
    const pools = [...this.#pools.values()].flatMap((byOrigin) => [...byOrigin.values()]);
    this.#pools.clear();
    return pools;
  }

  async #attempt(request: WireRequest, options: DeliverOptions, fresh: boolean): Promise<Observation> {
    const url = new URL(request.url);
    const route = this.#routes.to(request.url);
    const client = fresh ? new Client(url.origin, { connect: connectorOf(route), ...http1 }) : this.#pool(route, url);
    const startedAt = new Date();
    const at = performance.now();
    const branded = this.#brand.request(request);
    const wire = { ...branded, headers: withRouteHeaders(branded.headers, route) };
    const { answer, course, firstByteAt, endedAt } = await exchange(client, url, wire, options, fresh);
    if (answer.outcome === 'answered') answer.body = this.#brand.body(answer.body);
    if (fresh) void client.destroy().catch(() => undefined);
    const { sentAt } = course;
    if (sentAt !== undefined && answer.outcome === 'answered') recordRoundTrip(course.socket, endedAt - sentAt);
    if (sentAt !== undefined && endedAt - sentAt > (options.limitMs ?? Infinity))
      await this.#askWithoutEvent(url, route);
    const proxyMs = sentAt === undefined ? 0 : proxyShareMs(course.socket);
    return {
      kind: 'http',
      label: options.label,
      startedAt,
      at,
      request,
      answer,
      times: {
        connectMs: course.connectMs,
        firstByteMs: sentAt === undefined || firstByteAt === undefined ? null : firstByteAt - sentAt,
        totalMs: sentAt === undefined || answer.outcome !== 'answered' ? null : endedAt - sentAt,
        lagMs: proxyMs + (sentAt === undefined ? 0 : this.#lag.atEnds(sentAt, endedAt)),
        ...(proxyMs > 0 && { proxyMs }),
      },
      ...(options.limitMs === undefined ? {} : { limitMs: options.limitMs }),
    };
  }

  /** Measures once what a proxy adds to a request that needs no work: a late answer shows only the sum of both. */
  async #askWithoutEvent(url: URL, route: Route): Promise<void> {
    if (!route.proxy || this.#asked.has(url.origin)) return;
    this.#asked.add(url.origin);
    const client = new Client(url.origin, { connect: connectorOf(route), ...http1 });
    const wire = { method: 'OPTIONS', url: url.href, headers: withRouteHeaders([], route), body: new Uint8Array() };
    const options = { label: 'a request without an event', timeoutMs: connectTimeoutMs };
    const { answer, course, endedAt } = await exchange(client, url, wire, options, true);
    const { sentAt, socket } = course;
    if (sentAt !== undefined && answer.outcome === 'answered') recordRoundTrip(socket, endedAt - sentAt);
    void client.destroy().catch(() => undefined);
  }

  #pool(route: Route, { origin }: URL): Pool {
    let byOrigin = this.#pools.get(route);
    if (!byOrigin) this.#pools.set(route, (byOrigin = new Map<string, Pool>()));
    let pool = byOrigin.get(origin);
    if (!pool) {
      pool = new Pool(origin, {
        connect: connectorOf(route),
        ...http1,
        keepAliveTimeout: keptAliveMs,
        keepAliveMaxTimeout: keptAliveMs,
      });
      byOrigin.set(origin, pool);
    }
    return pool;
  }
}

interface DeliveryOutcome {
  answer: Answer;
  course: Course;
  firstByteAt: number | undefined;
  endedAt: number;
}

function exchange(
  client: Dispatcher,
  url: URL,
  request: WireRequest,
  options: DeliverOptions,
  fresh: boolean,
): Promise<DeliveryOutcome> {
  return new Promise((resolve) => {
    let status: number | undefined;
    let headers: [string, string][] = [];
    let body: AnswerBody | undefined;
    let firstByteAt: number | undefined;
    let interim = 0;
    let controller: Dispatcher.DispatchController | undefined;
    let done = false;

    const finish = (answer: Answer, endedAt = performance.now()) => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      resolve({ answer, course, firstByteAt, endedAt });
    };
    const giveUp = (answer: Answer) => {
      finish(answer);
      controller?.abort(new Error('given up'));
    };
    let timer = setTimeout(() => {
      giveUp({ outcome: 'unreachable', detail: `nothing could be sent within ${dispatchTimeoutMs / 1000} s` });
    }, dispatchTimeoutMs);
    const course: Course = {
      sentAt: undefined,
      connectMs: null,
      socket: undefined,
      onSent: () => {
        clearTimeout(timer);
        const afterMs = options.timeoutMs;
        const timeOut = () => {
          const begun = status === undefined ? {} : { status, bodyBytes: body?.received ?? 0 };
          giveUp({ outcome: 'no-answer', afterMs, ...begun });
        };
        timer = timeoutAfterReads(timeOut, afterMs);
      },
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(given) {
        controller = given;
        if (done) given.abort(new Error('timed out'));
      },
      onResponseStart(given, code) {
        firstByteAt ??= performance.now();
        if (code < 200) {
          const fault = interimFault(++interim);
          if (fault !== undefined) giveUp({ outcome: 'malformed', detail: fault });
          return;
        }
        status = code;
        headers = headerPairs(given.rawHeaders);
        body = new AnswerBody(headers, options.maxBodyBytes ?? defaultMaxBodyBytes, () => given.resume());
      },
      onResponseData(given, chunk) {
        if (body?.accept(chunk) === false) given.pause();
      },
      onResponseEnd() {
        const endedAt = performance.now();
        const read = body?.end() ?? { error: 'the answer has no headers' };
        finish(
          'error' in read
            ? { outcome: 'malformed', detail: read.error, ...(body && { isUndecodable: true }) }
            : { outcome: 'answered', status: status ?? 0, headers, ...read },
          endedAt,
        );
      },
      onResponseError(_, error) {
        finish(failure(error, course, status));
      },
    };
    starting = course;
    try {
      client.dispatch(
        {
          path: url.pathname + url.search,
          method: request.method,
          headers: [
            ...request.headers.flatMap(([name, value]) => [name, value]),
            ...(options.inTwoParts === true ? ['Content-Length', String(request.body.length)] : []),
          ],
          body: options.inTwoParts === true ? dividedInside(request.body) : request.body,
          reset: fresh,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        handler,
      );
    } catch (error) {
      finish({ outcome: 'unreachable', detail: (error as Error).message });
    } finally {
      starting = undefined;
    }
  });
}

function failure(error: Error, { sentAt, socket }: Course, status: number | undefined): Answer {
  const { code = '' } = error as NodeJS.ErrnoException;
  const detail = describeError(error);
  const ended = socket ?? failedConnection(error);
  const refusal = status === undefined && ended ? clientCertificateAnswer(ended) : undefined;
  if (refusal) return refusal;
  if (error instanceof errors.HTTPParserError || code === 'UND_ERR_HEADERS_OVERFLOW')
    return { outcome: 'malformed', detail };
  if (sentAt === undefined) return { outcome: 'unreachable', detail, ...(isRefusal(error) && { isRefused: true }) };
  return { outcome: 'closed', detail, ...(status === undefined ? {} : { status }) };
}

/** Whether no address of the host accepted the connection because nothing listens there. */
function isRefusal(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isRefusal);
  if (error instanceof ProxyError) return error.isEndpoints;
  return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
}

function headerPairs(raw: unknown): [string, string][] {
  if (!Array.isArray(raw)) return [];
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([latin1(raw[at]), latin1(raw[at + 1])]);
  return pairs;
}

function latin1(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('latin1') : String(value);
}
