import { apiOperations, type ApiOperation, type OperationId } from './api-operations.ts';
import { commonProblems, problems, type ProblemCode } from './api-problems.ts';
import { commonOpenPoints, idempotencyOpenPoints } from './api-open-points.ts';
import { assumptions, type AssumptionId } from './assumptions.ts';
import { limits } from './limits.ts';
import { openApiWebhooks, webhookSecuritySchemes } from './open-api-webhooks.ts';
import { operationDescriptions, tagDescriptions } from './operation-descriptions.ts';
import { componentsPath, schemaComponents } from './schema-components.ts';
import { schemaExamples } from './schema-examples.ts';
import { schemas, type SchemaName } from './schemas.ts';
import type { JsonFields } from './json-value.ts';

/** An OpenAPI 3.1 document, ready for `JSON.stringify`. */
export interface OpenApiDocument extends JsonFields {
  readonly openapi: string;
  readonly info: JsonFields;
  readonly servers: readonly JsonFields[];
  readonly tags: readonly JsonFields[];
  readonly security: readonly JsonFields[];
  readonly paths: JsonFields;
  readonly webhooks: JsonFields;
  readonly components: JsonFields;
}

export interface OpenApiOptions {
  /** Address of the API, without `/v1`; default: a variable for the reader to fill in. */
  serverUrl?: string;
}

const json = 'application/json';
/** Version of the API, not of this project; it changes with the path prefix. */
const apiVersion = '1.0.0-beta';

const statusTexts: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  401: 'The API key is missing or unknown.',
  403: 'Not allowed.',
  404: 'There is no such resource in this inbox.',
  409: 'Not possible at the moment: drop the request or retry later.',
  413: 'The body is too large.',
  415: 'The media type is not application/json.',
  422: 'The request is valid but cannot be carried out.',
  429: 'Too many requests.',
};

const successTexts: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted.',
};

/** Errors that are the same wherever they occur. */
const sharedResponses = {
  unauthorized: 'Unauthorized',
  payload_too_large: 'PayloadTooLarge',
  unsupported_media_type: 'UnsupportedMediaType',
  rate_limited: 'RateLimited',
} as const satisfies Partial<Record<ProblemCode, string>>;

function ref(...path: string[]): JsonFields {
  return { $ref: `#/components/${path.join('/')}` };
}

function schemaRef(name: SchemaName): JsonFields {
  return { $ref: `${componentsPath}${schemas[name].title}` };
}

function body(name: SchemaName): JsonFields {
  const examples = schemaExamples(name).map(({ name: title, value }) => [title, { value }] as const);
  return {
    [json]: {
      schema: schemaRef(name),
      ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
    },
  };
}

function problemResponse(status: number, codes: readonly ProblemCode[]): JsonFields {
  const examples = codes.map((code) => {
    const { detail } = problems[code];
    const named = problems[code].named ? 'Defined by the interface.' : 'Our choice: the interface defines no code.';
    return [code, { summary: named, value: { type: 'about:blank', title: code, status, detail } }] as const;
  });
  return {
    description: `${statusTexts[status] ?? 'An error.'} The code is the title: ${codes.join(', ')}.`,
    ...(status === problems.rate_limited.status && { headers: { 'Retry-After': ref('headers', 'RetryAfter') } }),
    content: {
      'application/problem+json': { schema: schemaRef('problemDetails'), examples: Object.fromEntries(examples) },
    },
  };
}

/** Every error code of an operation. */
export function operationProblems({ request, problems: own }: ApiOperation): ProblemCode[] {
  const ofBody =
    request === undefined ? [] : (['invalid_request', 'payload_too_large', 'unsupported_media_type'] as const);
  return [...new Set<ProblemCode>([...ofBody, ...own, ...commonProblems])];
}

function responses(operation: ApiOperation): JsonFields {
  const taken = Object.entries(operation.responses).map(
    ([status, name]) =>
      [status, { description: successTexts[Number(status)] ?? 'Done.', content: body(name) }] as const,
  );
  const byStatus = Map.groupBy(operationProblems(operation), (code) => problems[code].status);
  const refused = [...byStatus].map(([status, codes]) => {
    const [only = 'internal_error', ...others] = codes;
    const shared = (sharedResponses as Partial<Record<ProblemCode, string>>)[only];
    return [status, shared && others.length === 0 ? ref('responses', shared) : problemResponse(status, codes)] as const;
  });
  // Objects list integer keys in ascending order.
  return Object.fromEntries([...taken, ...refused]);
}

function parameters(id: OperationId, { path, idempotent }: ApiOperation): JsonFields[] {
  const found: JsonFields[] = [];
  if (path.includes('{id}')) found.push(ref('parameters', `${/\/v1\/(\w+?)s\//.exec(path)?.[1] ?? ''}Id`));
  if (path.includes('{key}')) found.push(ref('parameters', 'skillKey'));
  if (idempotent) found.push(ref('parameters', 'idempotencyKey'));
  if (id === 'cancelAppointment') {
    found.push({
      name: 'message',
      in: 'query',
      description: 'The message to the customer, instead of in the body.',
      schema: { type: 'string' },
    });
  }
  return found;
}

/** The assumptions as they appear in the document, marked as such. */
function notShown(ids: readonly AssumptionId[]): JsonFields[] {
  return ids.map((id) => ({ id, notShown: assumptions[id].notShown, weDo: assumptions[id].weDo }));
}

function operationPart(id: OperationId): JsonFields {
  const operation: ApiOperation = apiOperations[id];
  const { summary, tag, request, requestOptional, idempotent, openPoints: rests } = operation;
  const taken = parameters(id, operation);
  const open = notShown([...rests, ...(idempotent ? idempotencyOpenPoints : [])]);
  return {
    operationId: id,
    summary,
    description: operationDescriptions[id],
    tags: [tag],
    ...(taken.length > 0 && { parameters: taken }),
    ...(request !== undefined && { requestBody: { required: requestOptional !== true, content: body(request) } }),
    responses: responses(operation),
    ...(open.length > 0 && { 'x-not-shown': open }),
  };
}

function paths(): JsonFields {
  const found: Record<string, Record<string, JsonFields>> = {};
  for (const [id, { path, method }] of Object.entries(apiOperations) as [OperationId, ApiOperation][]) {
    (found[path] ??= {})[method.toLowerCase()] = operationPart(id);
  }
  return found;
}

function idParameter(what: string): JsonFields {
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: `Id of the ${what}.`,
    schema: { $ref: `${componentsPath}Id` },
  };
}

/** Schemas of every request, answer and event. Webhooks contain an appointment as the API returns it. */
function documentSchemas(): JsonFields {
  const ofOperations = (Object.values(apiOperations) as ApiOperation[]).flatMap(({ request, responses: taken }) => [
    ...(request === undefined ? [] : [request]),
    ...Object.values(taken),
  ]);
  const names = new Set<SchemaName>([
    ...ofOperations, 'problemDetails', 'apiWebhookEvent', 'crmEvent', 'crmAnswer',
  ]); // prettier-ignore
  const { [schemas.appointment.title]: _bounded, ...components } = schemaComponents([...names]);
  const [bounded, free] = [schemas.appointment, schemas.apiAppointment].map(
    ({ title }) => `"${componentsPath}${title}"`,
  );
  return JSON.parse(JSON.stringify(components).replaceAll(bounded ?? '', free ?? '')) as JsonFields;
}

/**
 * API v1 as an OpenAPI 3.1 document, with the events of the webhooks. Made from the table of operations and
 * the schemas of `specs/schemas`; the same at every call. Each operation has `x-not-shown`: what the interface leaves open
 * about it, and what the simulated service does there. (Interface: API v1, Authentication, Errors, Limits, Versioning.)
 */
export function openApiDocument({ serverUrl }: OpenApiOptions = {}): OpenApiDocument {
  const shared = Object.entries(sharedResponses) as [keyof typeof sharedResponses, string][];
  return {
    openapi: '3.1.1',
    info: {
      title: 'Conversation-Assistant API',
      version: apiVersion,
      description:
        'Contacts, messages, notes, appointments, webhooks and own-AI assistants of one inbox. In beta: details may change; ' +
        '/v1/changelog lists the changes that affect callers. Written by svc-conform from the interface document; x-not-shown ' +
        'lists the points that it leaves open and what the simulated service does there. Formats that begin with svc- are timestamps like ' +
        '2026-10-11T09:30:00: in UTC, unless they are called local.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'svc-conform' },
      'x-not-shown': notShown(commonOpenPoints),
    },
    servers: [
      serverUrl === undefined
        ? {
            url: 'https://{host}',
            description: 'The service.',
            variables: { host: { default: 'service.invalid', description: 'Host of the service.' } },
          }
        : { url: serverUrl, description: 'The simulated service.' },
    ],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    security: [{ apiKey: [] }, { bearerKey: [] }],
    paths: paths(),
    webhooks: openApiWebhooks(),
    components: {
      schemas: documentSchemas(),
      responses: Object.fromEntries(
        shared.map(([code, name]) => [name, problemResponse(problems[code].status, [code])]),
      ),
      parameters: {
        agentId: idParameter('assistant'),
        appointmentId: idParameter('appointment'),
        projectId: idParameter('project'),
        skillKey: {
          name: 'key',
          in: 'path',
          required: true,
          description: 'Key of the skill.',
          schema: { type: 'string', minLength: 1 },
        },
        idempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            `Identifies this request for ${limits.idempotencyKeyHours} hours: repeated with the same key, it is processed once. Use ` +
            'a new key for every other request.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      },
      headers: {
        RetryAfter: {
          description: `Seconds until the next request is accepted; the limit is ${limits.apiRequestsPerMinute} a minute for each key.`,
          schema: { type: 'integer', minimum: 1 },
        },
      },
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'A key of the inbox; it starts with svc_sk_.',
        },
        bearerKey: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
        ...webhookSecuritySchemes,
      },
    },
  };
}
