import { apiOperation, matchOperation, type OperationId } from '../specs/api-operations.ts';
import { shortJson } from '../specs/explain-violations.ts';
import { validate } from '../specs/validators.ts';
import type { ConsumerInteraction } from './consumer-contract.ts';
import { fieldName, type ContractFinding } from './contract-finding.ts';
import { openStatus } from './not-shown-rules.ts';
import { openPath, openRequest } from './open-requests.ts';
import { omitAdvice, kindAndAdvice } from './kind-and-advice.ts';
import { isJsonContainer } from '../specs/json-object.ts';
import { parsePointer, formatPointer } from '../specs/json-pointer.ts';

/** The used fields of a result of PactFlow's comparator. */
export interface ComparatorResult {
  readonly code: string;
  readonly message: string;
  readonly mockDetails?: { readonly location: string; readonly value?: unknown };
  readonly specDetails?: { readonly location: string; readonly value?: unknown };
}

const sendOther = 'Change the request to one that the operation accepts.';

/**
 * The findings about a body that the operation does not accept, in the words of our own schema.
 *
 * @param compared the comparator's complaint; omitted when the answer refused the body
 */
export function requestFindings(
  { index, request }: ConsumerInteraction,
  id: OperationId | undefined,
  compared?: ComparatorResult,
): ContractFinding[] {
  const name = id === undefined ? undefined : apiOperation(id).request;
  const place = { place: 'request-body', pointer: `/interactions/${index}${request.bodyPointer}` } as const;
  const violations = name === undefined ? [] : validate(name, request.body);
  if (id === undefined || violations.length === 0) {
    if (!compared) return [];
    const expected = `${shortJson(compared.mockDetails?.value)}`;
    return [{ kind: 'not-provided', ...place, expected, received: compared.message, advice: sendOther }];
  }
  return violations.map((violation) => {
    const { pointer, expected, received, rule } = violation;
    const steps = parsePointer(pointer);
    const name = fieldName(steps);
    const assumption = openRequest(id, violation);
    return {
      ...kindAndAdvice(assumption, 'not-provided', sendOther),
      place: place.place,
      pointer: place.pointer + pointer,
      expected:
        rule.keyword === 'required'
          ? `a request without ${name} to be accepted`
          : `${name}: ${received} to be accepted`,
      received: `the operation requires ${expected}`,
    };
  });
}

/** The finding for one result of the comparator; `undefined` for results that do not concern the interface. */
export function documentFinding(
  { index, request, response }: ConsumerInteraction,
  id: OperationId | undefined,
  status: number,
  compared: ComparatorResult,
): ContractFinding | undefined {
  const { code, message, mockDetails, specDetails } = compared;
  const at = `/interactions/${index}`;
  const header = headerName(response.headers, mockDetails?.location);
  switch (code) {
    case 'request.path-or-method.unknown': {
      const matched = matchOperation(request.method, request.path);
      const others = matched && 'otherMethods' in matched ? matched.otherMethods : undefined;
      const received =
        id !== undefined
          ? 'an id in the path is a positive integer'
          : others
            ? `the path accepts ${others.join(', ')}`
            : openPath(request.method, request.path)
              ? 'it is not an operation of the document'
              : 'the interface has no such path';
      const ofStatus =
        response.status < 400 ? undefined : id === undefined ? 'api-transport-errors' : 'api-ids-in-paths';
      const assumption = openPath(request.method, request.path) ?? ofStatus;
      const hint = request.path.startsWith('/v1/')
        ? 'Call one of the operations of API v1.'
        : 'The API is under /v1: the path must begin with it.';
      return {
        ...kindAndAdvice(assumption, 'not-in-document', hint),
        place: 'path',
        pointer: `${at}/request/path`,
        expected: `${request.method} ${request.path}`,
        received,
      };
    }
    case 'request.query.unknown': {
      const name = mockDetails?.location.split('.query.').at(-1) ?? '';
      return {
        ...kindAndAdvice(
          id === 'cancelAppointment' && name === 'message' ? 'appointment-cancellation-message' : 'api-unknown-members',
          'not-in-document',
          omitAdvice,
        ),
        place: 'query',
        pointer: `${at}/request/query${formatPointer([name])}`,
        expected: `the query parameter ${name}`,
        received: 'the interface has no query parameter of this name',
      };
    }
    case 'request.query.incompatible':
    case 'request.header.incompatible': {
      const isQuery = code.startsWith('request.query');
      const name = isQuery
        ? (mockDetails?.location.split('.query.').at(-1) ?? '')
        : headerName(request.headers, mockDetails?.location);
      return {
        ...kindAndAdvice(
          /^idempotency-key/i.test(name) ? 'idempotency-key-form' : undefined,
          'not-provided',
          sendOther,
        ),
        place: isQuery ? 'query' : 'request-header',
        pointer: `${at}/request/${isQuery ? 'query' : 'headers'}${formatPointer([name])}`,
        expected: `${name}: ${shortJson(mockDetails?.value)} to be accepted`,
        received: message,
      };
    }
    case 'request.content-type.incompatible':
      return {
        ...kindAndAdvice('api-transport-errors', 'not-provided', sendOther),
        place: 'request-header',
        pointer: `${at}/request/headers`,
        expected: `the content type ${shortJson(mockDetails?.value)} to be accepted`,
        received: 'bodies are JSON: application/json',
      };
    case 'request.accept.incompatible':
      return {
        kind: 'not-provided',
        place: 'request-header',
        pointer: `${at}/request/headers`,
        expected: `an answer of the type ${shortJson(mockDetails?.value)}`,
        received: 'answers are application/json, errors application/problem+json',
        advice: 'Accept application/json, or omit the header.',
      };
    case 'request.authorization.missing':
      return {
        kind: 'note',
        place: 'request-header',
        pointer: `${at}/request/headers`,
        expected: 'a request without an API key to be answered',
        received: 'every operation requires X-Api-Key or Authorization: Bearer',
        advice: 'No fix is needed if your client adds it: the replay added one.',
      };
    case 'response.status.unknown':
      return {
        ...kindAndAdvice(
          id === undefined ? undefined : openStatus(id, status),
          'not-provided',
          'Expect a status that the operation has.',
        ),
        place: 'status',
        pointer: `${at}/response/status`,
        expected: `status ${status}`,
        received: `the document has ${statusesOf(specDetails?.value)}`,
      };
    case 'response.content-type.incompatible':
      return {
        kind: 'not-provided',
        place: 'response-header',
        pointer: `${at}/response/headers`,
        expected: `the content type ${shortJson(mockDetails?.value)}`,
        received:
          status < 400 ? 'answers are application/json' : 'errors are problem details: application/problem+json',
        advice: 'Expect that content type, or none.',
      };
    case 'response.header.incompatible':
    case 'response.header.unknown':
      return {
        ...kindAndAdvice(
          /^retry-after$/i.test(header) ? 'rate-limit-status' : undefined,
          'not-in-document',
          omitAdvice,
        ),
        place: 'response-header',
        pointer: `${at}/response/headers${formatPointer([header])}`,
        expected: `the header ${header}`,
        received: code.endsWith('unknown') ? 'the interface has no such header' : message,
      };
    case 'response.body.unknown':
      return {
        kind: 'not-provided',
        place: 'response-body',
        pointer: at + response.bodyPointer,
        expected: 'a body',
        received: 'the document has none for this answer',
        advice: omitAdvice,
      };
    default:
      return undefined;
  }
}

/** The name of a header as the contract writes it; the comparator reports it in lower case. */
function headerName(headers: Readonly<Record<string, string>>, location = ''): string {
  const reported = location.split('.headers.').at(-1) ?? '';
  return Object.keys(headers).find((name) => name.toLowerCase() === reported.toLowerCase()) ?? reported;
}

function statusesOf(responses: unknown): string {
  return isJsonContainer(responses) ? Object.keys(responses).join(', ') : 'none';
}
