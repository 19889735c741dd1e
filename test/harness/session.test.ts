import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { beginForOthers, CheckRecord, waitsLong, withRecord } from '../../harness/checks/check-record.ts';
import { NotWanted, whileWanted } from '../../harness/checks/wanted.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { sharedLanes } from '../../harness/wire/traffic-gate.ts';
import { Session } from '../../harness/checks/session.ts';
import { StateProbe } from '../../harness/checks/state-probe.ts';
import { freePort } from '../../harness/wire/free-port.ts';
import { answerText, rawServer } from './raw-server.ts';
import { configOf, credentials, settingsOf } from './settings-for-tests.ts';

async function faultOf(run: Promise<unknown>): Promise<HarnessFault> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HarnessFault);
  return error as HarnessFault;
}

const open = (...of: Parameters<typeof configOf>) => Session.open(settingsOf(configOf(...of)));
const turns = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise((wake) => setImmediate(wake));
};

describe('a session', () => {
  it('records each exchange once, for the running check', async () => {
    await using endpoint = await rawServer((socket) => socket.write(answerText('204 No Content')));
    await using session = await open({ crm: endpoint.origin });
    const [one, two] = [new CheckRecord(), new CheckRecord()];
    await Promise.all([
      withRecord(one, async () => {
        await session.crm.deliver(session.sample.crmEvent('Manual'), { label: 'of one' });
      }),
      withRecord(two, async () => {
        await session.crm.deliver(session.sample.crmEvent('Manual'), { label: 'of two' });
        await session.crm.deliver(session.sample.crmEvent('Manual'), { label: 'of two again' });
      }),
    ]);
    expect(one.evidence.map(({ label }) => label)).toEqual(['of one']);
    expect(two.evidence.map(({ label }) => label)).toEqual(['of two', 'of two again']);
  });

  it('has no more exchanges in flight than lanes', async () => {
    const waiting: (() => void)[] = [];
    let single = 2;
    await using endpoint = await rawServer((socket) => {
      const answer = () => socket.write(answerText('204 No Content'));
      if (single-- > 0) answer();
      else waiting.push(answer);
    });
    await using session = await open({ crm: `${endpoint.origin}/crm`, hooks: `${endpoint.origin}/hooks` });
    const { hooks, sample } = session;
    const send = [
      () => session.crm.deliver(sample.crmEvent('Manual')),
      () => hooks.post(hooks.sign(sample.apiWebhookEvent()), { label: 'an event' }),
    ];
    // The first ones go alone and show that both paths are quick.
    for (const one of send) await one();
    // One process serves both paths.
    const all = Array.from({ length: sharedLanes }, () => send.map((one) => one())).flat();
    while (waiting.length < sharedLanes) await turns();
    await turns();
    expect(endpoint.requests).toHaveLength(2 + sharedLanes);
    while (endpoint.requests.length < 2 + all.length || waiting.length > 0) {
      waiting.shift()?.();
      await turns();
    }
    await Promise.all(all);
  });

  it('begins with few exchanges at once with a slow endpoint', async () => {
    let [inTheAir, most] = [0, 0];
    await using endpoint = await rawServer((socket) => {
      most = Math.max(most, ++inTheAir);
      setTimeout(() => {
        inTheAir--;
        socket.write(answerText('204 No Content'));
      }, 450);
    });
    await using session = await open({ crm: endpoint.origin });
    await session.crm.deliver(session.sample.crmEvent('Manual'));
    await Promise.all(Array.from({ length: 5 }, () => session.crm.deliver(session.sample.crmEvent('Manual'))));
    expect(most).toBeLessThanOrEqual(sharedLanes / 2);
  });

  it('does not send what is no longer wanted when it is its turn', async () => {
    await using endpoint = await rawServer((socket) => socket.write(answerText('204 No Content')));
    await using session = await open({ crm: endpoint.origin });
    const deliver = () => session.crm.deliver(session.sample.crmEvent('Manual'));
    const { promise: over, resolve: end } = Promise.withResolvers<undefined>();
    const before = session.alone(() => over);
    let isWanted = true;
    const waiting = whileWanted(() => isWanted, deliver).catch((error: unknown) => error);
    const other = whileWanted(() => true, deliver);
    await turns();
    isWanted = false;
    end(undefined);
    await before;
    expect(await waiting).toBeInstanceOf(NotWanted);
    expect((await other).answer).toMatchObject({ status: 204 });
    expect(endpoint.requests).toHaveLength(1);
  });

  it('sends forged deliveries before the valid ones that begin at the same moment', async () => {
    const arrived: string[] = [];
    await using endpoint = await rawServer((socket, { head }) => {
      arrived.push(head.includes('forged') ? 'forged' : 'valid');
      socket.write(answerText(head.includes('forged') ? '401 Unauthorized' : '204 No Content'));
    });
    await using session = await open({ crm: endpoint.origin });
    const record = new CheckRecord();
    record.part = { surface: 'crm-webhook', group: 'forged' };
    const deliver = (options: object) => session.crm.deliver(session.sample.crmEvent('Manual'), options);
    await withRecord(record, async () => {
      const valid = [deliver({}), deliver({})];
      await Promise.resolve();
      await Promise.all([...valid, deliver({ authorization: 'Bearer forged', toBeRefused: true })]);
    });
    expect(arrived).toEqual(['forged', 'valid', 'valid']);
  });

  it('sends first what later checks judge, since its exchanges follow one another', () => {
    const long: boolean[] = [];
    beginForOthers(() => Promise.resolve(long.push(waitsLong())));
    expect([...long, waitsLong()]).toEqual([true, false]);
  });

  it('gives an endpoint the requested pause, and does not count it as a failure', async () => {
    let count = 0;
    await using endpoint = await rawServer((socket) => {
      socket.write(answerText(++count < 3 ? '429 Too Many Requests' : '204 No Content', { 'Retry-After': '0' }));
    });
    await using session = await open({ crm: endpoint.origin });
    const { answer } = await session.crm.deliver(session.sample.crmEvent('Manual'));
    expect(answer).toMatchObject({ status: 204 });
    expect(count).toBe(3);
  });

  it('gives up an endpoint that keeps asking for a pause', async () => {
    await using endpoint = await rawServer((socket) => {
      socket.write(answerText('503 Service Unavailable', { 'Retry-After': '0' }));
    });
    await using session = await open({ crm: endpoint.origin });
    expect(await faultOf(session.crm.deliver(session.sample.crmEvent('Manual')))).toMatchObject({
      code: 'target-throttles',
    });
  });

  it('waits for exchanges of an earlier check before another check gets exclusive access', async () => {
    const answers: (() => void)[] = [];
    await using endpoint = await rawServer((socket) => {
      answers.push(() => socket.write(answerText('204 No Content')));
    });
    await using session = await open({ crm: endpoint.origin });
    const alone = new CheckRecord();
    alone.alone = true;
    const deliver = () => session.crm.deliver(session.sample.crmEvent('Manual'));
    const left = withRecord(alone, () => session.alone(deliver));
    while (answers.length < 1) await turns();
    // The work of the first check continues after its end.
    const also = withRecord(alone, deliver);
    while (answers.length < 2) await turns();
    answers[0]?.();
    await left;
    let isAlone = false;
    const next = session.alone(() => Promise.resolve((isAlone = true)));
    await turns();
    expect(isAlone).toBe(false);
    answers[1]?.();
    expect((await also).answer).toMatchObject({ outcome: 'answered', status: 204 });
    await next;
  });

  it('gives up an address after three failed connections, and says what to do', async () => {
    const port = await freePort();
    await using session = await open({ crm: `http://127.0.0.1:${port}/` });
    const deliver = () => session.crm.deliver(session.sample.crmEvent('Manual'));
    for (let at = 0; at < 3; at++) expect(await faultOf(deliver())).toMatchObject({ code: 'target-unreachable' });
    // An endpoint that starts to listen now is not tried either.
    let tried = 0;
    const late = createServer((socket) => {
      tried++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => late.listen(port, '127.0.0.1', resolve));
    const before = await faultOf(deliver());
    await new Promise<void>((resolve) => late.close(() => resolve()));
    expect(tried).toBe(0);
    expect(before.message).toMatch(
      new RegExp(
        `^No connection to http://127\\.0\\.0\\.1:${port}: .*ECONNREFUSED.*Check that the endpoint is running`,
      ),
    );
  });

  it('reports the last delivery that was answered before the endpoint stopped', async () => {
    const endpoint = await rawServer((socket) => socket.write(answerText('204 No Content')));
    await using session = await open({ crm: endpoint.origin });
    await session.crm.deliver(session.sample.crmEvent('Manual'), { label: 'the fatal one' });
    await endpoint[Symbol.asyncDispose]();
    const fault = await faultOf(session.crm.deliver(session.sample.crmEvent('Manual'), { fresh: true }));
    expect(fault).toMatchObject({ code: 'target-stopped' });
    expect(fault.message).toContain('It stopped after: the fatal one.');
  });
});

describe('t of a signature', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1_791_712_800_000 }));
  afterEach(() => void vi.useRealTimers());

  it('is the time at which the delivery is sent, not at which it was made or had to wait', async () => {
    await using endpoint = await rawServer((socket) => socket.write(answerText('200 OK')));
    await using session = await open({ hooks: endpoint.origin, chat: endpoint.origin });
    const delivery = session.hooks.sign(session.sample.apiWebhookEvent());
    const message = session.chat.open(session.sample.messageReceived());
    const sent: Promise<unknown>[] = [];
    await session.alone(async () => {
      sent.push(session.hooks.post(delivery, { label: 'waits' }), session.chat.deliver(message, { label: 'waits' }));
      await turns();
      expect(endpoint.requests).toEqual([]);
      vi.setSystemTime(1_791_712_890_500);
    });
    await Promise.all(sent);
    expect(endpoint.requests.map(({ head }) => /x-svc-signature: t=(\d+),/i.exec(head)?.[1])).toEqual([
      '1791712890',
      '1791712890',
    ]);
  });
});

describe('the state probe', () => {
  const probe = async (answer: Buffer) => {
    const endpoint = await rawServer((socket) => socket.write(answer));
    const session = await open({ state: `${endpoint.origin}/state` });
    try {
      return await new StateProbe(session, `${endpoint.origin}/state`).read('the state');
    } finally {
      await session[Symbol.asyncDispose]();
      await endpoint[Symbol.asyncDispose]();
    }
  };

  it('reads JSON of any kind', async () => {
    expect(await probe(answerText('200 OK', {}, '{"orders":[1,2]}'))).toEqual({ orders: [1, 2] });
    expect(await probe(answerText('200 OK', {}, 'null'))).toBeNull();
    const large = JSON.stringify({ list: Array.from({ length: 50_000 }, (_, at) => `entry ${at}`) });
    expect(await probe(answerText('200 OK', {}, large))).toEqual(JSON.parse(large));
  });

  it.each([
    ['another status', answerText('404 Not Found', {}, '{}'), 'received status 404'],
    ['no JSON', answerText('200 OK', {}, '<html>'), 'received text that is not JSON'],
    ['no body', answerText('200 OK'), 'received an empty body'],
    ['no HTTP', Buffer.from('hello\r\n\r\n'), 'received malformed'],
  ])('reports %s as a fault of the set-up', async (_, answer, message) => {
    const fault = await faultOf(probe(answer));
    expect(fault.code).toBe('observe-failed');
    expect(fault.message).toContain(message);
  });

  it('reads a state again after 503, and stops repeating after a failed series', async () => {
    const busy = answerText('503 Service Unavailable');
    const answers = [busy, answerText('200 OK', {}, '[1]'), busy, busy, busy, busy];
    await using endpoint = await rawServer((socket) => socket.end(answers.shift() ?? answerText('200 OK', {}, '[2]')));
    await using session = await open({ state: endpoint.origin });
    const state = new StateProbe(session, `${endpoint.origin}/state`);
    expect(await state.read('the state')).toEqual([1]);
    expect(await faultOf(state.read('the state'))).toMatchObject({ code: 'observe-failed' });
    expect(endpoint.requests).toHaveLength(5);
    expect(await faultOf(state.read('the state'))).toMatchObject({ code: 'observe-failed' });
    expect(endpoint.requests).toHaveLength(6);
    expect(await state.read('the state')).toEqual([2]);
  });

  it('sends a GET without secrets', async () => {
    await using endpoint = await rawServer((socket) => socket.write(answerText('200 OK', {}, '{}')));
    await using session = await open({ state: endpoint.origin, crm: endpoint.origin });
    await new StateProbe(session, `${endpoint.origin}/state?all=1`).read('the state');
    const [request] = endpoint.requests;
    expect(request?.head).toMatch(/^GET \/state\?all=1 HTTP\/1\.1\r\n/);
    for (const secret of Object.values(credentials)) expect(request?.head).not.toContain(secret);
  });
});
