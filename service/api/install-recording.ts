import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Brand } from '../../specs/brand.ts';
import { problems, type ProblemCode } from '../../specs/api-problems.ts';
import type { OperationId } from '../../specs/api-operations.ts';
import { Problem } from '../problem.ts';

/** A request at the API or a callback, and its answer. The API's own documents are not recorded. */
export interface ApiExchangeRecord {
  startedAt: Date;
  /** `performance.now()` when the request was complete. */
  at: number;
  /** The service's clock, which can be moved, when the request was complete. Unix ms. */
  serviceTimeMs: number;
  method: string;
  /** Path and query below `{base_url}`, as sent. */
  url: string;
  /** As sent, in their order. */
  headers: [name: string, value: string][];
  /** The exact bytes; empty when `truncated`. */
  body: Uint8Array;
  /** The body was larger than the limit, or was not kept. */
  truncated: boolean;
  /** `undefined` for a path or method that the API does not have. */
  operation?: OperationId;
  /** `undefined` without a known key. */
  keyName?: string;
  /** `cut`: the connection ended before the answer was sent, by an ordered failure or because the client was gone. */
  response: { status: number; headers: [name: string, value: string][]; body: string } | 'cut';
  /** Status of an answer that was ready but not sent, so that its effect is known. */
  unsentStatus?: number;
  /** The client disconnected before its answer. */
  abandoned?: true;
  /**
   * `performance.now()` when the answer was handed to the connection (so the client's wait is never underestimated,
   * however busy this process is), or when the connection had ended without one.
   */
  endedAt: number;
  trouble?: ApiTrouble['kind'];
}

/** A request that is about to be processed. */
export type ArrivedRequest = Omit<ApiExchangeRecord, 'response' | 'unsentStatus' | 'abandoned' | 'endedAt'>;

/**
 * A failure of a request. `cut-after`: processed, and the connection ends without an answer. `slow`: processed, and
 * answered late. `answer-instead`: nothing is processed. `afterMs`: delay before that.
 */
export type ApiTrouble =
  | { kind: 'cut-after'; afterMs?: number }
  | { kind: 'slow'; ms: number }
  | {
      kind: 'answer-instead';
      status: number;
      /** A code of this status; default: the first one. */
      code?: ProblemCode;
      retryAfterSeconds?: number;
      afterMs?: number;
    };

export interface ApiHooks {
  /** Called with every exchange, once its answer was sent or its connection has ended. */
  onExchange?: (record: ApiExchangeRecord) => void;
  /** The same for callbacks of the CRM. */
  onCallback?: (record: ApiExchangeRecord) => void;
  /** Called for every request that is about to be processed: its key, rate and body are valid. */
  trouble?: (request: ArrivedRequest) => ApiTrouble | undefined;
}

/** The known data of a request so far. */
interface Recorded {
  request: ArrivedRequest;
  trouble: ApiTrouble | undefined;
  response: Exclude<ApiExchangeRecord['response'], 'cut'> | undefined;
  answeredAt: number;
}

/** Access to the raw body of a request, and other known data. */
export interface RecordingSource {
  bodyOf: (request: FastifyRequest) => Uint8Array | undefined;
  operationOf: (request: FastifyRequest) => OperationId | undefined;
  keyNameOf: (request: FastifyRequest) => string | undefined;
  isRecorded: (request: FastifyRequest) => boolean;
  isCallback: (request: FastifyRequest) => boolean;
  brand: Brand;
  /** The service's clock. Unix ms. */
  now: () => number;
}

/** Installs the Fastify hooks that record requests and cause failures. */
export function installRecording(app: FastifyInstance, hooks: ApiHooks, source: RecordingSource): void {
  const known = new WeakMap<FastifyRequest, Recorded>();

  const complete = (request: FastifyRequest, recorded: Recorded): void => {
    const { request: arrived } = recorded;
    if (arrived.at === 0) {
      arrived.at = performance.now();
      arrived.serviceTimeMs = source.now();
    }
    arrived.body = source.bodyOf(request) ?? arrived.body;
    const keyName = source.keyNameOf(request);
    if (keyName !== undefined) arrived.keyName = keyName;
  };

  app.addHook('onRequest', (request, reply, done) => {
    if (source.isRecorded(request)) {
      const recorded = begin(request, source);
      known.set(request, recorded);
      reply.raw.once('close', () => {
        // Cut off before it was complete: no request arrived.
        if (!request.raw.complete && !recorded.request.truncated) return;
        complete(request, recorded);
        const record = ended(recorded, reply);
        if (source.isCallback(request)) hooks.onCallback?.(record);
        else hooks.onExchange?.(record);
      });
    }
    done();
  });

  app.addHook('preHandler', (request, _, done) => {
    const recorded = known.get(request);
    if (recorded?.request.operation === undefined) return done();
    complete(request, recorded);
    const trouble = hooks.trouble?.(recorded.request);
    if (trouble) recorded.request.trouble = trouble.kind;
    recorded.trouble = trouble;
    if (trouble?.kind === 'answer-instead') held(trouble.afterMs, () => done(problemInstead(trouble)));
    else done();
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const recorded = known.get(request);
    if (!recorded) return done(null, payload);
    // Larger than the limit; the body was not kept.
    if (reply.statusCode === problems.payload_too_large.status) recorded.request.truncated = true;
    complete(request, recorded);
    const body = typeof payload === 'string' ? payload : '';
    recorded.response = { status: reply.statusCode, headers: headerPairs(reply.getHeaders(), body), body };
    const { trouble } = recorded;
    const send = () => {
      recorded.answeredAt = performance.now();
      done(null, payload);
    };
    if (trouble?.kind === 'slow') {
      const timer = setTimeout(send, trouble.ms);
      reply.raw.once('close', () => clearTimeout(timer));
      return;
    }
    if (trouble?.kind !== 'cut-after') return send();
    held(trouble.afterMs, () => {
      request.raw.socket.destroy();
      send();
    });
  });
}

/** Continues now, or after a delay in milliseconds. */
function held(ms: number | undefined, next: () => void): void {
  if (ms === undefined) next();
  else setTimeout(next, ms);
}

function begin(request: FastifyRequest, { operationOf, brand }: RecordingSource): Recorded {
  const operation = operationOf(request);
  const { method, rawHeaders } = request.raw;
  const arrived: ArrivedRequest = {
    startedAt: new Date(),
    at: 0,
    serviceTimeMs: 0,
    method: method ?? '',
    url: request.url,
    headers: brand.headers(pairs(rawHeaders)),
    body: new Uint8Array(),
    truncated: false,
    ...(operation !== undefined && { operation }),
  };
  return { request: arrived, trouble: undefined, response: undefined, answeredAt: 0 };
}

function ended({ request, response, answeredAt }: Recorded, reply: FastifyReply): ApiExchangeRecord {
  const isSent = reply.raw.writableFinished && response !== undefined;
  const isAbandoned = !isSent && request.trouble !== 'cut-after';
  return {
    ...request,
    response: isSent ? response : 'cut',
    ...(!isSent && response && { unsentStatus: response.status }),
    ...(isAbandoned && { abandoned: true }),
    endedAt: isSent ? answeredAt : performance.now(),
  };
}

/** The error to answer instead. */
function problemInstead({ status, code, retryAfterSeconds }: ApiTrouble & { kind: 'answer-instead' }): Problem {
  const codes = Object.keys(problems) as ProblemCode[];
  const title = code ?? codes.find((one) => problems[one].status === status) ?? 'unavailable';
  const headers: Record<string, string> = {};
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
  return new Problem(title, problems[title].detail, headers);
}

function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);
}

function headerPairs(headers: ReturnType<FastifyReply['getHeaders']>, body: string): [string, string][] {
  const length = headers['content-length'] === undefined ? [['content-length', Buffer.byteLength(body)] as const] : [];
  return [...Object.entries(headers), ...length].flatMap(([name, value]) =>
    [value].flat().flatMap((one): [string, string][] => (one === undefined ? [] : [[name, String(one)]])),
  );
}
