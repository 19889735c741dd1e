import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { timestamp } from '../../service/clock.ts';
import { limits } from '../../specs/limits.ts';
import { signatureHeader } from '../../specs/signing.ts';
import { validate } from '../../specs/validators.ts';
import { begin } from './open-service.ts';
import { chatUrl, TalkingService, voiceUrl } from './talking-service.ts';

let talk: TalkingService;
let path: string;

beforeEach(async () => {
  talk = await TalkingService.open({ agent: { voiceUrl } });
  path = `/v1/agents/${talk.agent.agentId}`;
});
afterEach(() => talk[Symbol.asyncDispose]());

/** Expects that the latest delivery to the AI is signed with this secret. */
function expectSignedWith(secret: unknown): void {
  const request = talk.requests.findLast(({ url }) => url === chatUrl);
  const header = request?.headers.find(([name]) => name === 'X-Svc-Signature')?.[1];
  const t = Number(/^t=(\d+),/.exec(header ?? '')?.[1]);
  expect(header).toBe(signatureHeader({ secret: String(secret), t, body: request?.body ?? Buffer.of() }));
}

describe('reading', () => {
  it('service/agents-are-listed: all of them, and each by its id', async () => {
    await using two = await TalkingService.open({ agents: [{ name: 'Day' }, { name: 'Night' }] });
    const { status, body } = await two.api('GET', '/v1/agents');
    expect(status).toBe(200);
    const list = body as unknown as { agentId: number; name: string }[];
    expect(list.map(({ name }) => name)).toEqual(['Day', 'Night']);
    for (const one of list) {
      expect(await two.api('GET', `/v1/agents/${one.agentId}`)).toEqual({ status: 200, body: one });
    }
    await using none = await TalkingService.open({ agents: [] });
    expect(await none.api('GET', '/v1/agents')).toEqual({ status: 200, body: [] });
  });

  it('service/agent-has-its-members: each one, and no others', async () => {
    const { body } = await talk.api('GET', path);
    expect(validate('agent', body)).toEqual([]);
    expect(body).toMatchObject({
      agentId: talk.agent.agentId,
      name: 'Own AI',
      chatUrl,
      voiceUrl,
      timeoutSeconds: limits.ownAiTimeoutSecondsDefault,
      hasSecret: true,
      voiceId: '',
      lastSuccessAt: null,
      lastFailureAt: null,
      lastError: null,
      consecutiveFailures: 0,
      skillsPerHourLimit: talk.agent.skillsPerHourLimit,
      forwardsPerCallLimit: talk.agent.forwardsPerCallLimit,
    });
    expect((body.skills as { key: string }[]).map(({ key }) => key)).toEqual(['sales', 'support', 'urgent', 'leak']);
    expect(Object.keys(body)).toHaveLength(14);
  });

  it('service/agent-skills-show-opening-hours: and not what makes them refuse', async () => {
    const [first, second] = talk.agent.skills;
    if (!first || !second) throw new Error('expected two skills');
    Object.assign(first, { hoursLimited: true, refuse: 'outside-hours', needsApproval: true });
    const { body } = await talk.api('GET', path);
    const [listed, other] = body.skills as object[];
    expect(listed).toEqual({
      id: 1,
      key: 'sales',
      name: 'Sales',
      kind: 'forward',
      announcement: null,
      hoursLimited: true,
    });
    expect(other).toMatchObject({ key: 'support', hoursLimited: false });
  });

  it('shows the connection status', async () => {
    talk.answer = () => 500;
    await talk.writes('Hello?');
    await talk.writes('Hello?');
    const failed = await talk.api('GET', path);
    expect(failed.body).toMatchObject({ lastSuccessAt: null, lastFailureAt: timestamp(begin), consecutiveFailures: 2 });
    expect(failed.body.lastError).toContain('500');
    await talk.service.clock.move(60_000);
    await talk.writesAndGets(204);
    const { body } = await talk.api('GET', path);
    expect(body).toMatchObject({ lastSuccessAt: timestamp(begin + 60_000), consecutiveFailures: 0 });
    // The last failure can still be read.
    expect(body).toMatchObject({ lastFailureAt: timestamp(begin), lastError: failed.body.lastError });
    expect(validate('agent', body)).toEqual([]);
  });

  it('of one that does not exist is answered 404', async () => {
    for (const id of ['999999', '0', '-1', 'x', '1.5', '99999999999999999999']) {
      for (const [method, rest] of [
        ['GET', ''],
        ['POST', '/secret'],
        ['POST', '/test'],
      ] as const) {
        const { status, body } = await talk.api(method, `/v1/agents/${id}${rest}`);
        expect({ status, title: body.title }, `${method} ${id}${rest}`).toEqual({ status: 404, title: 'not_found' });
      }
    }
    expect(await talk.api('PATCH', '/v1/agents/999999', { voiceId: 'x' })).toMatchObject({ status: 404 });
  });
});

describe('changing', () => {
  it('service/agent-change-leaves-the-rest', async () => {
    const { body: before } = await talk.api('GET', path);
    const { status, body } = await talk.api('PATCH', path, { voiceId: 'anna' });
    expect({ status, body }).toEqual({ status: 200, body: { ...before, voiceId: 'anna' } });
    const other = { chatUrl: 'https://other.example/chat', voiceUrl: 'wss://other.example/v', timeoutSeconds: 20 };
    const { body: changed } = await talk.api('PATCH', path, other);
    expect(changed).toEqual({ ...body, ...other });
    expect(await talk.api('PATCH', path, {})).toEqual({ status: 200, body: changed });
    expect((await talk.api('GET', path)).body).toEqual(changed);
  });

  it('service/agent-empty-address-disconnects: that channel, and messages go to the team', async () => {
    const { body } = await talk.api('PATCH', path, { chatUrl: '' });
    expect(body).toMatchObject({ chatUrl: '', voiceUrl });
    await talk.writes('Hello?');
    expect(talk.taken).toEqual([]);
    expect(talk.shownToTeam).toHaveLength(1);
    const { body: both } = await talk.api('PATCH', path, { voiceUrl: '', voiceId: '' });
    expect(both).toMatchObject({ chatUrl: '', voiceUrl: '', voiceId: '' });
  });

  it('service/agent-waiting-time-stays-in-bounds', async () => {
    const { ownAiTimeoutSecondsMin: least, ownAiTimeoutSecondsMax: most, ownAiTimeoutSecondsDefault } = limits;
    expect((await talk.api('GET', path)).body.timeoutSeconds).toBe(ownAiTimeoutSecondsDefault);
    for (const [asked, kept] of [
      [least - 1, least],
      [-1_000_000, least],
      [0, least],
      [least, least],
      [17, 17],
      [most, most],
      [most + 1, most],
      [1_000_000, most],
    ] as const) {
      const { status, body } = await talk.api('PATCH', path, { timeoutSeconds: asked });
      expect({ status, kept: body.timeoutSeconds }, String(asked)).toEqual({ status: 200, kept });
    }
  });

  it('service/agent-chat-address-is-https: public, and else nothing is changed', async () => {
    const { body: before } = await talk.api('GET', path);
    for (const url of [
      'http://integrator.example/chat',
      'wss://integrator.example/chat',
      'https://10.0.0.1/chat',
      'https://192.168.1.1/chat',
      'integrator.example',
      '/chat',
      ' ',
    ]) {
      const { status, body } = await talk.api('PATCH', path, { voiceId: 'anna', chatUrl: url });
      expect({ status, title: body.title }, url).toEqual({ status: 400, title: 'invalid_chat_url' });
    }
    expect((await talk.api('GET', path)).body).toEqual(before);
  });

  it('service/agent-voice-address-is-wss: public, and else nothing is changed', async () => {
    const { body: before } = await talk.api('GET', path);
    for (const url of [
      'ws://integrator.example/voice',
      'https://integrator.example/voice',
      'wss://10.0.0.1/voice',
      'integrator.example',
      'wss://',
    ]) {
      const change = { chatUrl: 'https://other.example/chat', timeoutSeconds: 3, voiceUrl: url };
      const { status, body } = await talk.api('PATCH', path, change);
      expect({ status, title: body.title }, url).toEqual({ status: 400, title: 'invalid_voice_url' });
    }
    expect((await talk.api('GET', path)).body).toEqual(before);
  });

  it('accepts addresses of this machine, for an endpoint under development', async () => {
    const change = { chatUrl: 'http://127.0.0.1:8080/chat', voiceUrl: 'ws://localhost:8080/voice' };
    expect(await talk.api('PATCH', path, change)).toMatchObject({ status: 200, body: change });
  });
});

describe('the secret', () => {
  it('service/agent-secret-is-made', async () => {
    await using bare = await TalkingService.open({ agent: { secret: null } });
    const { agentId } = bare.agent;
    expect((await bare.api('GET', `/v1/agents/${agentId}`)).body.hasSecret).toBe(false);
    const { status, body } = await bare.api('POST', `/v1/agents/${agentId}/secret`);
    expect(status).toBe(200);
    expect(body.secret).toMatch(/^whsec_.{20,}$/);
    expect(Object.keys(body)).toEqual(['secret']);
    expect((await bare.api('GET', `/v1/agents/${agentId}`)).body.hasSecret).toBe(true);
  });

  it('service/agent-never-shows-its-secret: in no later answer, and in no log entry', async () => {
    const { secret } = (await talk.api('POST', `${path}/secret`)).body;
    await talk.writes('Hello?');
    talk.phoneFails = `refused ${String(secret)}`;
    const answers = await Promise.all([
      talk.api('GET', '/v1/agents'),
      talk.api('GET', path),
      talk.api('PATCH', path, { voiceId: 'anna' }),
      talk.api('POST', `${path}/test`),
    ]);
    for (const { status } of answers) expect(status).toBe(200);
    expect(JSON.stringify([answers, talk.service.events.kept])).not.toContain(secret);
  });

  it('service/agent-secret-replaces-at-once: of two in a row only the second signs', async () => {
    const { secret: first } = (await talk.api('POST', `${path}/secret`)).body;
    await talk.writes('Hello?');
    expectSignedWith(first);
    const { secret: second } = (await talk.api('POST', `${path}/secret`)).body;
    expect(second).not.toBe(first);
    await talk.writes('Hello?');
    expectSignedWith(second);
    await talk.api('POST', `${path}/test`);
    expectSignedWith(second);
    expect(talk.dialled.at(-1)?.secret).toBe(second);
  });
});

describe('testing', () => {
  it('service/agent-test-pings-and-dials: first the one, then the other, each once', async () => {
    const order: string[] = [];
    talk.answer = (event) => {
      order.push(event === undefined ? `ping, ${talk.dialled.length} calls before` : 'event');
      return 204;
    };
    const { status, body } = await talk.api('POST', `${path}/test`);
    expect(status).toBe(200);
    expect(validate('agentTest', body)).toEqual([]);
    expect(body).toMatchObject({ success: true, statusCode: 204, error: null });
    expect(order).toEqual(['ping, 0 calls before']);
    expect(talk.dialled).toMatchObject([{ url: voiceUrl, ended: true }]);
    expectSignedWith(talk.agent.secret);
  });

  it('passes with any 2xx', async () => {
    for (const code of [200, 201, 202, 204, 299]) {
      talk.answer = () => code;
      expect((await talk.api('POST', `${path}/test`)).body).toMatchObject({ success: true, statusCode: code });
    }
  });

  it('service/agent-test-tells-a-failure: of the ping, of the phone, and of what is missing', async () => {
    talk.answer = () => 401;
    const ping = await talk.api('POST', `${path}/test`);
    expect(ping).toMatchObject({ status: 200, body: { success: false, statusCode: 401 } });
    expect(ping.body.error).toContain('401');
    talk.answer = () => 204;
    talk.phoneFails = 'no answer within 5 s';
    const phone = await talk.api('POST', `${path}/test`);
    expect(phone).toMatchObject({ status: 200, body: { success: false, statusCode: 204 } });
    expect(phone.body.error).toContain('no answer within 5 s');
    const dialled = talk.dialled.length;
    await talk.api('PATCH', path, { voiceUrl: '' });
    expect((await talk.api('POST', `${path}/test`)).body).toMatchObject({ success: true, statusCode: 204 });
    expect(talk.dialled).toHaveLength(dialled);
    await talk.api('PATCH', path, { chatUrl: '' });
    const none = await talk.api('POST', `${path}/test`);
    expect(none).toMatchObject({ status: 200, body: { success: false, statusCode: null, durationMs: 0 } });
    expect(none.body.error).toContain('address');
    talk.agent.secret = undefined;
    await talk.api('PATCH', path, { chatUrl });
    const before = talk.requests.length;
    const bare = await talk.api('POST', `${path}/test`);
    expect(bare).toMatchObject({ status: 200, body: { success: false, statusCode: null } });
    expect(bare.body.error).toContain('secret');
    expect(talk.requests).toHaveLength(before);
    for (const { body } of [ping, phone, none, bare]) expect(validate('agentTest', body)).toEqual([]);
  });
});
