import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FinishedCheck } from '../../harness/checks/engine.ts';
import { inRunOrder, phaseOf, suiteGroups } from '../../harness/checks/run-order.ts';
import { limits } from '../../specs/limits.ts';
import { runEngine, type EngineResult } from './engine/run-engine.ts';
import { freePort } from '../../harness/wire/free-port.ts';
import { answerText, rawServer, type RawServer } from './raw-server.ts';
import { configOf, credentials, settingsOf } from './settings-for-tests.ts';
import { surfaces } from '../../specs/surfaces.ts';

/** Directory of small suites with one subject each. */
const root = fileURLToPath(new URL('engine', import.meta.url));
const requirement = 'crm-webhook/answers-every-event';

describe('a check', () => {
  let endpoint: RawServer;
  let run: EngineResult;
  let alone = false;
  const beside: string[] = [];
  const endOf = (title: string): FinishedCheck => {
    const found = run.checks.find((check) => check.title === title);
    if (!found)
      throw new Error(`expected a check "${title}", received ${run.checks.map((check) => check.title).join(', ')}`);
    return found;
  };

  beforeAll(async () => {
    endpoint = await rawServer((socket, { body }) => {
      const answer = () => {
        alone = false;
        socket.write(answerText('200 OK', {}, '{"ok":true}'));
      };
      if (alone) beside.push(body.toString());
      alone = body.includes('"timestampUtc":"alone"');
      // Long enough for other requests to arrive if they are admitted.
      if (alone) setTimeout(answer, 100);
      else answer();
    });
    run = await runEngine({ settings: settingsOf(configOf({ crm: endpoint.origin })), surfaces: ['judging'], root });
  });
  afterAll(() => endpoint[Symbol.asyncDispose]());

  it('passes if its judgement finds no fault', () => {
    expect(run.fault).toBeUndefined();
    expect(endOf('holds')).toMatchObject({ verdict: 'pass', requirement, level: 'must', id: `${requirement}#holds` });
    expect(endOf('holds').evidence).toHaveLength(1);
  });

  it('that judged nothing never passes, whether it delivered or not', () => {
    for (const title of ['judges nothing', 'delivers and judges nothing']) {
      expect(endOf(title)).toMatchObject({ verdict: 'blocked', code: 'nothing-judged' });
    }
  });

  it('fails with its finding, and the exchange that decided is the last of its evidence', () => {
    const { verdict, finding, message, evidence } = endOf('fails');
    expect(verdict).toBe('fail');
    expect(finding).toMatchObject({
      expected: 'status 204',
      received: expect.stringMatching(/^status 200 with \{"ok":true\} for POST http:/) as string,
    });
    expect(message).toBe(`expected ${finding?.expected}, received ${finding?.received}`);
    expect(evidence.at(-1)).toMatchObject({ label: 'the one that decides', response: { status: 200 } });
    expect(endOf('is concluded not to hold')).toMatchObject({
      verdict: 'fail',
      finding: { expected: 'more', received: 'less', hint: 'Give more.' },
    });
    expect(endOf('throws a finding')).toMatchObject({ verdict: 'fail', message: 'expected one, received two' });
  });

  it('is not exercised when it says so, with the reason', () => {
    expect(endOf('is not exercised')).toMatchObject({
      verdict: 'not-exercised',
      message: 'There was nothing to judge.',
    });
    expect(endOf('is not exercised after a judgement')).toMatchObject({ verdict: 'not-exercised' });
  });

  it('that throws anything else is blocked: the endpoint is not blamed', () => {
    expect(endOf('throws a TypeError')).toMatchObject({
      verdict: 'blocked',
      code: 'check-broken',
      message: expect.stringContaining('x is not a function') as string,
    });
    expect(endOf('throws a string')).toMatchObject({
      verdict: 'blocked',
      code: 'check-broken',
      message: expect.stringContaining('a string') as string,
    });
    expect(endOf('meets a fault of the harness')).toMatchObject({
      verdict: 'blocked',
      code: 'still-open',
      message: 'It may still come.',
    });
    const [request] = endpoint.requests.filter(({ body }) => body.includes('"timestampUtc":"now"'));
    expect(request).toBeUndefined();
    expect(endOf('sends what is not documented')).toMatchObject({
      verdict: 'blocked',
      code: 'check-broken',
      message: expect.stringContaining('crmEvent: at /timestampUtc: expected') as string,
    });
    for (const { verdict, finding } of run.checks) expect(finding !== undefined).toBe(verdict === 'fail');
  });

  it('shows no secret in any message', () => {
    expect(endOf('repeats the token')).toMatchObject({
      verdict: 'fail',
      message: 'expected no token, received the token [redacted: webhook token]',
    });
    const all = JSON.stringify(run).toLowerCase();
    for (const secret of Object.values(credentials)) expect(all).not.toContain(secret.slice(0, 8).toLowerCase());
  });

  it('that is exclusive runs alone', () => {
    expect(endOf('has the endpoint alone before others').verdict).toBe('pass');
    expect(endOf('has the endpoint alone').verdict).toBe('pass');
    const at = endpoint.requests.findLastIndex(({ body }) => body.includes('"timestampUtc":"alone"'));
    expect(at).toBeGreaterThanOrEqual(0);
    expect(beside).toEqual([]);
    // Idle connections are closed by then, too.
    const { connection } = endpoint.requests[at] ?? {};
    expect(endpoint.requests.slice(0, at).map((request) => request.connection)).not.toContain(connection);
  });

  it('is reported as it ends, once', () => {
    expect(run.reported).toBe(run.checks.length);
    expect(new Set(run.checks.map(({ id }) => id)).size).toBe(run.checks.length);
    expect(run.checks).toHaveLength(15);
  });
});

describe('--only', () => {
  it.each([
    ['a requirement', ['crm-webhook/flags-are-boolean'], ['repeats the token']],
    ['a check', [`${requirement}#judges-nothing`], ['judges nothing']],
    [
      'both',
      [`${requirement}#judges-nothing`, 'crm-webhook/flags-are-boolean'],
      ['judges nothing', 'repeats the token'],
    ],
    ['what is not there', ['crm-webhook/nothing-of-the-kind'], []],
  ])('runs %s and omits the others', async (_, only, titles) => {
    await using endpoint = await rawServer((socket) => socket.write(answerText('200 OK')));
    const { checks, fault } = await runEngine({
      settings: settingsOf(configOf({ crm: endpoint.origin }), { only }),
      surfaces: ['judging'],
      root,
    });
    expect(fault).toBeUndefined();
    expect(checks.map(({ title }) => title).sort()).toEqual(titles);
  });
});

describe('the order of suites', () => {
  it('is that of the phases, and in each of them that of surfaces in the catalogue after calls, which take longest', () => {
    const inOrder = [
      'own-ai-chat/answer-times',
      'own-ai-phone/answer-times',
      'own-ai-phone/upgrades',
      'crm-webhook/tokens',
      'own-ai-chat/later-reply',
      'own-ai-phone/interrupt',
      'api-webhooks/events',
      'own-ai-chat/messages',
      'own-ai-phone/any-dialogue',
      'crm-webhook/any-event',
      'own-ai-phone/frames',
      'crm-webhook/answers',
    ].map((name) => `/somewhere/suites/${name}.suite.ts`);
    const pathOf = (path: string) => path;
    expect(inRunOrder(inOrder.toReversed(), pathOf)).toEqual(inOrder);
    expect(inRunOrder(inOrder.toSorted(), pathOf)).toEqual(inOrder);
  });
});

describe('the suites of a phase', () => {
  it('run at the same time', async () => {
    await using endpoint = await rawServer((socket) => socket.write(answerText('204 No Content')));
    const settings = settingsOf(configOf({ crm: endpoint.origin }));
    const { checks, fault } = await runEngine({ settings, surfaces: ['together'], root });
    expect(fault).toBeUndefined();
    expect(checks.map(({ title, verdict }) => [title, verdict]).sort()).toEqual([
      ['one suite meets the other', 'pass'],
      ['other suite meets the other', 'pass'],
    ]);
  });

  it('are those of all groups, in the order of a run', () => {
    const phases = suiteGroups.map(phaseOf);
    expect(Math.min(...phases)).toBe(0);
    expect(phases.toSorted((a, b) => a - b)).toEqual(phases);
  });
});

describe('a suite', () => {
  it('that cannot be loaded is a fault of the engine, not a result', async () => {
    const { fault, checks } = await runEngine({
      settings: settingsOf(configOf({ crm: 'http://127.0.0.1:9/' })),
      surfaces: ['broken'],
      root,
    });
    expect(checks).toEqual([]);
    expect(fault?.code).toBe('engine-failed');
    expect(fault?.message).toContain('broken.suite.ts');
    expect(fault?.message).toContain('This suite is faulty.');
  });

  it('whose report about a recorded service throws is a fault of the engine', async () => {
    const { fault } = await runEngine({
      settings: settingsOf(configOf({ crm: 'http://127.0.0.1:9/' })),
      surfaces: ['deviating'],
      root,
    });
    expect(fault?.code).toBe('engine-failed');
    expect(fault?.message).toContain('This report is faulty.');
  });

  it('that does not exist has no checks', async () => {
    expect(await runEngine({ settings: settingsOf(configOf({})), surfaces: ['nowhere'], root })).toMatchObject({
      checks: [],
    });
  });

  it('whose inbox cannot listen has every check blocked', async () => {
    await using taken = await rawServer(() => undefined);
    const config = configOf({ crm: taken.origin }, { service: { host: '127.0.0.1', port: taken.port } });
    const { checks, fault } = await runEngine({ settings: settingsOf(config), surfaces: ['judging'], root });
    expect(fault).toBeUndefined();
    expect(checks).toHaveLength(15);
    for (const check of checks)
      expect(check).toMatchObject({
        verdict: 'blocked',
        message: expect.stringContaining(`127.0.0.1:${taken.port}`) as string,
      });
  });
});

describe('an endpoint that cannot be reached', () => {
  it('blocks every check of every surface, and nothing is waited for', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    const phone = { url: url.replace('http:', 'ws:'), secret: credentials.agentSecret, timeoutSeconds: 2 };
    // A client that cannot reach the API, and a list without links.
    const apiClient = { command: 'exit 1', timeoutSeconds: 5, directory: '.' };
    const deepLinks = { file: 'links.txt', links: [] };
    const config = configOf({ crm: url, hooks: url, chat: url }, { phone, apiClient, deepLinks });
    const waits = { callbackWaitMs: limits.crmCallbackWithinMs, callbackLimitMs: limits.crmCallbackWithinMs };
    const { checks, fault, ms } = await runEngine({ settings: settingsOf(config, waits), surfaces: [...surfaces] });
    expect(fault).toBeUndefined();
    expect(checks.length).toBeGreaterThan(200);
    expect(checks.filter(({ verdict }) => verdict === 'pass' || verdict === 'fail').map(({ id }) => id)).toEqual([]);
    const known: unknown[] = ['target-unreachable', 'client-silent'];
    const odd = checks.filter(({ verdict, code }) => verdict === 'blocked' && !known.includes(code));
    expect(odd.map(({ id, code }) => `${id}: ${code}`)).toEqual([]);
    for (const surface of surfaces) {
      const verdict = surface === 'deep-links' ? 'not-exercised' : 'blocked';
      expect(checks.some((one) => one.id.startsWith(`${surface}/`) && one.verdict === verdict)).toBe(true);
    }
    expect(ms).toBeLessThan(waits.callbackWaitMs / 2);
  });
});

describe('an endpoint that never answers', () => {
  it('gets only some deliveries, and without a limit does not fail', async () => {
    await using endpoint = await rawServer(() => undefined);
    const settings = settingsOf(configOf({ crm: endpoint.origin }), { answerTimeoutMs: 200 });
    const { checks } = await runEngine({ settings, surfaces: ['endless'], root });
    const waited = checks.filter(({ code }) => code === 'no-answer-yet');
    expect(waited.length).toBeGreaterThanOrEqual(2);
    expect(waited.length).toBe(endpoint.requests.length);
    const rest = checks.filter(({ code }) => code !== 'no-answer-yet');
    expect(rest.length).toBeGreaterThan(10);
    for (const check of rest) expect(check).toMatchObject({ verdict: 'blocked', code: 'target-silent' });
  });
});
