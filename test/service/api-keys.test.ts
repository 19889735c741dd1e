import { describe, expect, it } from 'vitest';
import { apiOperations, type ApiOperation } from '../../specs/api-operations.ts';
import { limits } from '../../specs/limits.ts';
import { validate } from '../../specs/validators.ts';
import { apiKey, openService } from './open-service.ts';

const other = 'svc_sk_of_another_inbox';
const second = 'svc_sk_of_the_same_inbox';
const operations = Object.values(apiOperations) as ApiOperation[];

/** A path with ids that do not exist. */
const filled = (path: string) => path.replace('{id}', '999999').replace('{key}', 'urgent');

describe('API keys', () => {
  it('service/api-takes-the-key-in-either-header: on every operation', async () => {
    await using open = await openService();
    for (const { method, path } of operations) {
      for (const headers of [
        { 'X-Api-Key': apiKey },
        { Authorization: `Bearer ${apiKey}` },
        { authorization: `bearer  ${apiKey}` },
        // A proxy may require a separate header.
        { 'X-Api-Key': apiKey, Authorization: 'Basic dTpw' },
      ]) {
        const { status } = await open.api(method, filled(path), { key: null, headers });
        expect(status, `${method} ${path}`).not.toBe(401);
      }
    }
  });

  it('service/api-needs-a-known-key: without one nothing is done', async () => {
    await using open = await openService();
    const before = open.inbox.workspace.contacts.size;
    const headers: Record<string, string>[] = [
      {},
      { 'X-Api-Key': 'svc_sk_nobody' },
      { 'X-Api-Key': apiKey.toUpperCase() },
      { 'X-Api-Key': `${apiKey}x` },
      { Authorization: apiKey },
      { Authorization: `Basic ${apiKey}` },
      { Authorization: 'Bearer' },
      { 'X-Api-Key': 'svc_sk_nobody', Authorization: `Bearer ${apiKey}` },
    ];
    for (const one of headers) {
      for (const { method, path } of operations) {
        const answer = await open.api(method, filled(path), { key: null, headers: one });
        expect([answer.status, answer.json.title], `${method} ${path} ${JSON.stringify(one)}`).toEqual([
          401,
          'unauthorized',
        ]);
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      }
      // Faults of the request are not revealed either.
      const contact = await open.post('/v1/contacts', { phone: '+4930901820' }, { key: null, headers: one });
      expect(contact.status).toBe(401);
      expect((await open.post('/v1/contacts', '{', { key: null, headers: one })).status).toBe(401);
    }
    expect(open.inbox.workspace.contacts.size).toBe(before);
  });

  it('service/api-keys-have-a-prefix: those that the service generates', async () => {
    await using open = await openService({}, { inboxes: [{}, {}] });
    const keys = open.service.inboxes.flatMap(({ workspace }) => [...workspace.keys.keys()]);
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(key).toMatch(/^svc_sk_[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(2);
  });

  it('service/api-me-tells-inbox-and-key', async () => {
    await using open = await openService({ name: 'Workshop', apiKeys: { [apiKey]: 'Shop', [second]: 'Calendar' } });
    const me = await open.get('/v1/me');
    expect(me.status).toBe(200);
    expect(validate('apiMe', me.json)).toEqual([]);
    expect(me.json).toEqual({ workspaceId: open.inbox.workspace.id, workspaceName: 'Workshop', keyName: 'Shop' });
    expect((await open.get('/v1/me', { key: second })).json).toMatchObject({ keyName: 'Calendar' });
  });

  it('service/api-key-belongs-to-one-inbox: objects of another one do not exist', async () => {
    await using open = await openService(
      {},
      { inboxes: [{ apiKeys: { [apiKey]: 'A' } }, { name: 'Other', apiKeys: { [other]: 'B' } }] },
    );
    const [mine, theirs] = open.service.inboxes;
    if (!mine || !theirs) throw new Error('expected two inboxes');
    expect((await open.get('/v1/me', { key: other })).json).toMatchObject({ workspaceName: 'Other', keyName: 'B' });

    const contact = mine.contacts.forPhone('+4930901820');
    const project = mine.conversations.open(contact, 'whatsapp');
    const [agentId = 0] = mine.workspace.agents.keys();
    const appointment = (
      await open.post('/v1/appointments', { phone: '+4930901820', start: '2026-12-01T09:00:00Z', confirmed: false })
    ).json;
    const requests = [
      ['GET', `/v1/projects/${project.id}/messages`, undefined, 200, 'project_not_found'],
      ['GET', `/v1/agents/${agentId}`, undefined, 200, 'not_found'],
      ['PATCH', `/v1/agents/${agentId}`, { voiceId: 'x' }, 200, 'not_found'],
      ['POST', '/v1/notes', { projectId: project.id, text: 'x' }, 201, 'project_not_found'],
      ['POST', '/v1/notes', { contactId: contact.id, text: 'x' }, 201, 'not_found'],
      ['POST', '/v1/messages', { contactId: contact.id, text: 'x' }, 202, 'not_found'],
      ['PATCH', `/v1/appointments/${appointment.id}`, { start: '2026-12-02T09:00:00Z' }, 200, 'not_found'],
      ['POST', `/v1/projects/${project.id}/agent-replies`, { action: 'none' }, 202, 'project_not_found'],
      ['POST', `/v1/projects/${project.id}/skills/urgent`, {}, [200, 409], 'project_not_found'],
      ['DELETE', `/v1/appointments/${appointment.id}`, undefined, 200, 'not_found'],
    ] as const;
    for (const [method, path, body, status, code] of requests) {
      const options = body === undefined ? {} : { body };
      const foreign = await open.api(method, path, { ...options, key: other });
      expect([foreign.status, foreign.json.title], `${method} ${path}`).toEqual([404, code]);
      const own = await open.api(method, path, options);
      expect([status].flat(), `${method} ${path}`).toContain(own.status);
    }
    expect(theirs.workspace.projects.size).toBe(0);
    // In the other inbox, the same number belongs to another contact.
    const made = await open.post('/v1/contacts', { phone: '+4930901820' }, { key: other });
    expect(made.status).toBe(201);
    expect(made.json.id).not.toBe(contact.id);
  });

  it('refuses to open with one key in two inboxes, and does not show which', async () => {
    const inboxes = [{ apiKeys: { [apiKey]: 'A' } }, { apiKeys: { [apiKey]: 'B' } }];
    await expect(openService({}, { inboxes })).rejects.toThrow('expected each API key in one inbox');
  });
});

describe('the rate of requests', () => {
  const minute = 60_000;

  it('service/api-limits-requests-per-minute: sixty within any minute', async () => {
    await using open = await openService({}, { rateLimit: limits.apiRequestsPerMinute });
    const burst = async (count: number) => {
      const statuses: number[] = [];
      for (let sent = 0; sent < count; sent++) statuses.push((await open.get('/v1/me')).status);
      return statuses;
    };
    expect(limits.apiRequestsPerMinute).toBe(60);
    expect(new Set(await burst(30))).toEqual(new Set([200]));
    await open.clock.move(40_000);
    expect(new Set(await burst(30))).toEqual(new Set([200]));
    const refused = await open.get('/v1/me');
    expect([refused.status, refused.json.title]).toEqual([429, 'rate_limited']);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(20);
    // Refused requests do not count.
    await open.clock.move(seconds * 1000);
    const statuses = await burst(31);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.at(-1)).toBe(429);
    await open.clock.move(minute);
    expect((await open.get('/v1/me')).status).toBe(200);
  });

  it('service/api-limits-each-key-by-itself', async () => {
    await using open = await openService({ apiKeys: { [apiKey]: 'A', [second]: 'B' } }, { rateLimit: 2 });
    for (const status of [200, 200, 429]) expect((await open.get('/v1/me')).status).toBe(status);
    for (const status of [200, 200, 429]) expect((await open.get('/v1/me', { key: second })).status).toBe(status);
  });

  it('service/api-limit-counts-agent-replies', async () => {
    await using open = await openService({}, { rateLimit: 2 });
    const { contacts, conversations } = open.inbox;
    const project = conversations.open(contacts.forPhone('+4930901820'), 'webchat');
    const reply = () => open.post(`/v1/projects/${project.id}/agent-replies`, { text: 'It is ready.' });
    expect((await reply()).status).toBe(202);
    expect((await reply()).status).toBe(202);
    expect((await reply()).status).toBe(429);
    expect((await open.get('/v1/me')).status).toBe(429);
    expect(project.turns).toHaveLength(2);
  });
});
