import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { apiOperations, type ApiOperation } from '../../specs/api-operations.ts';
import { problems, type ProblemCode } from '../../specs/api-problems.ts';
import { validate } from '../../specs/validators.ts';
import { apiKey, openService, type Answered, type OpenService } from './open-service.ts';

const operations = Object.values(apiOperations) as ApiOperation[];
const filled = (path: string) => path.replace('{id}', '999999').replace('{key}', 'urgent');
const phone = '+4930901820';

/** The code of an answer that is a complete problem document. */
function codeOf({ status, headers, json }: Answered): string {
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(validate('problemDetails', json)).toEqual([]);
  expect(Object.keys(json)).toEqual(['type', 'title', 'status', 'detail']);
  expect(json.status).toBe(status);
  expect(problems[json.title as ProblemCode].status).toBe(status);
  expect(json.detail).not.toBe('');
  return json.title;
}

/** The same for a raw answer. */
function rawCodeOf(answer: string): [number, string] {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head.toLowerCase()).toContain('content-type: application/problem+json');
  const parsed = JSON.parse(body);
  expect(validate('problemDetails', parsed)).toEqual([]);
  return [Number(head.split(' ')[1]), parsed.title];
}

const head = (open: OpenService, line: string, ...headers: string[]) =>
  [line, `Host: ${new URL(open.service.baseUrl).host}`, `X-Api-Key: ${apiKey}`, ...headers, '', ''].join('\r\n');

describe('errors', () => {
  it('service/api-lives-under-v1: and nothing of it elsewhere', async () => {
    await using open = await openService();
    for (const { method, path } of operations) {
      expect(path).toMatch(/^\/v1\//);
      for (const wrong of [
        path.slice(3),
        path.replace('/v1', '/v2'),
        `${path}/`,
        path.replace('/v1', '/V1'),
        `/api${path}`,
      ]) {
        expect(codeOf(await open.api(method, filled(wrong))), `${method} ${wrong}`).toBe('not_found');
      }
    }
    expect(codeOf(await open.get('/'))).toBe('not_found');
  });

  it('service/api-speaks-json: 415 for another type, 400 for invalid JSON', async () => {
    await using open = await openService();
    const body = JSON.stringify({ phone });
    const send = (sent: unknown, type: string) =>
      open.post('/v1/contacts', sent, { headers: { 'Content-Type': type } });
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8']) {
      const answer = await send(body, type);
      expect(answer.status, type).toBeLessThan(300);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'json',
      'multipart/form-data',
    ]) {
      expect(codeOf(await send(body, type)), type).toBe('unsupported_media_type');
    }
    const coded = await open.post('/v1/contacts', body, { headers: { 'Content-Encoding': 'gzip' } });
    expect(codeOf(coded)).toBe('unsupported_media_type');
    for (const wrong of [
      '{',
      `${body}x`,
      "{'phone':1}",
      'phone=+49',
      Buffer.from([0x22, 0xff, 0x22]),
      Buffer.from([0]),
    ]) {
      const answer = await send(wrong, 'application/json');
      expect(codeOf(answer), String(wrong)).toBe('invalid_request');
      expect(answer.json.detail).toMatch(/^expected JSON/);
    }
    // A byte order mark and a field with an odd name are still JSON.
    expect((await send(`\ufeff${body}`, 'application/json')).status).toBe(200);
    expect(
      (await send(`{"phone":"${phone}","__proto__":{"firstName":"x"}}`, 'application/json')).json.firstName,
    ).toBeNull();
  });

  it('service/api-errors-name-their-code-in-title: on any operation and before any', async () => {
    await using open = await openService();
    for (const { method, path, request, requestOptional } of operations) {
      expect(codeOf(await open.api(method, filled(path), { key: null }))).toBe('unauthorized');
      if (request === undefined) continue;
      const wrong = await open.api(method, filled(path), { body: '[]' });
      expect(codeOf(wrong), path).toBe(path.endsWith('agent-replies') ? 'invalid_reply' : 'invalid_request');
      if (!requestOptional) expect((await open.api(method, filled(path))).status, path).toBe(400);
      const large = await open.api(method, filled(path), { body: `{"text":"${'x'.repeat(1_048_576)}"}` });
      expect(codeOf(large), path).toBe('payload_too_large');
    }
    expect(codeOf(await open.get('/v1/agents/999999'))).toBe('not_found');
    expect(codeOf(await open.get('/v1/agents/%zz'))).toBe('invalid_request');
    expect(codeOf(await open.get('/v1/projects/1e3/messages'))).toBe('project_not_found');
    expect(codeOf(await open.get(`/v1/agents/${'9'.repeat(300)}`))).toBe('not_found');
  });

  it('answers 405 with the allowed methods, for every path that it has', async () => {
    await using open = await openService();
    const byPath = Map.groupBy(operations, ({ path }) => path);
    for (const [path, those] of byPath) {
      const allowed = those.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (allowed.includes(method)) continue;
        const answer = await open.api(method, filled(path));
        expect(codeOf(answer), `${method} ${path}`).toBe('method_not_allowed');
        expect(answer.headers.get('allow')?.split(', ').sort()).toEqual([...allowed].sort());
      }
    }
    for (const path of ['/v1/openapi.json', '/v1/docs', '/v1/docs/', '/v1/changelog']) {
      expect((await open.post(path, {})).headers.get('allow'), path).toBe('GET, HEAD');
    }
    expect((await open.get('/callbacks/x')).headers.get('allow')).toBe('POST');
    expect(rawCodeOf(await open.raw(head(open, 'PROPFIND /v1/me HTTP/1.1', 'Connection: close')))).toEqual([
      405,
      'method_not_allowed',
    ]);
    const me = await open.api('HEAD', '/v1/me');
    expect([me.status, me.text]).toEqual([200, '']);
  });

  it('reports the place of a fault in a body, with the expected and the received value', async () => {
    await using open = await openService();
    const rows = [
      ['/v1/messages', { phone, text: 5 }, 'at /text: expected a string, received 5'],
      [
        '/v1/messages',
        { phone, text: 'x', channels: ['fax'] },
        'at /channels/0: expected one of whatsapp, sms, rcs, email, received "fax"',
      ],
      [
        '/v1/messages',
        { phone, text: 'x', whatsApp: { template: true } },
        'at /whatsApp/template: expected a string, an integer or an object, received true',
      ],
      [
        '/v1/contacts',
        { phone: '030' },
        'at /phone: expected a phone number in international form like "+4930901820", received "030"',
      ],
      [
        '/v1/webhooks',
        { url: 'ftp://integrator.example', events: ['appointment.created'] },
        'at /url: expected an https address (http for loopback only), received "ftp://integrator.example"',
      ],
      ['/v1/contacts', { phone, email: 'Erika' }, 'at /email: expected an email address, received "Erika"'],
      [
        '/v1/notes',
        { phone, text: 'x', title: 1, target: {} },
        'expected exactly one of projectId, contactId, phone, email, target, received phone and target; at /title: expected a string, received 1; at /target: expected exactly one of projectId, contactId, phone, email, received none of them',
      ],
    ] as const;
    for (const [path, body, detail] of rows) {
      const answer = await open.post(path, body);
      expect(codeOf(answer)).toBe('invalid_request');
      expect(answer.json.detail).toBe(detail);
    }
    const many = await open.post('/v1/messages', {
      phone,
      text: 'x',
      channels: Array.from({ length: 9 }, () => 'fax'),
    });
    expect(many.json.detail.split('; ')).toHaveLength(6);
    expect(many.json.detail).toMatch(/; and 4 more$/);
  });

  it('reads null as missing, at every depth', async () => {
    await using open = await openService();
    const body = {
      phone,
      email: null,
      text: 'x',
      purpose: null,
      channels: null,
      whatsApp: { template: null, more: [null] },
    };
    expect((await open.post('/v1/messages', body)).status).toBe(202);
    expect((await open.post('/v1/messages', { ...body, text: null })).json.detail).toBe(
      'at /text: expected a field text, received (missing)',
    );
    expect((await open.post('/v1/messages', { ...body, channels: [null] })).status).toBe(400);
    // `null` within a string is text.
    const note = await open.post('/v1/notes', { phone, text: 'null', title: null });
    expect(open.inbox.conversations.get(note.json.projectId).notes[0]).toMatchObject({ text: 'null', title: null });
    const deep = `${'{"a":'.repeat(150)}null${'}'.repeat(150)}`;
    expect((await open.post('/v1/messages', `{"phone":"${phone}","text":"x","more":${deep}}`)).status).toBe(202);
  });

  it('neither requires nor reads a body if the operation accepts none', async () => {
    await using open = await openService();
    const [agentId = 0] = open.inbox.workspace.agents.keys();
    const path = `/v1/agents/${agentId}/secret`;
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await open.post(path)).status).toBe(200);
    expect((await open.post(path, '', { headers: form })).status).toBe(200);
    expect((await open.post(path, 'a=b', { headers: form })).status).toBe(200);
    expect((await open.post(path, '{')).status).toBe(200);
    // An empty body counts as missing, with any content type.
    const { contacts, conversations } = open.inbox;
    const project = conversations.open(contacts.forPhone(phone), 'webchat');
    expect((await open.post(`/v1/projects/${project.id}/skills/urgent`, '', { headers: form })).status).toBe(200);
    expect((await open.post(`/v1/projects/${project.id}/skills/urgent`, 'null')).status).toBe(200);
  });

  it('answers data that is not an HTTP request', async () => {
    await using open = await openService();
    expect(rawCodeOf(await open.raw('nonsense\r\n\r\n'))).toEqual([400, 'invalid_request']);
    const long = head(open, 'GET /v1/me HTTP/1.1', `X-Long: ${'x'.repeat(40_000)}`);
    expect(rawCodeOf(await open.raw(long))).toEqual([431, 'headers_too_large']);
    const lengths = head(open, 'POST /v1/contacts HTTP/1.1', 'Content-Length: 5', 'Content-Length: 7');
    expect(rawCodeOf(await open.raw(lengths))).toEqual([400, 'invalid_request']);
    expect((await open.get('/v1/me')).status).toBe(200);
  });

  it('answers 408 to an incomplete request', async () => {
    await using usual = await openService();
    expect(usual.service.app.server.requestTimeout).toBe(30_000);
    const timeouts = { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 };
    await using open = await openService({}, { makeServer: (handle) => createServer(timeouts, handle) });
    const headers = ['Content-Type: application/json', 'Content-Length: 50'];
    const answer = await open.raw(`${head(open, 'POST /v1/contacts HTTP/1.1', ...headers)}{"phone"`);
    expect(rawCodeOf(answer)).toEqual([408, 'request_timeout']);
  });

  it('redacts secrets in the live log, wherever a client writes them', async () => {
    await using open = await openService();
    await open.get(`/v1/agents/${apiKey}`);
    await open.get(`/${apiKey}?key=${apiKey}`);
    await open.get(`/v1/me?api_key=${apiKey}`);
    await open.post('/v1/contacts', { phone: apiKey });
    await open.post('/v1/contacts', apiKey);
    expect(open.events('api-request')).toHaveLength(5);
    expect(JSON.stringify(open.events())).not.toContain(apiKey);
    expect(open.events('api-request').map(({ data }) => data.path)).toEqual([
      '/v1/agents/[redacted: API key]',
      '/[redacted: API key]',
      '/v1/me',
      '/v1/contacts',
      '/v1/contacts',
    ]);
  });
});
