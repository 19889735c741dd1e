import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import type { RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { apiOperations } from '../../specs/api-operations.ts';
import type { ApiOperation } from '../../specs/api-operations.ts';
import { problems } from '../../specs/api-problems.ts';
import { assumptions } from '../../specs/assumptions.ts';
import { formats } from '../../specs/formats.ts';
import { limits } from '../../specs/limits.ts';
import { openApiDocument, operationProblems } from '../../specs/open-api-document.ts';
import { schemas } from '../../specs/schemas.ts';

interface Content {
  schema: { $ref: string };
  examples?: Record<string, { value: unknown }>;
}
interface Response {
  $ref?: string;
  description: string;
  headers?: object;
  content?: Record<string, Content>;
}
interface Operation {
  operationId: string;
  description: string;
  tags: string[];
  security?: object[];
  parameters?: { $ref?: string; name?: string; in?: string }[];
  requestBody?: { required: boolean; content: Record<string, Content> };
  responses: Record<string, Response>;
  'x-not-shown'?: { id: string; notShown: string; weDo: string }[];
}
interface Shape {
  openapi: string;
  info: { title?: string; 'x-not-shown': { id: string }[] };
  servers: { url: string }[];
  tags: { name: string }[];
  security: object[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, object>;
    responses: Record<string, Response>;
    parameters: Record<string, { name: string; in: string; schema: object }>;
    headers: Record<string, object>;
    securitySchemes: Record<string, { type: string; name?: string; scheme?: string }>;
  };
}
const shape = (): Shape => structuredClone(openApiDocument()) as unknown as Shape;
const operations = Object.entries(apiOperations) as [string, ApiOperation][];

/** The complaints of Redocly's recommended rules, one per line. */
async function redocly(document: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
  return found.map(({ ruleId, message, location }) => `redocly ${ruleId} ${location[0]?.pointer ?? ''} ${message}`);
}

/** The complaints of Spectral's recommended rules for OpenAPI, one per line. */
async function spectral(document: unknown): Promise<string[]> {
  const linter = new spectralCore.Spectral();
  linter.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'recommended']] });
  const found = await linter.run(document as Record<string, unknown>);
  return found.map(({ code, message, path }) => `spectral ${code} ${path.join('/')} ${message}`);
}

describe('the OpenAPI document', () => {
  it('passes the recommended rules of Redocly and of Spectral, without an error or a warning', async () => {
    for (const document of [openApiDocument(), openApiDocument({ serverUrl: 'http://127.0.0.1:8080' })]) {
      expect(await spectral(document)).toEqual([]);
      // Redocly warns about a server on this machine, which is where the simulated service runs.
      const local = (line: string) => line.startsWith('redocly no-server-example.com /');
      expect((await redocly(document)).filter((line) => !local(line))).toEqual([]);
    }
    expect(await redocly(openApiDocument())).toEqual([]);
  });

  it.each<[string, (document: Shape) => void, RegExp]>([
    ['an invalid version', (document) => (document.openapi = '3'), /^$|version/i],
    ['no title', (document) => delete document.info.title, /redocly (struct|spec).*title/],
    [
      'an operation without answers',
      (document) => Object.assign(document.paths['/v1/me']!.get!, { responses: {} }),
      /redocly operation-4xx-response|spectral operation-success-response/,
    ],
    [
      'a dangling reference',
      (document) => (document.paths['/v1/notes']!.post!.parameters![0]!.$ref = '#/components/parameters/none'),
      /no-unresolved-refs|invalid-ref/,
    ],
    [
      'an invalid example',
      (document) =>
        (document.paths['/v1/notes']!.post!.requestBody!.content['application/json']!.examples = {
          wrong: { value: { text: 7 } },
        }),
      /example/,
    ],
    [
      'an undeclared path parameter',
      (document) => (document.paths['/v1/agents/{id}']!.get!.parameters = []),
      /path-param/,
    ],
    ['tags that are not a list', (document) => (document.tags = []), /tag/],
  ])('is complained of with %s', async (_fault, spoil, complaint) => {
    const document = shape();
    spoil(document);
    const lines = [
      ...(await redocly(document).catch((error: unknown) => [`redocly ${String(error)}`])),
      ...(await spectral(document)),
    ];
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('\n')).toMatch(complaint);
  });

  it('is the same every time, shows the given server, and a caller cannot change the next one', () => {
    const text = JSON.stringify(openApiDocument());
    expect(text).not.toMatch(/svc-conform\.example|\$defs|\.schema\.json/);
    delete (openApiDocument().components as Record<string, unknown>).schemas;
    expect(JSON.stringify(openApiDocument())).toBe(text);
    expect(openApiDocument({ serverUrl: 'http://127.0.0.1:9' }).servers).toMatchObject([{ url: 'http://127.0.0.1:9' }]);
  });
});

describe('each operation of the document', () => {
  const { paths, components, tags } = shape();
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const response = (one: Response | undefined) =>
    one?.$ref === undefined ? one : components.responses[one.$ref.replace('#/components/responses/', '')];

  it('is one of the table, and none is omitted', () => {
    const listed = all.map(({ path, method, operation }) => `${operation.operationId} ${method} ${path}`);
    const wanted = operations.map(([id, { method, path }]) => `${id} ${method.toLowerCase()} ${path}`);
    expect(listed.sort()).toEqual(wanted.sort());
    expect(listed).toHaveLength(19);
    for (const { operation } of all) expect(tags.map(({ name }) => name)).toContain(operation.tags[0]);
  });

  it.each(operations)('%s has its body, answers and errors, each error with its code', (id, table) => {
    const operation = paths[table.path]?.[table.method.toLowerCase()];
    if (!operation) expect.fail(`expected ${table.method} ${table.path}, received nothing`);
    const title = (content: Record<string, Content> | undefined, type = 'application/json') =>
      content?.[type]?.schema.$ref.replace('#/components/schemas/', '');
    expect(title(operation.requestBody?.content)).toBe(table.request && schemas[table.request].title);
    if (table.request) expect(operation.requestBody?.required).toBe(table.requestOptional !== true);
    const codes = operationProblems(table);
    const statuses = [...Object.keys(table.responses), ...codes.map((code) => String(problems[code].status))];
    expect(Object.keys(operation.responses)).toEqual([...new Set(statuses)].sort());
    for (const [status, name] of Object.entries(table.responses)) {
      expect(title(operation.responses[status]?.content)).toBe(schemas[name].title);
    }
    for (const code of codes) {
      const refused = response(operation.responses[problems[code].status]);
      expect(title(refused?.content, 'application/problem+json'), code).toBe('ProblemDetails');
      expect(refused?.content?.['application/problem+json']?.examples?.[code]?.value, code).toMatchObject({
        title: code,
        status: problems[code].status,
      });
    }
    expect(response(operation.responses['429'])?.headers).toHaveProperty('Retry-After');
    const named = (operation.parameters ?? []).map(({ $ref, name }) => name ?? $ref?.split('/').at(-1));
    expect(named.includes('idempotencyKey')).toBe(table.idempotent === true);
    expect(named.filter((name) => name?.endsWith('Id') || name === 'skillKey')).toHaveLength(
      table.path.split('{').length - 1,
    );
    expect(operation.description.length, id).toBeGreaterThan(30);
  });

  it.each(operations)('%s marks what the interface does not show', (_id, { path, method, openPoints }) => {
    const marks = paths[path]?.[method.toLowerCase()]?.['x-not-shown'] ?? [];
    expect(marks.map(({ id }) => id)).toEqual(expect.arrayContaining([...openPoints]));
    for (const { id, notShown, weDo } of marks) {
      const { notShown: open, weDo: chosen } = assumptions[id as keyof typeof assumptions];
      expect([notShown, weDo]).toEqual([open, chosen]);
    }
  });

  it('takes the key in either header', () => {
    const { security, components: parts } = shape();
    expect(security).toEqual([{ apiKey: [] }, { bearerKey: [] }]);
    expect(parts.securitySchemes.apiKey).toMatchObject({ type: 'apiKey', in: 'header', name: 'X-Api-Key' });
    expect(parts.securitySchemes.bearerKey).toMatchObject({ type: 'http', scheme: 'bearer' });
    for (const { operation } of all) expect(operation.security, operation.operationId).toBeUndefined();
    expect(parts.parameters.idempotencyKey).toMatchObject({ name: 'Idempotency-Key', in: 'header' });
  });

  it('has examples that match the schemas of the document', () => {
    const ajv = new Ajv2020({ strict: false, allowUnionTypes: true, formats });
    ajv.addSchema({ $id: 'openapi', components: { schemas: components.schemas } });
    let seen = 0;
    const look = (content: Record<string, Content> | undefined, where: string) => {
      for (const { schema, examples = {} } of Object.values(content ?? {})) {
        const holds = ajv.getSchema(`openapi${schema.$ref}`);
        if (!holds) expect.fail(`no schema ${schema.$ref}`);
        for (const [name, { value }] of Object.entries(examples)) {
          expect(holds(value), `${where} ${name}: ${ajv.errorsText(holds.errors)}`).toBe(true);
          seen += 1;
        }
      }
    };
    const webhooks = Object.values(shape().webhooks).flatMap((methods) => Object.values(methods));
    for (const operation of [...all.map((one) => one.operation), ...webhooks]) {
      look(operation.requestBody?.content, operation.operationId);
      for (const one of Object.values(operation.responses)) look(response(one)?.content, operation.operationId);
    }
    for (const { operation } of all) {
      const [taken] = Object.values(operation.responses);
      expect(Object.keys(taken?.content?.['application/json']?.examples ?? {}), operation.operationId).not.toEqual([]);
    }
    expect(seen).toBeGreaterThan(100);
  });
});

describe('the webhooks of the document', () => {
  const { webhooks, components, info } = shape();

  it('are the six appointment events, signed, and the CRM event', () => {
    const types = schemas.webhookRequest.$defs?.AppointmentEventType?.enum as string[];
    expect(Object.keys(webhooks)).toEqual([...types, 'crmEvent']);
    for (const type of types) {
      const { post } = webhooks[type] ?? {};
      expect(post?.security).toEqual([{ signature: [] }]);
      const examples = Object.values(post?.requestBody?.content['application/json']?.examples ?? {});
      expect(examples.length).toBeGreaterThan(2);
      for (const { value } of examples) expect(value).toMatchObject({ type });
    }
    expect(webhooks.crmEvent?.post?.security).toEqual([{ webhookToken: [] }]);
    expect(Object.keys(webhooks.crmEvent?.post?.responses ?? {})).toEqual(['200', '202', '204', '401']);
  });

  it('is an appointment of any kind, in answers and in events', () => {
    expect(components.schemas).not.toHaveProperty('Appointment');
    expect(components.schemas.ApiWebhookEvent).toMatchObject({
      properties: { data: { $ref: '#/components/schemas/ApiAppointment' } },
    });
    const referred = new Set(JSON.stringify(shape()).match(/(?<="#\/components\/schemas\/)\w+(?=")/g));
    expect(Object.keys(components.schemas).filter((name) => !referred.has(name))).toEqual([]);
  });

  it('are the numbers of the interface', () => {
    const text = JSON.stringify(shape());
    expect(text).toContain(`${limits.apiRequestsPerMinute} a minute`);
    expect(text).toContain(`${limits.idempotencyKeyHours} hours`);
    expect(info['x-not-shown'].map(({ id }) => id)).toContain('rate-limit-status');
  });
});
