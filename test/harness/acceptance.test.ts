import { describe, expect, it } from 'vitest';
import { Acceptance } from '../../harness/checks/acceptance.ts';
import { CheckRecord, withRecord } from '../../harness/checks/check-record.ts';
import { Session } from '../../harness/checks/session.ts';
import { deviating } from '../../harness/wire/documented-traffic.ts';
import type { Observation } from '../../harness/wire/observation.ts';
import { smallEndpoint, type SmallAnswer } from '../bin/small-endpoint.ts';
import { configOf, settingsOf } from './settings-for-tests.ts';

function delivery(status: number, { authentic = true } = {}): Observation {
  const url = 'http://127.0.0.1/hooks';
  return {
    kind: 'http',
    label: `answered ${status}`,
    startedAt: new Date(0),
    at: 0,
    request: { method: 'POST', url, headers: [], body: Buffer.from('{}'), ...(authentic && { authentic }) },
    answer: { outcome: 'answered', status, headers: [], body: Buffer.of(), bodyBytes: 0, truncated: false },
    times: { connectMs: null, firstByteMs: 1, totalMs: 1, lagMs: 0 },
  };
}

const again = () => Promise.resolve(delivery(200));

async function book(acceptance: Acceptance, one: Observation, record = new CheckRecord()): Promise<void> {
  await withRecord(record, () => {
    record.keep(one);
    acceptance.book('api-webhooks', one, () => again);
    return Promise.resolve();
  });
}

function labels(acceptance: Acceptance): string[] {
  return acceptance.of('api-webhooks').refused.map(({ observation }) => observation.label);
}

describe('the acceptance of valid deliveries', () => {
  it('keeps what was refused, and the latest that was accepted', async () => {
    const acceptance = new Acceptance();
    const latest = delivery(204);
    for (const one of [delivery(500), delivery(200), latest]) await book(acceptance, one);
    expect(acceptance.of('api-webhooks')).toMatchObject({ accepted: 2, latest, isFull: false });
    expect(labels(acceptance)).toEqual(['answered 500']);
    expect(acceptance.of('crm-webhook')).toEqual({ accepted: 0, latest: undefined, refused: [], isFull: false });
  });

  it.each([409, 425, 429, 503])('omits an answer that asks for the delivery later: %i', async (status) => {
    const acceptance = new Acceptance();
    await book(acceptance, delivery(status));
    expect(labels(acceptance)).toEqual([]);
  });

  it('omits what is invalid, what a check of the integrator sends, and what cannot come again', async () => {
    const acceptance = new Acceptance();
    await book(acceptance, delivery(401, { authentic: false }));
    await book(acceptance, delivery(500), new CheckRecord({ isOwn: true }));
    await withRecord(new CheckRecord(), () =>
      Promise.resolve(acceptance.book('api-webhooks', delivery(500), () => undefined)),
    );
    expect(labels(acceptance)).toEqual([]);
  });

  it('omits what a check reports that sent it, or that saw it', async () => {
    const acceptance = new Acceptance();
    const [sender, seeing] = [new CheckRecord(), new CheckRecord()];
    const seen = delivery(401);
    await book(acceptance, delivery(500), sender);
    await book(acceptance, seen);
    seeing.keep(seen);
    acceptance.report(seeing);
    expect(labels(acceptance)).toEqual(['answered 500']);
    acceptance.report(sender);
    expect(labels(acceptance)).toEqual([]);
  });

  it('states that not all refusals are kept', async () => {
    const acceptance = new Acceptance();
    for (let sent = 0; sent < 60; sent++) await book(acceptance, delivery(500));
    expect(acceptance.of('api-webhooks').isFull).toBe(true);
    expect(labels(acceptance)).toHaveLength(50);
  });
});

describe('a refused delivery', () => {
  /** A run whose three surfaces have one address, and the endpoint that refuses everything at first. */
  async function refusing(send: (session: Session) => Promise<unknown>) {
    let answer: SmallAnswer = { status: 500 };
    await using endpoint = await smallEndpoint(() => answer);
    const { url } = endpoint;
    await using session = await Session.open(settingsOf(configOf({ crm: url, hooks: url, chat: url })));
    await withRecord(new CheckRecord(), () => send(session));
    answer = { status: 200 };
    const surfaces = (['crm-webhook', 'api-webhooks', 'own-ai-chat'] as const).map((surface) => {
      const { refused } = session.acceptance.of(surface);
      return [surface, refused] as const;
    });
    const found = surfaces.flatMap(([surface, refused]) => refused.map((one) => ({ surface, ...one })));
    const repeated = await Promise.all(found.map((one) => one.again('again')));
    return { found: found.map(({ surface }) => surface), repeated, bodies: endpoint.requests.map(({ body }) => body) };
  }

  it('is repeated with its content, as a new one of the same surface', async () => {
    const { found, repeated, bodies } = await refusing(async ({ crm, hooks, chat, sample }) => {
      await crm.deliver(sample.crmEvent('FinishedCall'));
      await hooks.post(hooks.sign(sample.apiWebhookEvent('appointment.created')), { label: 'an appointment' });
      await chat.deliver(chat.open(sample.messageReceived()), { label: 'a message' });
    });
    expect(found).toEqual(['crm-webhook', 'api-webhooks', 'own-ai-chat']);
    expect(repeated.map(({ answer }) => answer)).toMatchObject([{ status: 200 }, { status: 200 }, { status: 200 }]);
    const [crm, hook, chat, ...again] = bodies.map((body) => JSON.parse(body) as Record<string, unknown>);
    for (const [first, second] of [
      [crm, again[0]],
      [hook, again[1]],
    ] as const) {
      expect(second).not.toEqual(first);
      expect({ ...second, id: 0, callbackUrl: '' }).toEqual({ ...first, id: 0, callbackUrl: '' });
    }
    const textOf = (event: Record<string, unknown> | undefined) =>
      (event?.data as { message: { text: string } }).message.text;
    expect(again[2]?.id).not.toBe(chat?.id);
    expect(textOf(again[2])).toBe(textOf(chat));
  });

  it('may deviate from the schema', async () => {
    const { found, repeated } = await refusing(({ crm, sample }) =>
      crm.deliver(deviating({ ...sample.crmEvent('FinishedCall'), eventType: 1 }, '/eventType')),
    );
    expect(found).toEqual(['crm-webhook']);
    expect(repeated.map(({ answer }) => answer)).toMatchObject([{ status: 200 }]);
  });

  it('is none if it repeats another one, has another form, or should be refused', async () => {
    const { found } = await refusing(async ({ crm, hooks, chat, sample }) => {
      const first = await crm.deliver(sample.crmEvent('FinishedCall'), { toBeRefused: true });
      await crm.deliver(first.event, { callback: first.callback });
      const event = sample.apiWebhookEvent('appointment.created');
      await hooks.post(hooks.sign(event, { text: JSON.stringify(event, null, 2) }), { label: 'another form' });
      const message = await chat.deliver(chat.open(sample.messageReceived()), { label: 'refused', toBeRefused: true });
      await chat.deliver(chat.reopen(message), { label: 'again' });
    });
    expect(found).toEqual([]);
  });
});
