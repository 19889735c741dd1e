import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiOperation, apiOperations, type OperationId } from '../../specs/api-operations.ts';
import { problems, type ProblemCode } from '../../specs/api-problems.ts';
import { formats } from '../../specs/formats.ts';
import { operationProblems } from '../../specs/open-api-document.ts';
import { validate } from '../../specs/validators.ts';
import { breakagesOf } from './broken-bodies.ts';
import { bodiesOf, defs, document, headersOf, nameOf, rows, unusual, withBody, type Row } from './document-requests.ts';
import { apiKey, openService, type Answered, type OpenService } from './open-service.ts';

/** Requests of each kind to each operation, each over a socket. */
const runs = 10;

const ajv = new Ajv2020({ strict: false, allowUnionTypes: true, formats });
ajv.addSchema({ $id: 'openapi', $defs: defs });

let open: OpenService;

beforeAll(async () => {
  open = await openService({
    agents: [
      {
        chatUrl: 'https://ai.example/chat',
        skills: [
          { id: 1, key: 'sales', name: 'Sales', kind: 'forward', announcement: null },
          { id: 2, key: 'urgent', name: 'Urgent', kind: 'alert', announcement: null },
        ],
      },
    ],
    senders: (['whatsapp', 'sms', 'rcs', 'email'] as const).map((channel) => ({ id: channel, channel, name: 'Tests' })),
    contacts: [
      { phone: '+4915228817386', email: 'erika@example.com', marketingConsent: true },
      { phone: '+4915228895456', marketingConsent: true },
    ],
  });
});
afterAll(() => open[Symbol.asyncDispose]());

/** Existing objects that a request can name. */
function known() {
  const { inbox } = open;
  const contact = inbox.contacts.forPhone('+4915228817386');
  // A new conversation, so that earlier requests have no influence.
  const project = inbox.conversations.open(contact, 'webchat');
  const [agent] = inbox.agents.list();
  return { contactId: contact.id, projectId: project.id, agentId: agent?.agentId ?? 0 };
}

/** The path of an operation with these ids. */
function addressOf(
  { path }: Row,
  ids: Partial<Record<'project' | 'agent' | 'appointment', string | number>> = {},
  key = 'urgent',
): string {
  const { projectId, agentId } = known();
  const appointment = () =>
    open.inbox.appointments.create({ phone: '+4915228817386', start: '2027-01-01T09:00:00Z', title: 'Talk' }).id;
  return path
    .replace('agents/{id}', `agents/${String(ids.agent ?? agentId)}`)
    .replace('projects/{id}', `projects/${String(ids.project ?? projectId)}`)
    .replace('appointments/{id}', () => `appointments/${String(ids.appointment ?? appointment())}`)
    .replace('{key}', encodeURIComponent(key));
}

async function send(
  row: Row,
  path: string,
  options: { body?: unknown; headers?: Record<string, string>; key?: string | null },
): Promise<Answered> {
  return await open.api(row.method, path, options);
}

/** Whether the document defines this answer for the operation, and its body is valid. */
function expectDocumented({ operation }: Row, { status, headers, json, text }: Answered): void {
  const documented = operation.responses[status];
  const shared = document.components.responses as unknown as Record<string, NonNullable<typeof documented>>;
  const response =
    documented?.$ref === undefined ? documented : shared[documented.$ref.replace('#/components/responses/', '')];
  expect(Object.keys(operation.responses), `${status} ${text}`).toContain(String(status));
  const [type = ''] = headers.get('content-type')?.split(';') ?? [];
  const name = nameOf(response?.content?.[type]);
  expect(name, `a body of type ${type} with status ${status}`).not.toBe('');
  const holds = ajv.getSchema(`openapi#/$defs/${name}`);
  expect(holds?.(json), `${text}\n${ajv.errorsText(holds?.errors)}`).toBe(true);
}

/** Whether an answer refuses with one of these codes. */
function expectRefused(row: Row, answered: Answered, ...codes: ProblemCode[]): void {
  expectDocumented(row, answered);
  const { title, status } = answered.json as { title: ProblemCode; status: number };
  expect(codes, answered.text).toContain(title);
  expect(operationProblems(apiOperation(row.id)), answered.text).toContain(title);
  expect([answered.status, status]).toEqual([problems[title].status, problems[title].status]);
}

/** The answer to an invalid body. */
const invalid = (id: OperationId): ProblemCode => (id === 'sendAgentReply' ? 'invalid_reply' : 'invalid_request');

it('every operation of the document is tried', () => {
  expect(rows.map(([id]) => id).sort()).toEqual(Object.keys(apiOperations).sort());
  expect(withBody).toHaveLength(11);
});

describe('a request that matches the document', () => {
  it.each(rows)('to %s is accepted, and so is the answer', async (_, row) => {
    const bodies = row.body === undefined ? fc.constant(undefined) : unusual(row, bodiesOf(row, known()));
    const optional = row.operation.requestBody?.required === false ? fc.option(bodies, { nil: undefined }) : bodies;
    const keys = fc.constantFrom('urgent', 'sales', 'not a key/it', '2');
    await fc.assert(
      fc.asyncProperty(optional, headersOf(row), keys, async (body, { 'Content-Type': type = '', ...headers }, key) => {
        const answered = await send(row, addressOf(row, {}, key), {
          key: null,
          headers: body === undefined ? headers : { ...headers, 'Content-Type': type },
          ...(body !== undefined && { body }),
        });
        expectDocumented(row, answered);
        expect(answered.status, answered.text).toBeLessThan(300);
      }),
      { numRuns: runs },
    );
  });
});

describe('a body that breaks one rule', () => {
  it.each(withBody)('is refused by %s, for any rule', async (id, row) => {
    const schema = { $ref: `#/$defs/${row.body}` };
    const breakages = breakagesOf(schema, defs);
    const name = apiOperation(id).request;
    if (name === undefined) expect.fail(`expected a schema for ${id}`);
    const tried = new Set<string>();
    const bodies = bodiesOf(row, known());
    for (const { rule, pointer, of } of breakages) {
      const broken = bodies.map(of).filter((body) => body !== undefined);
      const isPossible = fc.sample(bodies, { numRuns: 100, seed: 1 }).some((body) => of(body) !== undefined);
      if (!isPossible) continue;
      await fc
        .assert(
          fc.asyncProperty(broken, async (body) => {
            const places = validate(name, body).map((violation) => violation.pointer);
            expect(places, JSON.stringify(body)).not.toEqual([]);
            for (const place of places) expect(place).toBe(pointer);
            expectRefused(row, await send(row, addressOf(row), { body }), invalid(id));
          }),
          { numRuns: 3 },
        )
        .catch((error: unknown) => {
          throw new Error(`${rule} at ${pointer}`, { cause: error });
        });
      tried.add(`${rule} at ${pointer}`);
    }
    expect(tried.size, [...tried].join(', ')).toBeGreaterThan(3);
  });

  it.each(withBody)('is refused by %s when it is not a JSON object', async (id, row) => {
    const json = { 'Content-Type': 'application/json' };
    const noJson = fc.oneof(
      fc.constantFrom('{', '{"text":"Hi"', "{'text':'Hi'}", 'text=Hi', '{"text":"Hi"}}', '\u0000', '{"text":NaN}'),
      fc.string({ minLength: 1 }).filter((text) => !isJson(text)),
    );
    const noObject = fc
      .jsonValue({ maxDepth: 1 })
      .filter((value) => Array.isArray(value) || (typeof value !== 'object' && value !== undefined));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          noJson,
          noObject.map((value) => JSON.stringify(value)),
        ),
        async (body) => {
          expectRefused(row, await send(row, addressOf(row), { body, headers: json }), 'invalid_request', invalid(id));
        },
      ),
      { numRuns: runs },
    );
  });

  it.each(withBody)('is refused by %s when its media type is not JSON, or too large', async (id, row) => {
    const type = fc.constantFrom(
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'application/xml',
      'text/json',
    );
    await fc.assert(
      fc.asyncProperty(bodiesOf(row, known()), type, async (body, contentType) => {
        const headers = { 'Content-Type': contentType };
        expectRefused(row, await send(row, addressOf(row), { body, headers }), 'unsupported_media_type');
      }),
      { numRuns: 10 },
    );
    const body = { text: 'x'.repeat(1_048_576) };
    expectRefused(row, await send(row, addressOf(row), { body }), 'payload_too_large');
    if (row.operation.requestBody?.required) expectRefused(row, await send(row, addressOf(row), {}), invalid(id));
  });
});

describe('a request', () => {
  it.each(rows)('without a known key is refused by %s', async (_, row) => {
    const bodies = row.body === undefined ? fc.constant(undefined) : bodiesOf(row, known());
    const wrong = fc.constantFrom<Record<string, string>>(
      {},
      { 'X-Api-Key': '' },
      { 'X-Api-Key': `${apiKey}x` },
      { Authorization: apiKey },
      { Authorization: `Basic ${apiKey}` },
      { Authorization: 'Bearer svc_sk_nobody' },
      { 'Api-Key': apiKey },
    );
    await fc.assert(
      fc.asyncProperty(bodies, wrong, async (body, headers) => {
        const answered = await send(row, addressOf(row), { key: null, headers, ...(body !== undefined && { body }) });
        expectRefused(row, answered, 'unauthorized');
      }),
      { numRuns: 10 },
    );
  });

  it.each(rows.filter(([, { path }]) => path.includes('{id}')))(
    'for an object that does not exist is refused by %s',
    async (_, row) => {
      const bodies = row.body === undefined ? fc.constant(undefined) : bodiesOf(row, known());
      const ids: fc.Arbitrary<string | number> = fc.oneof(
        fc.constantFrom<string | number>(
          0,
          -1,
          1.5,
          '01',
          'none',
          '9007199254740993',
          '1e3',
          '%00',
          '99999999999999999999',
          '%F0%9F%98%80',
        ),
        fc.integer({ min: 10_000_000 }),
      );
      await fc.assert(
        fc.asyncProperty(bodies, ids, async (body, id) => {
          const path = addressOf(row, { agent: id, project: id, appointment: id });
          const answered = await send(row, path, body === undefined ? {} : { body });
          expectRefused(row, answered, row.path.includes('projects') ? 'project_not_found' : 'not_found');
        }),
        { numRuns: runs },
      );
    },
  );

  it.each(rows.filter(([id]) => apiOperation(id).idempotent))(
    'with an invalid Idempotency-Key is refused by %s',
    async (_, row) => {
      await fc.assert(
        fc.asyncProperty(bodiesOf(row, known()), async (body) => {
          const headers = { 'Idempotency-Key': 'k'.repeat(256) };
          expectRefused(row, await send(row, addressOf(row), { body, headers }), 'invalid_request');
        }),
        { numRuns: 5 },
      );
    },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
