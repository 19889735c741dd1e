import type { ApiExchange, ClientTraffic } from '../../harness/client/api-exchange.ts';
import { describeExceededBounds } from '../../harness/checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { header } from '../../harness/wire/observation.ts';
import { apiOperation, matchOperation, type OperationId } from '../../specs/api-operations.ts';
import { bodyOfArrival, jsonObjectOf, unreadBody } from '../json-object.ts';
import { fieldsOf } from './listed-fields.ts';

/** One request of the client, read once for all rules. */
export interface ClientRequest {
  exchange: ApiExchange;
  /** Path without query, doubled slashes made one. */
  path: string;
  /** `undefined` for an unknown method and path. */
  operation: OperationId | undefined;
  parameters: Readonly<Record<string, string>>;
  /** The body where it is a JSON object, without fields that are null. */
  body: Readonly<Record<string, unknown>> | undefined;
  /** Why it is not known what the body contains. */
  unread: string | undefined;
  /** `undefined` without one, or with an empty one. */
  idempotencyKey: string | undefined;
  /**
   * The whole request as a string with sorted fields: equal strings are the same request. `undefined` if it cannot be
   * read.
   */
  whole: string | undefined;
  /** The conversation of the client in this round; `whole` omits its id. */
  given: number | undefined;
  /** The same for listed fields only: requests that differ here are different requests. */
  listed: string | undefined;
}

/** The parsed requests of a client. */
export interface ReadTraffic extends ClientTraffic {
  requests: readonly ClientRequest[];
}

const readings = new WeakMap<ClientTraffic, ReadTraffic>();

/** Reads traffic once, however many rules judge it. */
export function readTraffic(traffic: ClientTraffic): ReadTraffic {
  let reading = readings.get(traffic);
  if (!reading) {
    reading = {
      ...traffic,
      requests: traffic.exchanges.map((exchange) => readRequest(exchange, traffic.projectIds?.[exchange.round])),
    };
    readings.set(traffic, reading);
  }
  return reading;
}

function readRequest(exchange: ApiExchange, given: number | undefined): ClientRequest {
  const { request, truncated } = exchange;
  const path = pathOf(exchange).replace(/\/{2,}/g, '/');
  const matched = matchOperation(request.method, path);
  const operation = matched && 'id' in matched ? matched.id : undefined;
  const parameters = matched && 'id' in matched ? matched.parameters : {};
  const value = truncated ? undefined : jsonObjectOf(request.body);
  const body = value && withoutNulls(value);
  const isReadable =
    body !== undefined || (request.body.length === 0 && operation !== undefined && takesNone(operation));
  const key = header(request, 'idempotency-key')?.trim();
  // A body beyond our bounds is still the same request when its bytes are the same.
  const isUnparsed = !truncated && describeExceededBounds(request.body) !== undefined;
  const asSent = isUnparsed ? `${request.method} ${path} ${Buffer.from(request.body).toString('latin1')}` : undefined;
  return {
    exchange,
    path,
    operation,
    parameters,
    body,
    unread: operation === undefined ? undefined : unreadBody(bodyOfArrival(exchange))?.unread,
    idempotencyKey: key === '' ? undefined : key,
    whole: isReadable ? stable(inAnyRound([request.method, path, body ?? {}], given), request) : asSent,
    given,
    listed:
      isReadable && operation ? stable([operation, parameters, onlyListed(operation, body ?? {})], request) : asSent,
  };
}

/**
 * The path as it was sent, without the query; an absolute form (RFC 9112, 3.2.2) without its host, and letters that
 * need no percent encoding without it (RFC 3986, 6.2.2.2).
 */
export function pathOf({ path }: ApiExchange): string {
  const own = path.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? '';
  return own.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : encoded;
  });
}

function takesNone(operation: OperationId): boolean {
  const { request, requestOptional } = apiOperation(operation);
  return request === undefined || requestOptional === true;
}

function onlyListed(operation: OperationId, body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const listed = fieldsOf(operation);
  return Object.fromEntries(Object.entries(body).filter(([name]) => listed.has(name)));
}

/** Requests with equal content are the same; null and missing fields are equal at every depth. */
function withoutNulls(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

/** Like {@link ClientRequest.whole}, without these fields of the body. */
export function requestWithout(
  { exchange, path, body, whole, given }: ClientRequest,
  ...left: string[]
): string | undefined {
  if (whole === undefined) return undefined;
  const rest = Object.entries(body ?? {}).filter(([name]) => !left.includes(name));
  return stable(inAnyRound([exchange.request.method, path, Object.fromEntries(rest)], given), exchange.request);
}

/** A request without the id of the conversation that differs from round to round. */
function inAnyRound(
  [method, path, body]: [method: string, path: string, body: Readonly<Record<string, unknown>>],
  given: number | undefined,
): unknown[] {
  const free = (of: Readonly<Record<string, unknown>>) =>
    given !== undefined && of.projectId === given ? { ...of, projectId: 'given' } : of;
  const target = isJsonObject(body.target) ? { target: free(body.target) } : {};
  return [method, path.replace(`/projects/${given}/`, '/projects/given/'), { ...free(body), ...target }];
}

/** JSON text that does not depend on the order of fields; where it cannot be written, the request as it was sent. */
function stable(value: unknown, { method, url, body }: ApiExchange['request']): string {
  try {
    return JSON.stringify(value, (_, field: unknown) =>
      isJsonObject(field)
        ? Object.fromEntries(
            Object.entries(field)
              .filter(([, inner]) => inner !== null)
              .sort(([a], [b]) => (a < b ? -1 : 1)),
          )
        : field,
    );
  } catch {
    // Nested deeper than the engine can write.
    return `${method} ${url} ${Buffer.from(body).toString()}`;
  }
}
