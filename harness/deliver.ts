import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { buildConnector, Client, errors, Pool, type Dispatcher } from 'undici';
import { decodeBody } from './content-coding.ts';
import type { LagMeter } from './lag.ts';
import type { Answer, Observation, WireRequest } from './observation.ts';

/** How one request is delivered. */
export interface DeliverOptions {
  label: string;
  /** Milliseconds from the first byte sent after which a missing answer is an observation of its own. */
  patienceMs: number;
  /** A connection of its own instead of one that was kept alive. */
  fresh?: boolean;
  /** The endpoint is right to refuse this, in whatever way: its silence says nothing about the others. */
  toBeRefused?: boolean;
  /** The time is judged: other exchanges do not depend on what this one took. */
  timed?: boolean;
  /** Bytes of the answer's body that are read at the most. */
  maxBodyBytes?: number;
  limitMs?: number;
}

/** Milliseconds for name look-up, TCP and TLS together, before an address counts as unreachable. */
export const connectPatienceMs = 5_000;
/** Four times the largest answer that the interface allows: enough to tell "too large" from "endless". */
const defaultMaxBodyBytes = 262_144;
/** Bytes of answer headers; more is not an answer that any client reads. */
const maxHeaderBytes = 32_768;
/** A connection unused for this long (ms) is not used again: shorter than the keep-alive of any server we know. */
const keptAliveMs = 1_000;

interface Course {
  sentAt: number | undefined;
  connectMs: number | null;
  onSent: () => void;
}

const connectTimes = new WeakMap<Socket, number>();
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
  course.connectMs = connectTimes.get(socket) ?? null;
  connectTimes.delete(socket);
  course.onSent();
});

const connectPlain = buildConnector({ timeout: connectPatienceMs, allowH2: false });
const connect: buildConnector.connector = (options, done) => {
  const from = performance.now();
  connectPlain(options, (error, socket) => {
    if (error) {
      done(error, null);
    } else {
      connectTimes.set(socket, performance.now() - from);
      done(null, socket);
    }
  });
};

/** Sends requests over HTTP/1.1 and observes what comes back. Follows no redirect, sends nothing twice knowingly. */
export class Deliveries {
  readonly #lag: LagMeter;
  readonly #pools = new Map<string, Pool>();

  constructor(lag: LagMeter) {
    this.#lag = lag;
  }

  /** Delivers one request. Never rejects: everything that the other side can do is an {@link Answer}. */
  async deliver(request: WireRequest, options: DeliverOptions): Promise<Observation> {
    const first = await this.#attempt(request, options, options.fresh ?? false);
    // A server may close a kept-alive connection just as we write to it; that is nobody's fault (RFC 9112, 9.3.1).
    const { answer, times } = first;
    if (answer.outcome !== 'closed' || answer.status !== undefined || times.connectMs !== null) return first;
    const second = await this.#attempt(request, options, true);
    // Nothing listens any more: the first attempt may be what stopped the endpoint.
    return second.answer.outcome === 'unreachable' ? { ...first, answer: { ...answer, unreachable: true } } : second;
  }

  /** Closes connections that are kept alive, so that a timed exchange meets an endpoint without any other of ours. */
  async release(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }

  async #attempt(request: WireRequest, options: DeliverOptions, fresh: boolean): Promise<Observation> {
    const url = new URL(request.url);
    const client = fresh ? new Client(url.origin, { connect, maxHeaderSize: maxHeaderBytes }) : this.#pool(url.origin);
    const startedAt = new Date();
    const { answer, course, firstByteAt, endedAt } = await exchange(client, url, request, options, fresh);
    if (fresh) void client.destroy().catch(() => undefined);
    const { sentAt } = course;
    return {
      kind: 'http',
      label: options.label,
      startedAt,
      request,
      answer,
      times: {
        connectMs: course.connectMs,
        firstByteMs: sentAt === undefined || firstByteAt === undefined ? null : firstByteAt - sentAt,
        totalMs: sentAt === undefined || answer.outcome !== 'answered' ? null : endedAt - sentAt,
        lagMs: sentAt === undefined ? 0 : this.#lag.between(sentAt, endedAt),
      },
      ...(options.limitMs === undefined ? {} : { limitMs: options.limitMs }),
    };
  }

  #pool(origin: string): Pool {
    let pool = this.#pools.get(origin);
    if (!pool) {
      pool = new Pool(origin, {
        connect,
        maxHeaderSize: maxHeaderBytes,
        keepAliveTimeout: keptAliveMs,
        keepAliveMaxTimeout: keptAliveMs,
      });
      this.#pools.set(origin, pool);
    }
    return pool;
  }
}

interface Outcome {
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
): Promise<Outcome> {
  return new Promise((resolve) => {
    const maxBytes = options.maxBodyBytes ?? defaultMaxBodyBytes;
    const chunks: Buffer[] = [];
    let bytes = 0;
    let status: number | undefined;
    let headers: [string, string][] = [];
    let firstByteAt: number | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let patience: NodeJS.Timeout | undefined;
    let done = false;

    const finish = (answer: Answer) => {
      if (done) return;
      done = true;
      clearTimeout(patience);
      resolve({ answer, course, firstByteAt, endedAt: performance.now() });
    };
    const answered = (truncated: boolean) => {
      const raw = Buffer.concat(chunks);
      // What was cut off while still packed cannot be unpacked; that it is too large is known all the same.
      const decoded = truncated ? { body: raw, truncated } : decodeBody(raw, headers, maxBytes);
      finish(
        'error' in decoded
          ? { outcome: 'malformed', detail: decoded.error }
          : {
              outcome: 'answered',
              status: status ?? 0,
              headers,
              body: decoded.body,
              bodyBytes: Math.max(bytes, decoded.truncated ? maxBytes + 1 : decoded.body.length),
              truncated: decoded.truncated,
            },
      );
    };
    const course: Course = {
      sentAt: undefined,
      connectMs: null,
      onSent: () => {
        patience = setTimeout(() => {
          finish({ outcome: 'no-answer', afterMs: options.patienceMs, ...(status === undefined ? {} : { status }) });
          controller?.abort(new Error('out of patience'));
        }, options.patienceMs);
      },
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(given) {
        controller = given;
      },
      onResponseStart(given, code) {
        firstByteAt ??= performance.now();
        if (code < 200) return;
        status = code;
        headers = headerPairs(given.rawHeaders);
      },
      onResponseData(given, chunk) {
        bytes += chunk.length;
        if (bytes <= maxBytes) {
          chunks.push(chunk);
          return;
        }
        chunks.push(chunk.subarray(0, Math.max(0, chunk.length - (bytes - maxBytes))));
        answered(true);
        given.abort(new Error('more than is read'));
      },
      onResponseEnd() {
        answered(false);
      },
      onResponseError(_, error) {
        finish(failure(error, course.sentAt !== undefined, status));
      },
    };
    starting = course;
    try {
      client.dispatch(
        {
          path: url.pathname + url.search,
          method: request.method,
          headers: request.headers.flatMap(([name, value]) => [name, value]),
          body: request.body,
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

function failure(error: Error, sent: boolean, status: number | undefined): Answer {
  const { code = '' } = error as NodeJS.ErrnoException;
  const detail = code === '' ? error.message : `${error.message} (${code})`;
  if (error instanceof errors.HTTPParserError || code === 'UND_ERR_HEADERS_OVERFLOW')
    return { outcome: 'malformed', detail };
  if (!sent) return { outcome: 'unreachable', detail };
  return { outcome: 'closed', detail, ...(status === undefined ? {} : { status }) };
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
