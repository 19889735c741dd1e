import { describe, expect, it } from 'vitest';
import { ClientTroubles, slowAnswerMs } from '../../harness/client/client-troubles.ts';
import { apiOperation, type OperationId } from '../../specs/api-operations.ts';

interface Arriving {
  method: string;
  url: string;
  body: Uint8Array;
}

/** A request of an operation; requests with different numbers differ. */
function request(operation: OperationId, n: number, body: Record<string, unknown> = { contactId: 7 }): Arriving {
  const { method, path } = apiOperation(operation);
  return {
    method,
    url: path.replace('{id}', '5').replace('{key}', 'urgent'),
    body: Buffer.from(JSON.stringify({ ...body, text: `Text ${n}` })),
  };
}

function namesOf(operation: OperationId, count: number, body?: Record<string, unknown>): (string | undefined)[] {
  const troubles = new ClientTroubles();
  return Array.from({ length: count }, (_, n) => troubles.meet(request(operation, n, body))?.name);
}

describe('the troubles of a client', () => {
  it('occur once for each operation, in order', () => {
    expect(namesOf('sendMessage', 7)).toEqual([
      'cut',
      'unavailable',
      'throttled',
      'refused',
      'slow',
      undefined,
      undefined,
    ]);
    expect(namesOf('addNote', 5, { projectId: 5 })).toEqual(['unavailable', 'cut', 'throttled', 'refused', 'slow']);
    expect(namesOf('logMessage', 3)).toEqual(['cut', 'unavailable', undefined]);
    expect(namesOf('runSkill', 4)).toEqual(['cut', 'refused', 'unavailable', undefined]);
    expect(namesOf('sendAgentReply', 3)).toEqual(['refused', 'refused', undefined]);
  });

  it('are the same for the same requests', () => {
    expect(namesOf('sendMessage', 6)).toEqual(namesOf('sendMessage', 6));
  });

  it('omit a refusal that the service would not give to such a request', () => {
    expect(namesOf('sendMessage', 5, { phone: '+4930901820' })).toEqual([
      'cut',
      'unavailable',
      'throttled',
      'slow',
      undefined,
    ]);
    expect(namesOf('addNote', 4, { contactId: 7 })).toEqual(['unavailable', 'cut', 'throttled', 'slow']);
    expect(namesOf('addNote', 4, { target: { projectId: 5 } })[3]).toBe('refused');
  });

  it('apply to all concurrent copies of a request', () => {
    const troubles = new ClientTroubles();
    const copy = (at: number, key: string) => ({
      ...request('sendMessage', 1),
      at,
      headers: [['Idempotency-Key', key]] as [string, string][],
    });
    const first = troubles.meet(copy(100, 'a'));
    expect(first).toMatchObject({ name: 'cut', afterMs: expect.any(Number) });
    expect(troubles.meet(copy(102, 'a'))).toEqual(first);
    expect(troubles.meet(copy(103, 'b'))).toBeUndefined();
    // Once the first was answered, this one is a repetition, which is processed.
    expect(troubles.meet(copy(10_000, 'a'))).toBeUndefined();
  });

  it('never apply to a repeated request, however it is written', () => {
    const troubles = new ClientTroubles();
    const first = { method: 'POST', url: '/v1/messages', body: Buffer.from('{"contactId":7,"text":"x"}') };
    const again = { ...first, body: Buffer.from('{ "text": "x", "contactId": 7 }') };
    expect(troubles.meet(first)?.name).toBe('cut');
    expect([troubles.meet(again), troubles.meet(first)]).toEqual([undefined, undefined]);
    expect(troubles.meet({ ...first, body: Buffer.from('{"contactId":7,"text":"y"}') })?.name).toBe('unavailable');
  });

  it('recognise a logged message with another externalId', () => {
    const troubles = new ClientTroubles();
    const log = (externalId: string) => request('logMessage', 1, { externalId });
    expect(troubles.meet(log('a'))?.name).toBe('cut');
    expect(troubles.meet(log('b'))).toBeUndefined();
  });

  it('exclude requests that others depend on, reads, and unknown operations', () => {
    const troubles = new ClientTroubles();
    const spared: OperationId[] = ['getMe', 'upsertContact', 'createAppointment', 'subscribeWebhook', 'listAgents'];
    expect(spared.map((operation) => troubles.meet(request(operation, 1)))).toEqual(spared.map(() => undefined));
    expect(troubles.meet({ method: 'POST', url: '/elsewhere', body: Buffer.from('') })).toBeUndefined();
    expect(troubles.meet({ method: 'PUT', url: '/v1/messages', body: Buffer.from('') })).toBeUndefined();
  });

  it('accept requests that cannot be read unchanged', () => {
    const troubles = new ClientTroubles();
    const unread = (text: string) => ({ method: 'POST', url: '/v1/messages?x=1', body: Buffer.from(text) });
    expect(troubles.meet(unread('[1'))?.name).toBe('cut');
    expect(troubles.meet(unread('[1'))).toBeUndefined();
  });

  it('are answers that the service gives', () => {
    const troubles = new ClientTroubles({ slowMs: 40 });
    const met = [1, 2, 3, 4, 5].map((n) => troubles.meet(request('sendMessage', n)));
    expect(met).toMatchObject([
      { kind: 'cut-after' },
      { kind: 'answer-instead', status: 503 },
      { kind: 'answer-instead', status: 429, retryAfterSeconds: 1 },
      { kind: 'answer-instead', status: 404, code: 'not_found' },
      { kind: 'slow', ms: 40 },
    ]);
    const replies = [1, 2].map((n) => troubles.meet(request('sendAgentReply', n)));
    expect(replies).toMatchObject([
      { status: 409, code: 'project_not_with_agent' },
      { status: 422, code: 'not_deliverable' },
    ]);
    expect(slowAnswerMs).toBeGreaterThan(1_000);
  });
});
