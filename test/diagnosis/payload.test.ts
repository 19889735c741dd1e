import { describe, expect, it } from 'vitest';
import { payloadCauses } from '../../diagnosis/causes/payload.ts';
import { Connection } from '../../diagnosis/connection.ts';
import { search } from '../../diagnosis/diagnose.ts';
import { diagnosePayload } from '../../diagnosis/payload/diagnose-payload.ts';
import { configOf } from '../harness/settings-for-tests.ts';
import { faultyPayloads } from './faulty-payloads.ts';
import { openEndpoint } from './open-connection.ts';
import { pause, startReceiver } from './receiver.ts';
import { rightEndpoints } from './right-endpoints.ts';

/** Milliseconds for many correct endpoints at once. */
const slow = 60_000;
/** Maximum deliveries for a cause, including its wider and narrower siblings: messages to an own AI cost money. */
const mostDeliveries = { 'own-ai-chat': 60, 'crm-webhook': 60, 'api-webhooks': 35, 'own-ai-phone': 0 };

describe.concurrent('an event that the endpoint cannot handle', () => {
  for (const { cause, name, surface, build, says = '', suspected } of faultyPayloads) {
    it(
      `is reported as ${cause}${suspected ? ', with a doubt' : ''}: ${name} (${surface})`,
      { timeout: slow },
      async () => {
        await using open = await openEndpoint(surface, build());
        const { found, suspects } = await diagnosePayload(open.connection);
        const reported = suspected ? suspects[0] : found;
        expect(reported?.id).toBe(cause);
        expect(reported?.summary ?? '').toContain(says);
        if (suspected) expect(found).toBeUndefined();
        expect(open.connection.deliveries).toBeLessThanOrEqual(mostDeliveries[surface]);
      },
    );
  }

  it('is not reported for a correct endpoint, however unusual', { timeout: slow }, async () => {
    const reported = await Promise.all(
      rightEndpoints.map(async ({ name, surface, options, build }) => {
        await using open = await openEndpoint(surface, build(), options);
        const { found, suspects, passed } = await diagnosePayload(open.connection);
        return { name, surface, reported: found ?? suspects[0], passed: passed.length };
      }),
    );
    expect(reported.filter((one) => one.reported !== undefined)).toEqual([]);
    expect(Math.min(...reported.map(({ passed }) => passed))).toBeGreaterThan(5);
  });

  it.each([
    [500, ['payload/at-random'], undefined],
    [503, ['http/rate-limited', 'http/gateway'], 'http'],
  ])(
    'is named if every event after it is answered %i, and only a gateway makes it a limit',
    { timeout: slow },
    async (status, ids, closedAt) => {
      let isPoisoned = false;
      await using open = await openEndpoint('own-ai-chat', {
        chat: {
          read: ({ data }) => {
            isPoisoned ||= data.message.text.length >= 4_000;
            return isPoisoned ? { status } : undefined;
          },
        },
      });
      const found = await search(open.connection);
      expect({ cause: found.diagnosis.cause, closedAt: found.closedAt }).toEqual({ cause: null, closedAt });
      expect(found.diagnosis.suspects.map(({ id }) => id)).toEqual(ids);
      expect(found.diagnosis.suspects[0]?.why).toMatch(
        /^Events were accepted up to an event with .+; from an event with .*4000 characters(?: each)? on, every event/,
      );
    },
  );

  it('is not every message if messages were accepted before', { timeout: slow }, async () => {
    let messages = 0;
    await using open = await openEndpoint('own-ai-chat', {
      chat: { read: () => (++messages > 3 ? { status: 500 } : undefined) },
    });
    const { diagnosis } = await search(open.connection);
    expect(diagnosis.cause).toBeNull();
    expect(diagnosis.suspects[0]?.id).toBe('payload/at-random');
  });

  it('is reduced from the event of a failing check', async () => {
    await using open = await openEndpoint('own-ai-chat', {
      chat: { read: ({ data }) => (/Beispiel/.test(data.message.text) ? { status: 500 } : undefined) },
    });
    const { connection } = open;
    const event = connection.session.sample.messageReceived({ channel: 'webchat' });
    event.data.message.text = 'Ich wohne in der Beispielstraße 12 und möchte einen Termin.';
    const { found } = await diagnosePayload(connection, { requirement: 'own-ai-chat/answers-any-valid-event', event });
    expect(found).toMatchObject({ id: 'payload/text-value', summary: expect.stringContaining('Beispiel') as string });
    expect(connection.deliveries).toBeLessThanOrEqual(25);
  });

  it('explains a rejected signature only if the event that failed is rejected for its content', async () => {
    await using open = await openEndpoint('own-ai-chat', {
      chat: { read: ({ data }) => (data.channel === 'telegram' ? { status: 500 } : undefined) },
    });
    const { sample } = open.connection.session;
    const requirement = 'own-ai-chat/accepts-valid-signature';
    const causeFor = async (channel: 'webchat' | 'telegram') =>
      await diagnosePayload(open.connection, { requirement, event: sample.messageReceived({ channel }) });
    expect((await causeFor('webchat')).found).toBeUndefined();
    expect((await causeFor('telegram')).found?.id).toMatch(/^payload\//);
  });

  it('does not call the failed check advice if another event than the one that failed is rejected', async () => {
    const { build } = faultyPayloads.find(({ name }) => name === 'a parser of 64 KB') ?? expect.fail();
    await using open = await openEndpoint('own-ai-chat', build());
    const requirement = 'own-ai-chat/accepts-long-replies-in-history';
    const { suspects } = await diagnosePayload(open.connection, { requirement });
    expect(suspects).toMatchObject([
      { id: 'payload/large-body', why: 'It was confirmed with another event than the one that failed.' },
    ]);
  });

  it('is reported by the types that fail if lookups of strangers fail and no known caller is configured', async () => {
    const read = ({ eventType }: { eventType: unknown }) =>
      ['IncomingCallLookup', 'NewConversation', 0, 2].includes(eventType as string) ? { status: 404 } : undefined;
    await using open = await openEndpoint('crm-webhook', { crm: { read } }, { over: { stimuli: {} } });
    const { found, suspects } = await diagnosePayload(open.connection);
    expect(found).toMatchObject({
      id: 'payload/listed-event',
      summary:
        'Events of the type IncomingCallLookup and NewConversation are answered with status 404; others are accepted.',
    });
    expect(suspects.map(({ id }) => id)).toEqual(['payload/unknown-caller']);
  });

  it('is not a slow one if the interface sets no limit', { timeout: slow }, async () => {
    const workMs = (name: string) => (name === 'FinishedCall' ? 1_500 : 0);
    await using open = await openEndpoint('crm-webhook', { crm: { workMs } });
    open.connection.waitUpTo(500);
    const { found, suspects } = await diagnosePayload(open.connection);
    expect({ found, suspects }).toEqual({ found: undefined, suspects: [] });
  });

  it(
    'is not one that fails concurrently with others, if events are sent together since each takes long',
    { timeout: slow },
    async () => {
      let working = 0;
      let most = 0;
      await using receiver = await startReceiver(async ({ body }) => {
        const isMessage = body.includes('message.received');
        working++;
        most = Math.max(most, working);
        const reply = working > 2 ? { status: 503 } : { status: 204 };
        if (isMessage) await pause(2_100);
        working--;
        return reply;
      });
      const chat = { url: receiver.origin, secret: 'whsec_of-the-payload-tests', timeoutSeconds: 10 };
      await using connection = await Connection.open('own-ai-chat', configOf({}, { chat }), {
        seed: 7,
        withinMs: slow,
      });
      const { found, suspects } = await diagnosePayload(connection);
      expect({ found, suspects }).toEqual({ found: undefined, suspects: [] });
      expect(most).toBeGreaterThan(3);
    },
  );

  it('is not named if it fails only sometimes', async () => {
    let count = 0;
    await using open = await openEndpoint('own-ai-chat', {
      chat: { read: () => (++count === 4 ? { status: 500 } : undefined) },
    });
    const { found } = await diagnosePayload(open.connection);
    expect(found).toBeUndefined();
  });

  it('has an endpoint for each cause', () => {
    const shown = new Set<string>([...faultyPayloads.map(({ cause }) => cause), 'payload/text-value']);
    expect(Object.keys(payloadCauses).filter((id) => !shown.has(id))).toEqual([]);
  });
});
