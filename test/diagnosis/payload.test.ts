import { describe, expect, it } from 'vitest';
import { payloadCauses } from '../../diagnosis/causes/payload.ts';
import { diagnosePayload } from '../../diagnosis/payload/diagnose-payload.ts';
import { faultyPayloads } from './faulty-payloads.ts';
import { openEndpoint } from './open-connection.ts';
import { rightEndpoints } from './right-endpoints.ts';

/** Milliseconds for many right endpoints at once. */
const slow = 60_000;
/** Deliveries that a cause may take: what an own AI is asked costs its owner money. */
const mostDeliveries = { 'own-ai-chat': 35, 'crm-webhook': 60, 'api-webhooks': 35, 'own-ai-phone': 0 };

describe.concurrent('an event that cannot be taken', () => {
  for (const { cause, name, surface, build, says = '', suspected } of faultyPayloads) {
    it(`is told as ${cause}${suspected ? ', with a doubt' : ''}: ${name} (${surface})`, { timeout: slow }, async () => {
      await using open = await openEndpoint(surface, build());
      const { found, suspects } = await diagnosePayload(open.connection);
      const told = suspected ? suspects[0] : found;
      expect(told?.id).toBe(cause);
      expect(told?.text ?? '').toContain(says);
      if (suspected) expect(found).toBeUndefined();
      expect(open.connection.deliveries).toBeLessThanOrEqual(mostDeliveries[surface]);
    });
  }

  it('is not seen at a right endpoint, however unusual', { timeout: slow }, async () => {
    const told = await Promise.all(
      rightEndpoints.map(async ({ name, surface, build }) => {
        await using open = await openEndpoint(surface, build());
        const { found, suspects, fine } = await diagnosePayload(open.connection);
        return { name, surface, told: found ?? suspects[0], fine: fine.length };
      }),
    );
    expect(told.filter((one) => one.told !== undefined)).toEqual([]);
    expect(Math.min(...told.map(({ fine }) => fine))).toBeGreaterThan(5);
  });

  it('is made smaller from the event of a failing check', async () => {
    await using open = await openEndpoint('own-ai-chat', {
      chat: { read: ({ data }) => (/Beispiel/.test(data.message.text) ? { status: 500 } : undefined) },
    });
    const { connection } = open;
    const event = connection.session.sample.messageReceived({ channel: 'webchat' });
    event.data.message.text = 'Ich wohne in der Beispielstraße 12 und möchte einen Termin.';
    const { found } = await diagnosePayload(connection, { requirement: 'own-ai-chat/answers-any-valid-event', event });
    expect(found).toMatchObject({ id: 'payload/text-value', text: expect.stringContaining('Beispiel') as string });
    expect(connection.deliveries).toBeLessThanOrEqual(25);
  });

  it('is not named when it fails only now and then', async () => {
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
