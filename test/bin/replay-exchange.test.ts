import { describe, expect, it } from 'vitest';
import { replayExchange } from '../../run/replay/replay-exchange.ts';
import { Connection } from '../../diagnosis/connection.ts';
import { toRecords } from '../../harness/checks/evidence.ts';
import type { WireExchange } from '../../harness/wire/observation.ts';
import { redactor } from '../../service/redact.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { hmacHex, signedBytes } from '../../specs/signing.ts';
import type { CheckResult, DiagnosedSurface, Exchange, Report } from '../../specs/generated/types.ts';
import { recordingServer } from '../server-fixture.ts';
import { startIntegrator } from '../../examples/integrator/server.ts';
import { smallEndpoint, type SmallAnswer, type SmallRequest } from './small-endpoint.ts';

const secret = 'whsec_agent_Kx7mQp2Vw9';
const apiKey = 'svc_sk_1234567890abcdef';

function configOf(surface: DiagnosedSurface, url: string): ResolvedConfig {
  const timeoutSeconds = 5;
  return {
    ...(surface === 'crm-webhook' && { crmWebhook: { url, token: secret } }),
    ...(surface === 'api-webhooks' && { apiWebhooks: { url, secret } }),
    ...(surface === 'own-ai-chat' && { chat: { url, secret, timeoutSeconds } }),
    ...(surface === 'own-ai-phone' && { phone: { url, secret, timeoutSeconds } }),
    skills: [],
    stimuli: {},
    service: { host: '127.0.0.1', port: 0, apiKey },
  };
}

/** A report with the exchanges of `act` on a connection to this address. */
async function recorded(
  surface: DiagnosedSurface,
  url: string,
  act: (connection: Connection) => Promise<readonly WireExchange[]>,
): Promise<Report & { exchanges: [Exchange, ...Exchange[]] }> {
  await using connection = await Connection.open(surface, configOf(surface, url), { seed: 1, withinMs: 20_000 });
  const records = toRecords(await act(connection), redactor([{ name: 'secret', value: secret }]));
  const exchanges = records.map((record, at) => ({ id: `ex-${at + 1}`, ...record })) as [Exchange, ...Exchange[]];
  return {
    schemaVersion: 2,
    harness: { name: 'svc-conform', version: '0' },
    protocol: '2026-10-11',
    startedAt: '2026-10-11T08:30:00.000Z',
    durationMs: 1,
    seed: 1,
    verdict: 'conformant',
    summary: { pass: 0, fail: 0, warn: 0, advice: 0, blocked: 0, notExercised: 0, notApplicable: 0 },
    target: { [surface]: { url } },
    requirements: [],
    checks: [],
    exchanges,
    timings: [],
  };
}

/** Answers a delivery with a valid signature through this function, and every other one with 401. */
function verifying(answer: (request: SmallRequest) => SmallAnswer) {
  return (request: SmallRequest): SmallAnswer => {
    const [, t = '', v1 = ''] = /^t=(\d+),v1=(.*)$/.exec(String(request.headers['x-svc-signature'])) ?? [];
    const isRight = hmacHex(secret, signedBytes(Number(t), request.body)) === v1;
    const isNow = Math.abs(Date.now() / 1000 - Number(t)) < 300;
    return isRight && isNow ? answer(request) : { status: 401 };
  };
}

const json = { 'content-type': 'application/json' };
const chatAnswer = (text: unknown) => ({ status: 200, headers: json, body: JSON.stringify({ text }) });

describe('a replayed delivery', () => {
  it('has a new signature, id and reply address, and counts as the same if the answer is', async () => {
    await using endpoint = await smallEndpoint(verifying(() => chatAnswer('Hello')));
    const report = await recorded('own-ai-chat', endpoint.url, async (connection) => [
      await connection.ask(connection.case().delivery, { label: 'a message' }),
    ]);
    const { outcome, now } = await replayExchange(
      report.exchanges[0],
      'own-ai-chat',
      report,
      configOf('own-ai-chat', endpoint.url),
    );
    expect({ outcome, now }).toEqual({ outcome: 'same', now: 'the same (answer, shape of the body)' });
    const [then, again] = endpoint.requests.map(({ headers, body }) => {
      const { id, data } = JSON.parse(body) as { id: string; data: { replyUrl: string; message: { text: string } } };
      return { id, idSent: headers['x-svc-delivery-id'], reply: data.replyUrl, text: data.message.text };
    });
    expect(again?.id).toBe(again?.idSent);
    expect(again?.id).toMatch(/^evt_/);
    expect(again?.id).not.toBe(then?.id);
    expect(again?.reply).not.toBe(then?.reply);
    expect(again?.text).toBe(then?.text);
  });

  it('ends when it is no longer waited for, although the endpoint never answers', async () => {
    const ending = new AbortController();
    let count = 0;
    await using endpoint = await recordingServer((_, response) => {
      if (++count === 1) response.writeHead(204).end();
      else ending.abort(new Error('over'));
    });
    const url = `http://${endpoint.host}/`;
    const report = await recorded('own-ai-chat', url, async (connection) => [
      await connection.ask(connection.case().delivery, { label: 'a message' }),
    ]);
    const config = configOf('own-ai-chat', url);
    const again = replayExchange(report.exchanges[0], 'own-ai-chat', report, config, ending.signal);
    await expect(again).rejects.toThrow('over');
  });

  it('keeps every byte of its body except for the address', async () => {
    await using endpoint = await smallEndpoint(verifying(() => ({ status: 204 })));
    const write = (event: unknown) => JSON.stringify(event, null, 3).replaceAll('/', String.raw`\/`);
    const report = await recorded('own-ai-chat', endpoint.url, async (connection) => [
      await connection.ask(connection.case({ write }).delivery, { label: 'a message' }),
    ]);
    await replayExchange(report.exchanges[0], 'own-ai-chat', report, configOf('own-ai-chat', endpoint.url));
    const plain = endpoint.requests.map(({ body }) =>
      body.replaceAll(/evt_[0-9a-f]+/g, 'id').replaceAll(/"replyUrl":.*/g, 'address'),
    );
    expect(plain).toHaveLength(2);
    expect(plain[1]).toBe(plain[0]);
  });

  it('is different if the status or the shape of the body differs', async () => {
    const answers = [chatAnswer('Hello'), chatAnswer(7), { status: 500 }];
    await using endpoint = await smallEndpoint(verifying(() => answers.shift() ?? { status: 204 }));
    const report = await recorded('own-ai-chat', endpoint.url, async (connection) => [
      await connection.ask(connection.case().delivery, { label: 'a message' }),
    ]);
    const again = () =>
      replayExchange(report.exchanges[0], 'own-ai-chat', report, configOf('own-ai-chat', endpoint.url));
    expect(await again()).toMatchObject({
      outcome: 'different',
      was: 'shape of the body: { text: string }',
      now: 'shape of the body: { text: number }',
    });
    expect(await again()).toMatchObject({
      outcome: 'different',
      was: expect.stringContaining('answer: status 200') as string,
      now: expect.stringContaining('answer: status 500') as string,
    });
  });

  it('keeps the time offset of its signature', async () => {
    await using endpoint = await smallEndpoint(verifying(() => ({ status: 200 })));
    const report = await recorded('api-webhooks', endpoint.url, async (connection) => [
      await connection.ask(connection.case().delivery.with({ offsetSeconds: -900 }), { label: 'an old delivery' }),
    ]);
    const { outcome } = await replayExchange(
      report.exchanges[0],
      'api-webhooks',
      report,
      configOf('api-webhooks', endpoint.url),
    );
    expect(outcome).toBe('same');
    const [then, again] = endpoint.requests.map(({ headers }) =>
      Number(/^t=(\d+)/.exec(String(headers['x-svc-signature']))?.[1]),
    );
    expect(Math.abs((again ?? 0) - (then ?? 0))).toBeLessThan(60);
    expect(Date.now() / 1000 - (again ?? 0)).toBeGreaterThan(600);
  });

  it('waits for the callback that the recorded delivery had', async () => {
    const integrator = await startIntegrator({
      crmToken: secret,
      hookSecret: secret,
      agentSecret: secret,
      apiKey,
      answer: 'later',
      log: () => undefined,
    });
    try {
      const report = await recorded('crm-webhook', integrator.crmUrl, async (connection) => {
        const { delivery, box } = connection.case();
        const signed = delivery.withHeader('Authorization', `Bearer ${secret}`);
        const observation = await connection.ask(signed, { label: 'a lookup' });
        return [observation, ...((await box?.atLeast(1, { withinMs: 5_000 })) ?? [])];
      });
      expect(report.exchanges).toHaveLength(2);
      const citing = { requirement: 'crm-webhook/calls-back-after-202', evidence: ['ex-1'] } as unknown as CheckResult;
      const again = (url: string) =>
        replayExchange(
          report.exchanges[0],
          'crm-webhook',
          { ...report, checks: [citing] },
          configOf('crm-webhook', url),
        );
      expect(await again(integrator.crmUrl)).toMatchObject({
        outcome: 'same',
        now: expect.stringContaining('requests that followed') as string,
      });
    } finally {
      await integrator.close();
    }
  });
});

describe('an exchange that cannot be replayed', () => {
  it('because there is no connection', async () => {
    const endpoint = await smallEndpoint(() => ({ status: 204 }));
    const report = await recorded('api-webhooks', endpoint.url, async (connection) => [
      await connection.ask(connection.case().delivery, { label: 'a delivery' }),
    ]);
    await endpoint[Symbol.asyncDispose]();
    const config = configOf('api-webhooks', endpoint.url);
    expect(await replayExchange(report.exchanges[0], 'api-webhooks', report, config)).toMatchObject({
      outcome: 'not-tried',
      now: expect.stringContaining('no connection') as string,
    });
  });
});

describe('an exchange that is not replayed because its original form is unknown', () => {
  async function refused(change: (exchange: Exchange) => Exchange, over: Partial<Report> = {}) {
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const report = { ...(await recordedHook(endpoint.url)), ...over };
    const sent = endpoint.requests.length;
    const [exchange] = report.exchanges as [Exchange];
    const replayed = await replayExchange(
      change(exchange),
      'api-webhooks',
      report,
      configOf('api-webhooks', endpoint.url),
    );
    expect(endpoint.requests).toHaveLength(sent);
    return replayed;
  }

  function recordedHook(url: string): Promise<Report> {
    return recorded('api-webhooks', url, async (connection) => [
      await connection.ask(connection.case().delivery, { label: 'a delivery' }),
    ]);
  }

  const withBody = (exchange: Exchange, body: string, bodyBytes = Buffer.byteLength(body)): Exchange => ({
    ...exchange,
    request: { ...exchange.request, body, bodyBytes },
  });

  it.each<[string, string, (exchange: Exchange) => Exchange]>([
    ['a body that was cut', 'its recorded body is incomplete', (one) => withBody(one, one.request.body, 9_999)],
    [
      'a body without its secret',
      'a secret in its body was redacted',
      (one) => withBody(one, '{"key":"[redacted: API key]"}'),
    ],
    ['a body that was changed after signing', 'its signature does not match', (one) => withBody(one, '{}')],
    ['what the endpoint sent itself', 'the endpoint sent this request itself', (one) => ({ ...one, kind: 'callback' })],
  ])('%s', async (_, why, change) => {
    expect(await refused(change)).toMatchObject({ outcome: 'not-tried', now: expect.stringContaining(why) as string });
  });

  it('an anonymised report', async () => {
    expect(await refused((one) => one, { anonymized: true })).toMatchObject({
      outcome: 'not-tried',
      now: expect.stringContaining('anonymised') as string,
    });
  });

  it('a token that no record shows, where it may have been deliberately invalid', async () => {
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const report = await recorded('crm-webhook', endpoint.url, async (connection) => [
      await connection.ask(connection.case().delivery.withHeader('Authorization', 'Bearer wrong'), { label: 'x' }),
    ]);
    const citing = { requirement: 'crm-webhook/refuses-wrong-token', evidence: ['ex-1'] } as unknown as CheckResult;
    const replayed = await replayExchange(
      report.exchanges[0],
      'crm-webhook',
      { ...report, checks: [citing] },
      configOf('crm-webhook', endpoint.url),
    );
    expect(replayed).toMatchObject({ outcome: 'not-tried', now: expect.stringContaining('token') as string });
    expect(endpoint.requests).toHaveLength(1);
  });
});

describe('a replayed call', () => {
  it('is the same if the AI reacts as before, and different if the AI rejects every call', async () => {
    const agent = { crmToken: secret, hookSecret: secret, apiKey, log: () => undefined };
    const integrator = await startIntegrator({ ...agent, agentSecret: secret });
    const strict = await startIntegrator({ ...agent, agentSecret: 'whsec_another_one' });
    try {
      const report = await recorded('own-ai-phone', integrator.voiceUrl, async (connection) => [
        await connection.hold({ label: 'a call' }, async (call) => {
          await call.ask('What are your opening hours?');
          await call.ask('Thank you.');
          return call.observation;
        }),
      ]);
      const again = (url: string) =>
        replayExchange(report.exchanges[0], 'own-ai-phone', report, configOf('own-ai-phone', url));
      expect(await again(integrator.voiceUrl)).toMatchObject({
        outcome: 'same',
        now: expect.stringMatching(
          /^the same \(upgrade, prompt \(frame \d+\), prompt \(frame \d+\), who ended the call\)$/,
        ) as string,
      });
      expect(await again(strict.voiceUrl)).toMatchObject({ outcome: 'different' });
    } finally {
      await integrator.close();
      await strict.close();
    }
  });

  it('is dialled where it was refused, without a signature if it had none', async () => {
    const integrator = await startIntegrator({
      crmToken: secret,
      hookSecret: secret,
      agentSecret: secret,
      apiKey,
      log: () => undefined,
    });
    try {
      const report = await recorded('own-ai-phone', integrator.voiceUrl, async (connection) => {
        const upgrade: SignedDelivery = connection.session.phone.upgrade();
        return [await connection.dial(upgrade.with({ write: () => undefined }), 'a call without a signature')];
      });
      expect(
        await replayExchange(
          report.exchanges[0],
          'own-ai-phone',
          report,
          configOf('own-ai-phone', integrator.voiceUrl),
        ),
      ).toMatchObject({ outcome: 'same', was: 'status 401' });
    } finally {
      await integrator.close();
    }
  });
});
