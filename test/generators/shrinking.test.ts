import { describe, expect, it } from 'vitest';
import { edgeCases } from '../../generators/edge-cases.ts';
import { fromSchema } from '../../generators/from-schema.ts';
import { schemas } from '../../specs/schemas.ts';
import { smallest } from './laws.ts';

interface MessageReceived {
  data: {
    history: { role: string; text: string }[];
    contact: Record<string, unknown>;
    message: { text: string };
    autoReply: { state: string };
  };
}
interface Appointment {
  metadata: Record<string, string>;
}
interface ContactData {
  lastName: string | null;
  crmAiInfo: string | null;
}

const at = '2026-01-01T00:00:00';
const message = {
  id: 'evt_aaaaaaaa',
  type: 'message.received',
  createdAt: at,
  protocol: '2026-10-11',
  workspaceId: 1,
  agentId: 1,
  data: {
    projectId: 1,
    channel: 'whatsapp',
    contact: { id: 1 },
    message: { id: 1, text: 'a', receivedAt: at },
    history: [],
    replyUrl: expect.stringMatching(/^http:\/\/a\/a$|^https?:\/\/a\/[a-z]$/),
    skills: [],
    autoReply: { state: 'on' },
  },
};

/** The same fault must shrink to the same event, whether a random value or an edge case revealed it. */
function fromBoth<T>(schema: object, holds: (value: T) => boolean): T[] {
  const arbitrary = fromSchema<T>(schema);
  const edges = edgeCases<T>(schema, { seed: 4 });
  expect(
    edges.some((edge) => !holds(edge)),
    'an edge case shows the fault',
  ).toBe(true);
  return [smallest(arbitrary, holds), smallest(arbitrary, holds, [], 99), smallest(arbitrary, holds, edges)];
}

describe('counterexamples are minimal', () => {
  it('a system turn in the history', () => {
    const found = fromBoth<MessageReceived>(
      schemas.messageReceived,
      (event) => !event.data.history.some((turn) => turn.role === 'system'),
    );
    for (const event of found) {
      expect(event).toEqual({ ...message, data: { ...message.data, history: [{ role: 'system', text: 'a', at }] } });
    }
  });
  it('the thirtieth turn', () => {
    const found = fromBoth<MessageReceived>(schemas.messageReceived, (event) => event.data.history.length < 30);
    for (const event of found) expect(event.data.history).toEqual(Array(30).fill({ role: 'customer', text: 'a', at }));
  });
  it('a contact without a name', () => {
    const found = fromBoth<MessageReceived>(schemas.messageReceived, (event) => 'name' in event.data.contact);
    for (const event of found) expect(event).toEqual(message);
  });
  it('a string of exactly the maximum length', () => {
    const found = fromBoth<MessageReceived>(
      schemas.messageReceived,
      (event) => [...event.data.message.text].length < 4000,
    );
    for (const event of found)
      expect(event).toEqual({
        ...message,
        data: { ...message.data, message: { id: 1, text: 'a'.repeat(4000), receivedAt: at } },
      });
  });
  it('is found in few tries, since each may be a request', () => {
    const tries = (holds: (event: MessageReceived) => boolean): number => {
      let count = 0;
      const counted = (event: MessageReceived): boolean => (count++, holds(event));
      const arbitrary = fromSchema<MessageReceived>(schemas.messageReceived);
      smallest(arbitrary, counted, edgeCases<MessageReceived>(schemas.messageReceived));
      return count;
    };
    expect(tries(({ data }) => !data.history.some((turn) => turn.role === 'system'))).toBeLessThan(150);
    expect(tries(({ data }) => data.history.length < 30)).toBeLessThan(400);
    expect(tries(({ data }) => [...data.message.text].length < 4000)).toBeLessThan(150);
    expect(tries(({ data }) => [...data.message.text].length < 1000)).toBeLessThan(200);
    expect(tries(({ data }) => !data.message.text.includes('"'))).toBeLessThan(150);
  });
  it('an astral character in a string', () => {
    const found = fromBoth<MessageReceived>(
      schemas.messageReceived,
      (event) => !/[\u{10000}-\u{10ffff}]/u.test(event.data.message.text),
    );
    for (const event of found) expect([...event.data.message.text]).toHaveLength(1);
  });
  it('two things at once, in a branch that is not the first', () => {
    const found = fromBoth<MessageReceived>(
      schemas.messageReceived,
      ({ data }) => data.autoReply.state !== 'paused' || !('phone' in data.contact),
    );
    for (const { data } of found) {
      expect(data.autoReply).toEqual({ state: 'paused', pausedUntil: at });
      expect(data.contact).toEqual({ id: 1, phone: '+1000000' });
      expect(data.history).toEqual([]);
    }
  });
  it('a quote in the last name', () => {
    const found = fromBoth<ContactData>(schemas.contactData, (contact) => !(contact.lastName ?? '').includes('"'));
    for (const contact of found) {
      expect(contact.lastName).toBe('"');
      const texts = Object.entries(contact).filter(([name, value]) => name !== 'lastName' && value !== null);
      expect(texts.map(([name]) => name)).toEqual(['svcContactId', 'phoneNumber', 'language', 'postalAddresses']);
      expect(contact).toMatchObject({
        svcContactId: 1,
        phoneNumber: '+1000000',
        language: 'de-DE',
        postalAddresses: [],
      });
    }
  });
  it('a metadata key with a dot', () => {
    const found = fromBoth<Appointment>(
      schemas.appointment,
      (appointment) => !Object.keys(appointment.metadata).some((key) => key.includes('.')),
    );
    for (const appointment of found) {
      expect(Object.keys(appointment.metadata)).toHaveLength(1);
      expect(Object.values(appointment.metadata)).toEqual(['']);
      expect(appointment).toMatchObject({
        id: 1,
        cancelledAt: null,
        durationMinutes: 1,
        createdAt: at,
        status: 'proposed',
      });
    }
  });
  it('an integer beyond 32 bits', () => {
    const found = fromBoth<{ workspaceId: number }>(schemas.apiWebhookEvent, (event) => event.workspaceId < 2 ** 31);
    for (const event of found) expect(event.workspaceId).toBe(2 ** 31);
  });
  it('a number at a threshold that is not an edge', () => {
    const integer = fromSchema<number>({ type: 'integer' });
    expect(smallest(integer, (value) => value < 123457)).toBe(123457);
    expect(smallest(integer, (value) => value < 123457, [Number.MAX_SAFE_INTEGER])).toBe(123457);
    expect(smallest(integer, (value) => value > -78901, [Number.MIN_SAFE_INTEGER])).toBe(-78901);
    expect(smallest(fromSchema<number>({ type: 'integer', multipleOf: 7, minimum: 7 }), (value) => value < 5000)).toBe(
      5005,
    );
    expect(smallest(fromSchema<number>({ type: 'number' }), (value) => Number.isInteger(value), [0.123456])).toBe(0.1);
  });
  it('a field that can be removed only after a later one is simpler', () => {
    const schema = { type: 'object', properties: { a: { type: 'boolean' }, c: { type: 'integer', minimum: 0 } } };
    type Value = { a?: boolean; c?: number };
    const holds = (value: Value): boolean => value.c === undefined || !(value.c === 0 || value.a !== undefined);
    expect(smallest(fromSchema<Value>(schema), holds, [{ a: true, c: 5 }])).toEqual({ c: 0 });
  });
  it('unknown fields of an example are removed first', () => {
    const schema = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
    const example = { a: 'xyz', unknown: { deep: [1, 2] } };
    expect(smallest<object>(fromSchema<object>(schema), (value) => !('unknown' in value), [example])).toEqual({
      a: '',
      unknown: null,
    });
    expect(
      smallest<{ a: string }>(fromSchema<{ a: string }>(schema), (value) => value.a === '', [{ ...example }]),
    ).toEqual({ a: 'a' });
  });
});
