import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiProvider } from '../../contracts/api-provider.ts';
import { nearStates, readApiState } from '../../contracts/api-states.ts';
import { leadingStates } from '../../contracts/leading-states.ts';
import { apiState, apiStateNames, type ApiStateName } from '../../generators/contracts/api-state-names.ts';
import { apiOperations, type OperationId } from '../../specs/api-operations.ts';

let provider: ApiProvider;
beforeAll(async () => {
  provider = await ApiProvider.open();
});
afterAll(() => provider[Symbol.asyncDispose]());
beforeEach(() => provider.renew());

async function api(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(provider.baseUrl + path, {
    method,
    headers: {
      'X-Api-Key': provider.apiKey,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: await response.json() };
}

describe('a provider state of API v1', () => {
  it.each(apiStateNames)('can be set up without parameters, and returns the promised values: %s', async (name) => {
    const given = await provider.enter({ name }, { idempotencyKey: 'key-1' });
    const { gives = [], params } = apiState(name);
    for (const param of gives) if (param !== 'email') expect(given).toHaveProperty(param);
    for (const param of Object.keys(given)) expect([...params, ...gives]).toContain(param);
  });

  it('has the ids of its parameters', async () => {
    await provider.enter({
      name: 'a contact exists',
      params: { contactId: 7, phone: '+49 30 901820', email: 'ann@example.com' },
    });
    await provider.enter({ name: 'a project exists', params: { projectId: 42 } });
    await provider.enter({
      name: 'an appointment is confirmed',
      params: { appointmentId: '9', start: '2026-12-01T09:00:00Z' },
    });
    await provider.enter({ name: 'an assistant exists', params: { agentId: 12, name: 'Bot' } });
    expect((await api('POST', '/v1/contacts', { phone: '+4930901820' })).json).toMatchObject({
      id: 7,
      email: 'ann@example.com',
    });
    expect((await api('POST', '/v1/notes', { contactId: 7, text: 'T' })).json).toMatchObject({
      projectId: 42,
      contactId: 7,
    });
    expect((await api('PATCH', '/v1/appointments/9', {})).json).toMatchObject({
      id: 9,
      contactId: 7,
      projectId: 42,
      start: '2026-12-01T09:00:00',
      status: 'confirmed',
    });
    expect((await api('GET', '/v1/agents')).json).toMatchObject([{ agentId: 12, name: 'Bot' }]);
  });

  it('gives its ids to the objects of earlier states, with everything that belongs to them', async () => {
    const given = await provider.enter({ name: 'the own AI answers the project', params: { projectId: 42 } });
    const { phone } = await provider.enter({ name: 'a contact exists' });
    await provider.enter({ name: 'a contact exists', params: { contactId: 7, ...(phone !== undefined && { phone }) } });
    await provider.enter({ name: 'an assistant exists', params: { agentId: 12 } });
    expect(given['contactId']).not.toBe(7);
    expect(await api('POST', '/v1/notes', { projectId: 42, text: 'T' })).toMatchObject({
      status: 201,
      json: { projectId: 42, contactId: 7 },
    });
    const { skillId } = await provider.enter({ name: 'a skill is attached' });
    expect(await api('POST', `/v1/projects/42/skills/${skillId}`)).toMatchObject({ status: 200, json: { ok: true } });
  });

  it('reads values from the request only if its parameters omit them', async () => {
    const hints = { projectId: 42, phone: '+4930901820' };
    expect(await provider.enter({ name: 'auto-reply is off' }, hints)).toMatchObject({ projectId: 42 });
    await provider.renew();
    const given = await provider.enter({ name: 'auto-reply is off', params: { projectId: 43 } }, hints);
    expect(given).toMatchObject({ projectId: 43 });
  });

  it('ends with the inbox', async () => {
    await provider.enter({ name: 'a project exists', params: { projectId: 42 } });
    expect((await api('GET', '/v1/projects/42/messages')).status).toBe(200);
    await provider.renew();
    expect((await api('GET', '/v1/projects/42/messages')).status).toBe(404);
  });

  it.each([
    [
      [
        { name: 'a project exists', params: { projectId: 5 } },
        { name: 'no such project', params: { projectId: 5 } },
      ],
      'expected no project',
    ],
    [[{ name: 'the inbox has no assistant' }, { name: 'a skill is attached' }], 'expected an inbox with an assistant'],
    [[{ name: 'the Idempotency-Key was used for another request' }], 'expected the parameter idempotencyKey'],
  ])('that contradicts existing data is refused: %j', async (states, message) => {
    const enter = async () => {
      for (const state of states) await provider.enter(state);
    };
    await expect(enter()).rejects.toThrow(message);
  });
});

describe('the name of a provider state', () => {
  it.each(['A Contact exists', 'a contact  exists.', ' a contact exists '])(
    'is read exactly as written: %s',
    (name) => {
      expect(readApiState({ name })).toEqual({ name: 'a contact exists', params: {} });
    },
  );

  it.each<[string, ApiStateName]>([
    ['customer 42 exists', 'a contact exists'],
    ['appointment 7 was canceled', 'an appointment is cancelled'],
    ['agentDoesNotExist', 'no such assistant'],
    ['conversation is muted', 'auto-reply is paused'],
    ['the rate limit is exceeded', 'too many requests were sent'],
  ])('with other words suggests the nearest: %s', (name, nearest) => {
    expect(nearStates(name)).toContain(nearest);
  });

  it('without any similarity suggests none', () => {
    expect(readApiState({ name: 'Vollmond' })).toEqual({
      fault: { isUnknown: true, expected: 'one of the known states', received: '"Vollmond"; none is similar' },
      near: [],
    });
  });
});

/** One request for each operation whose status depends on states. */
const requests: Readonly<Partial<Record<OperationId, readonly [path: string, body?: unknown]>>> = {
  upsertContact: ['/v1/contacts', { phone: '+4930901820' }],
  sendMessage: ['/v1/messages', { contactId: 7, text: 'T', purpose: 'marketing' }],
  logMessage: ['/v1/messages/log', { projectId: 42, direction: 'in', channel: 'email', text: 'T', externalId: 'm-1' }],
  addNote: ['/v1/notes', { projectId: 42, text: 'T' }],
  changeAppointment: ['/v1/appointments/9', {}],
  cancelAppointment: ['/v1/appointments/9'],
  getTranscript: ['/v1/projects/42/messages'],
  getAgent: ['/v1/agents/12'],
  changeAgent: ['/v1/agents/12', {}],
  replaceAgentSecret: ['/v1/agents/12/secret'],
  testAgent: ['/v1/agents/12/test'],
  sendAgentReply: ['/v1/projects/42/agent-replies', { text: 'T' }],
  runSkill: ['/v1/projects/42/skills/urgent'],
};

describe('the state that is advised for a status', () => {
  const hints = {
    contactId: 7,
    projectId: 42,
    appointmentId: 9,
    agentId: 12,
    phone: '+4930901820',
    externalId: 'm-1',
    idempotencyKey: 'k',
  };
  const statuses = [200, 401, 403, 404, 409, 422, 429];
  const advised: (readonly [OperationId, number, ApiStateName])[] = [];
  for (const id of Object.keys(requests) as OperationId[]) {
    for (const status of statuses) {
      const [state] = leadingStates(id, status);
      if (state !== undefined) advised.push([id, status, state]);
    }
  }

  it.each(advised)('leads to that status: %s, %i, %s', async (id, status, state) => {
    // These refusals are about an object that must exist.
    const before: Partial<Record<OperationId, ApiStateName>> = {
      sendAgentReply: 'a project exists',
      runSkill: 'a project exists',
      addNote: 'a project exists',
      ...(status === 422 && { sendMessage: 'the contact has given marketing consent' }),
    };
    const name = before[id];
    if (name !== undefined && !state.startsWith('no such')) await provider.enter({ name }, hints);
    await provider.enter({ name: state }, hints);
    const [path, body] = requests[id] ?? ['/'];
    const { method } = apiOperations[id];
    const answer = await api(method, path, body, { 'Idempotency-Key': 'k' });
    if (status === 200) expect(Math.floor(answer.status / 100)).toBe(2);
    else expect(answer.status).toBe(status);
  });
});
