import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { startIntegrator } from '../../examples/integrator/server.ts';
import { Connection, OutOfTime } from '../../diagnosis/connection.ts';
import { diagnose, isPassed, type DiagnoseOptions } from '../../diagnosis/diagnose.ts';
import type { ProbeOutcome, Probe } from '../../diagnosis/outcome.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { DiagnosedSurface, Diagnosis } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';

const secret = 'whsec_of-the-diagnose-tests';
const token = 'token-of-the-diagnose-tests';
const nothing: ProbeOutcome = { suspects: [], passed: [], seen: [] };
const never: Probe = () => Promise.resolve(nothing);
const content: Probe = () => Promise.resolve({ ...nothing, passed: ['It was checked.'] });

interface Endpoint extends AsyncDisposable {
  url: string;
  asked: number;
}

/** An endpoint that accepts requests signed with `key`, or with the header that it names. */
async function endpoint(isRight: (request: IncomingMessage, body: string) => boolean): Promise<Endpoint> {
  const state = { asked: 0 };
  const server = createServer((request, response) => {
    state.asked++;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(isRight(request, Buffer.concat(chunks).toString()) ? 204 : 401).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`,
    get asked() {
      return state.asked;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const signedWith =
  (key: string) =>
  ({ headers }: IncomingMessage, body: string): boolean => {
    const [, t = '', v1 = ''] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['x-svc-signature'])) ?? [];
    return createHmac('sha256', key).update(`${t}.${body}`).digest('hex') === v1;
  };

async function diagnosed(
  surface: DiagnosedSurface,
  endpoints: Partial<ResolvedConfig>,
  { withinMs = 30_000, ...options }: DiagnoseOptions & { withinMs?: number } = {},
): Promise<Diagnosis> {
  const config = { skills: [], stimuli: {}, service: { host: '127.0.0.1', port: 0 }, ...endpoints };
  await using connection = await Connection.open(surface, config, { seed: 7, withinMs });
  const diagnosis = await diagnose(connection, { load: () => Promise.resolve(never), ...options });
  expect(validate('diagnosis', diagnosis)).toEqual([]);
  return diagnosis;
}

const hooksAt = (url: string, key = secret) => ({ apiWebhooks: { url, secret: key } });
const results = ({ stages }: Diagnosis) => stages.map(({ result }) => result);

describe('diagnose', () => {
  it('completes all stages of a correct endpoint', async () => {
    await using right = await endpoint(signedWith(secret));
    const diagnosis = await diagnosed('api-webhooks', hooksAt(right.url), { load: () => Promise.resolve(content) });
    expect(diagnosis).toMatchObject({
      cause: null,
      suspects: [],
      stage: 'refusals',
      seed: 7,
      deliveries: 1,
    });
    expect(results(diagnosis)).toEqual([
      'passed',
      'not-applicable',
      'passed',
      'not-applicable',
      ...Array<string>(5).fill('passed'),
    ]);
    expect(isPassed(diagnosis)).toBe(true);
    expect(diagnosis.deliveries).toBe(right.asked);
    expect(diagnosis.note).toContain('Everything works.');
  });

  it('stops at the cause, and reports nothing about later stages', async () => {
    const diagnosis = await diagnosed('api-webhooks', hooksAt('http://127.0.0.1:1/in'));
    expect(diagnosis).toMatchObject({ stage: 'tcp', cause: { id: 'network/refused' }, deliveries: 0 });
    expect(results(diagnosis)).toEqual(['passed', 'not-applicable', 'cause', ...Array<string>(6).fill('not-reached')]);
    expect(isPassed(diagnosis)).toBe(false);
  });

  it('continues after a suspicion, and ranks it behind the cause that is found later', async () => {
    await using right = await endpoint(() => true);
    const probes: Record<string, ProbeOutcome> = {
      signature: { ...nothing, suspects: [{ id: 'config/placeholder', why: 'It looks so.' }] },
      payload: {
        ...nothing,
        found: { id: 'http/csrf', summary: 'Found.', remediation: 'Fix it.' },
        passed: ['A thing is fine.'],
      },
    };
    const diagnosis = await diagnosed('api-webhooks', hooksAt(right.url), {
      load: (name) => Promise.resolve(() => Promise.resolve(probes[name] ?? nothing)),
    });
    expect(diagnosis).toMatchObject({
      stage: 'protocol',
      cause: { id: 'http/csrf', summary: 'Found.', remediation: 'Fix it.' },
      suspects: [{ id: 'config/placeholder', why: 'It looks so.' }],
    });
    expect(diagnosis.passed).toContain('A thing is fine.');
    expect(results(diagnosis).slice(5)).toEqual(['suspect', 'cause', 'not-reached', 'not-reached']);
  });

  it('continues after a weakness to the cause behind it, also within a stage', async () => {
    await using right = await endpoint(() => true);
    const found: Record<string, ProbeOutcome['found']> = {
      weakness: { id: 'signature/refused-with-another-status' },
      window: { id: 'signature/window-missing' },
      signature: { id: 'signature/body-compact' },
    };
    const load = (names: readonly string[]) => (name: string) =>
      Promise.resolve<Probe>(() =>
        Promise.resolve({ ...nothing, passed: ['It works.'], found: names.includes(name) ? found[name] : undefined }),
      );
    const failing = ['refuses-missing-signature', 'refuses-stale-timestamp'].map((slug) => ({
      requirement: `api-webhooks/${slug}`,
    }));
    const both = await diagnosed('api-webhooks', hooksAt(right.url), { failing, load: load(['window', 'signature']) });
    expect(both.cause?.id).toBe('signature/body-compact');
    expect(both.suspects).toMatchObject([
      { id: 'signature/window-missing', why: expect.stringContaining('does not explain') as string },
    ]);
    const weak = await diagnosed('api-webhooks', hooksAt(right.url), { failing, load: load(['weakness', 'window']) });
    expect(weak.cause?.id).toBe('signature/refused-with-another-status');
    expect(weak.suspects).toMatchObject([{ id: 'signature/window-missing', why: 'It was confirmed as well.' }]);
  });

  const advice = { id: 'payload/large-number', why: 'It is advice.', isConfirmed: true } as const;
  const following = (briefly: unknown[], payload: ProbeOutcome) => (name: string) =>
    Promise.resolve<Probe>((_, __, options) => {
      if (options?.requests === 'invalid') briefly.push(options.isBrief);
      return Promise.resolve(name === 'payload' ? payload : { ...nothing, passed: ['It works.'] });
    });

  it('examines the refusals in full where only advice is not followed, and does not call all requirements met', async () => {
    await using right = await endpoint(signedWith(secret));
    const briefly: unknown[] = [];
    const load = following(briefly, { ...nothing, suspects: [advice] });
    const diagnosis = await diagnosed('api-webhooks', hooksAt(right.url), { load });
    expect(briefly).toEqual([false]);
    expect(diagnosis.suspects).toMatchObject([{ id: advice.id, confirmed: true }]);
    expect(diagnosis.note).toContain('Everything works, but not all advice is followed.');
    const notObserved = ['It could not be checked.'];
    const open = following([], { ...nothing, suspects: [advice], notObserved });
    const { note } = await diagnosed('api-webhooks', hooksAt(right.url), { load: open });
    expect(note).toContain('Everything that could be checked works, but not all advice is followed.');
  });

  it('does not say that everything works next to advice if a later stage was not reached', async () => {
    await using right = await endpoint(signedWith(secret));
    const load = following([], { ...nothing, suspects: [advice] });
    const { note } = await diagnosed('api-webhooks', hooksAt(right.url), { load, through: 'protocol' });
    expect(note).toContain('The diagnosis did not finish: it ended in the stage protocol.');
  });

  it('does not say that everything works next to advice if a valid request was refused', async () => {
    await using closed = await endpoint(() => false);
    const load = following([], { ...nothing, suspects: [advice] });
    const { note } = await diagnosed('api-webhooks', hooksAt(closed.url), { load });
    expect(note).toContain('Something is wrong, but the cause could not be determined.');
  });

  it('does not pass a stage that ran out of time, or that the endpoint broke off', async () => {
    await using right = await endpoint(() => true);
    const failing = async (error: Error) =>
      await diagnosed('api-webhooks', hooksAt(right.url), { load: () => Promise.resolve(() => Promise.reject(error)) });
    const silent = { url: right.url, count: 8, what: 'deliveries', answerTimeoutMs: 1000 };
    for (const error of [new OutOfTime('over'), new HarnessFault('target-silent:all', silent)]) {
      const diagnosis = await failing(error);
      expect(diagnosis).toMatchObject({ cause: null, suspects: [], stage: 'authentication' });
      expect(isPassed(diagnosis)).toBe(false);
      expect(results(diagnosis).slice(5)).toEqual(Array(4).fill('not-reached'));
    }
    await expect(failing(new HarnessFault('check-broken:no-body'))).rejects.toMatchObject({ code: 'check-broken' });
  });

  it('asks each probe about the failures of its kind', async () => {
    await using right = await endpoint(() => true);
    const asked: [string, string | undefined][] = [];
    await diagnosed('api-webhooks', hooksAt(right.url), {
      failing: [
        { requirement: 'api-webhooks/accepts-valid-signature' },
        { requirement: 'api-webhooks/refuses-stale-timestamp' },
      ],
      load: (name) =>
        Promise.resolve((_, failing) => {
          asked.push([name, failing?.requirement]);
          return Promise.resolve({ ...nothing, passed: ['It works.'] });
        }),
    });
    expect(asked).toEqual([
      ['signature', 'api-webhooks/accepts-valid-signature'],
      ['payload', undefined],
      ['timing', undefined],
      ['deduplication', undefined],
      ['window', 'api-webhooks/refuses-stale-timestamp'],
      ['signature', undefined],
    ]);
  });

  it.each<[string, ProbeOutcome, string[]]>([
    [
      'leaves open whether a path is missing or a secret wrong',
      { ...nothing, suspects: [{ id: 'signature/unknown-scheme', why: 'x' }], ends: true },
      ['http/path-not-found', 'signature/unknown-scheme', 'signature/other-secret'],
    ],
    ['leaves that open where nothing could be asked, too', nothing, ['http/path-not-found', 'signature/other-secret']],
    [
      'suspects no missing path if the endpoint distinguishes correct requests from faulty ones',
      { ...nothing, suspects: [{ id: 'signature/refused-afterwards', why: 'x' }] },
      ['signature/refused-afterwards'],
    ],
    [
      'suspects no missing path in addition to a cause that is found there',
      { ...nothing, found: { id: 'config/placeholder' } },
      [],
    ],
  ])('%s', async (_, outcome, ids) => {
    await using integrator = await integratorOf();
    const load = () => Promise.resolve(() => Promise.resolve(outcome));
    const { cause, suspects } = await diagnosed('api-webhooks', hooksAt(`${integrator.hooksUrl}x`), { load });
    expect({ cause: cause?.id, ids: suspects.map(({ id }) => id) }).toEqual({ cause: outcome.found?.id, ids });
  });

  it('does not pass a stage without observations, and gives the reason', async () => {
    await using right = await endpoint(signedWith(secret));
    const diagnosis = await diagnosed('api-webhooks', hooksAt(right.url));
    expect(results(diagnosis).slice(5)).toEqual(['not-reached', 'not-reached', 'not-reached', 'not-reached']);
    expect(isPassed(diagnosis)).toBe(false);
    const [authentication, , behaviour] = diagnosis.stages.slice(5);
    expect(authentication?.seen.join(' ')).toContain('reveal nothing about the check of signatures');
    expect(behaviour?.seen.join(' ')).toContain('has no observe');
    expect(diagnosis.notObserved?.join(' ')).toContain('has no observe');
  });

  it('does not end as passed if a valid request was refused and no cause is known', async () => {
    await using closed = await endpoint(() => false);
    const diagnosis = await diagnosed('api-webhooks', hooksAt(closed.url), { load: () => Promise.resolve(content) });
    expect(diagnosis).toMatchObject({ cause: null, suspects: [] });
    expect(isPassed(diagnosis)).toBe(false);
    expect(diagnosis.stages.find(({ name }) => name === 'http')?.result).toBe('suspect');
    expect(diagnosis.note).toContain('Something is wrong, but the cause could not be determined.');
  });

  it('returns no credential of the address', async () => {
    await using right = await endpoint(signedWith(secret));
    const query = '?tenant=green-1&token=let.me-in&hook=Zx81Qq0aa7Lm29Pk';
    const diagnosis = await diagnosed('api-webhooks', hooksAt(`${right.url}${query}`), {
      commands: [`diagnose --url ${right.url}${query}`],
    });
    const text = JSON.stringify(diagnosis);
    for (const part of ['let.me-in', 'Zx81Qq0aa7Lm29Pk']) expect(text).not.toContain(part);
    expect(diagnosis.url).toContain('tenant=green-1&[redacted');
  });

  it('returns no secret', async () => {
    await using wrong = await endpoint(() => false);
    const leak = `The secret is ${secret}, in hex ${Buffer.from(secret).toString('hex')}.`;
    const diagnosis = await diagnosed('api-webhooks', hooksAt(`${wrong.url}?key=${secret}`), {
      load: () =>
        Promise.resolve(() =>
          Promise.resolve({ suspects: [{ id: 'config/placeholder', why: leak }], passed: [leak], seen: [leak] }),
        ),
      commands: [`diagnose ${secret}`],
    });
    const text = JSON.stringify(diagnosis);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString('hex'));
    expect(text).toContain('redacted');
  });
});

describe('an oddity of a secret', () => {
  const tryIt = async (surface: DiagnosedSurface, isRight: Parameters<typeof endpoint>[0], given: string) => {
    await using strict = await endpoint(isRight);
    const { url } = strict;
    return await diagnosed(surface, {
      ...(surface === 'crm-webhook' ? { crmWebhook: { url, token: given } } : {}),
      ...(surface === 'own-ai-chat' ? { chat: { url, secret: given, timeoutSeconds: 2 } } : {}),
      ...(surface === 'api-webhooks' ? hooksAt(url, given) : {}),
    });
  };
  const withToken = ({ headers }: IncomingMessage) => headers.authorization === `Bearer ${token}`;

  it.each<[DiagnosedSurface, string, Parameters<typeof endpoint>[0], string]>([
    ['api-webhooks', 'config/secret-in-quotes', signedWith(secret), `"${secret}"`],
    ['crm-webhook', 'config/token-with-bearer', withToken, `Bearer ${token}`],
    ['own-ai-chat', 'config/secret-without-prefix', signedWith(secret), secret.replace('whsec_', '')],
  ])('is the cause if the endpoint accepts the intended secret: %s %s', async (surface, id, isRight, given) => {
    const diagnosis = await tryIt(surface, isRight, given);
    expect(diagnosis).toMatchObject({ stage: 'authentication', cause: { id } });
    expect(diagnosis.deliveries).toBeLessThan(12);
  });

  it.each<[DiagnosedSurface, Parameters<typeof endpoint>[0], string]>([
    ['api-webhooks', signedWith(`"${secret}"`), `"${secret}"`],
    ['own-ai-chat', signedWith('made-by-hand'), 'made-by-hand'],
  ])('is not reported if the endpoint accepts the secret: %s', async (surface, isRight, given) => {
    expect(await tryIt(surface, isRight, given)).toMatchObject({ cause: null, suspects: [] });
  });

  it('is not reported if the endpoint accepts the secret, and only refuses invalid signatures in an unusual way', async () => {
    await using strict = await endpoint(signedWith('made-by-hand'));
    const chat = { url: strict.url, secret: 'made-by-hand', timeoutSeconds: 2 };
    const suspect = { id: 'signature/refused-with-another-status', why: 'It is the expected status.' } as const;
    const load = (name: string) =>
      Promise.resolve<Probe>(() =>
        Promise.resolve(name === 'signature' ? { ...nothing, suspects: [suspect] } : nothing),
      );
    const { suspects } = await diagnosed('own-ai-chat', { chat }, { load });
    expect(suspects.map(({ id }) => id)).toEqual([suspect.id]);
  });

  it.each([
    ['config/placeholder', 'changeme'],
    ['config/api-key-as-secret', 'svc_sk_0123456789'],
  ])('is suspected if the endpoint refuses the secret: %s', async (id, given) => {
    await using strict = await endpoint(signedWith(secret));
    const refused: Probe = () => Promise.resolve({ ...nothing, ends: true });
    const diagnosis = await diagnosed('api-webhooks', hooksAt(strict.url, given), {
      load: () => Promise.resolve(refused),
    });
    // The endpoint refuses every path alike, as a gate would, but the secret explains it better.
    expect(diagnosis).toMatchObject({ cause: null, suspects: [{ id }, { id: 'http/gate-or-secret' }] });
  });
});

async function integratorOf() {
  const integrator = await startIntegrator({
    crmToken: token,
    hookSecret: secret,
    agentSecret: secret,
    apiKey: 'svc_sk_of-the-diagnose-tests',
    log: () => undefined,
  });
  return { ...integrator, hooksUrl: integrator.hooksUrl, [Symbol.asyncDispose]: () => integrator.close() };
}
