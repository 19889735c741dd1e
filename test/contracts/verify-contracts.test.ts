import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractChecks, isContractCheck } from '../../contracts/contract-checks.ts';
import { serviceContracts } from '../../contracts/contract-files.ts';
import { verifyContracts } from '../../contracts/verify-contracts.ts';
import type { FinishedCheck } from '../../harness/checks/engine.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { smallEndpoint } from '../bin/small-endpoint.ts';
import { configOf, credentials, settingsOf } from '../harness/settings-for-tests.ts';
import { setUp, startEndpoint, type RunningEndpoint } from '../proving/endpoint.ts';
import { proofEndpoints } from '../proving/proof-endpoints.ts';
import { startVerifier, type Verifier } from './start-verifier.ts';

const webhooks = ['crm-webhook', 'api-webhooks', 'own-ai-chat'];
const lookup = 'crm-webhook/ids-are-strings#contract-a-call-of-a-known-number-is-answered-with-the-customer-id';

function provingConfig(running: RunningEndpoint): ResolvedConfig {
  return {
    crmWebhook: { url: running.crm, token: setUp.token },
    apiWebhooks: { url: running.hooks, secret: setUp.hookSecret },
    chat: { url: running.chat, secret: setUp.agentSecret, timeoutSeconds: 2 },
    phone: { url: running.voice, secret: setUp.agentSecret, timeoutSeconds: 2 },
    skills: setUp.skills,
    stimuli: setUp.stimuli,
    service: { host: '127.0.0.1', port: 0, apiKey: setUp.apiKey },
  };
}

let verifier: Verifier;
beforeAll(() => void (verifier = startVerifier()));
afterAll(() => verifier[Symbol.dispose]());

async function verify(
  config: ResolvedConfig,
  surfaces: readonly string[],
  { only = [], answerTimeoutMs = 20_000 }: { only?: string[]; answerTimeoutMs?: number } = {},
): Promise<readonly FinishedCheck[]> {
  return await verifier.verify({ settings: settingsOf(config, { only, answerTimeoutMs }), surfaces });
}

async function verifyFaulty(name: string, surface: string, only: string[]): Promise<FinishedCheck[]> {
  await using running = await startEndpoint(proofEndpoints.get(name)?.build());
  return (await verify(provingConfig(running), [surface], { only })).filter(({ verdict }) => verdict === 'fail');
}

function found(checks: readonly FinishedCheck[], id: string): FinishedCheck {
  const check = checks.find((one) => one.id === id);
  if (!check) throw new Error(`no check is called ${id}`);
  return check;
}

describe('the contracts of the webhooks, at a correct endpoint', () => {
  let running: RunningEndpoint;
  let checks: FinishedCheck[];
  const notes: string[] = [];

  beforeAll(async () => {
    running = await startEndpoint();
    checks = await verifyContracts({
      settings: settingsOf(provingConfig(running)),
      surfaces: webhooks,
      onCheck: ({ id }) => notes.push(id),
    });
  });
  afterAll(() => running[Symbol.asyncDispose]());

  it('each make one check, with a separate id', async () => {
    const expected = contractChecks(await serviceContracts(webhooks)).map(({ identity }) => identity.id);
    expect(checks.map(({ id }) => id)).toEqual(expected);
    expect(new Set(expected).size).toBe(expected.length);
    expect(checks.every(isContractCheck)).toBe(true);
    expect(notes.toSorted()).toEqual(expected.toSorted());
  });

  it('find no fault', () => {
    const bad = checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'blocked');
    expect(bad.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
    expect(checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(0.9 * checks.length);
  });

  it('are shown by what was sent, without secrets', () => {
    const { evidence } = found(checks, lookup);
    expect(evidence.at(-1)?.request.body).toContain(setUp.stimuli.knownCaller);
    expect(evidence.at(-1)?.response?.status).toBe(200);
    const text = JSON.stringify(checks);
    for (const secret of [setUp.token, setUp.hookSecret, setUp.agentSecret]) expect(text).not.toContain(secret);
  });

  it('are sent with unique ids and addresses', () => {
    const sent = checks.flatMap(({ evidence }) => evidence.map(({ request }) => request));
    const ids = sent.flatMap(({ headers }) =>
      headers.filter(([name]) => name === 'X-Svc-Delivery-Id').map(([, id]) => id),
    );
    const callbacks = sent.flatMap(({ body }) => /"(?:callback|reply)Url":"([^"]+)"/.exec(body ?? '')?.[1] ?? []);
    expect(ids.length).toBeGreaterThan(50);
    expect(new Set(ids).size).toBe(ids.length);
    expect(callbacks.length).toBeGreaterThan(50);
    expect(new Set(callbacks).size).toBe(callbacks.length);
    for (const address of callbacks) expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
  });
});

it('sends the event types of the subscription only, and ids that API v1 knows', async () => {
  await using endpoint = await smallEndpoint(() => ({ status: 200, body: '{}' }));
  const address = { url: endpoint.url, secret: credentials.hookSecret };
  const config = configOf({ chat: endpoint.url }, { apiWebhooks: { ...address, events: ['appointment.created'] } });
  const checks = await verify(config, ['api-webhooks', 'own-ai-chat']);
  const events = endpoint.requests.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);
  const types = events.map(({ type }) => String(type)).filter((type) => type.startsWith('appointment.'));
  expect(new Set(types)).toEqual(new Set(['appointment.created', 'appointment.no_show']));
  const cancelled = found(checks, 'api-webhooks/accepts-every-event-type#contract-the-event-appointment-cancelled');
  expect(cancelled).toMatchObject({
    verdict: 'not-exercised',
    message: 'apiWebhooks.events does not list appointment.cancelled, so it is not sent.',
  });
  expect(checks.filter(({ id }) => id.startsWith('api-webhooks/accepts-null-'))).toMatchObject(
    [0, 1, 2].map(() => ({ verdict: 'pass' })),
  );
  const workspaces = events.flatMap(({ workspaceId }) => workspaceId ?? []);
  expect(workspaces.length).toBeGreaterThan(50);
  expect(new Set(workspaces).size).toBe(1);
  const { agentId } = events.find(({ type }) => type === 'ping') ?? {};
  expect(agentId).toBeGreaterThan(1_000_000);
});

describe('an endpoint with a fault', () => {
  it.each([
    [
      'chat-text-in-parts',
      'own-ai-chat',
      'own-ai-chat/text-is-a-string',
      'expected text in the body to be of the type string, received [{"',
    ],
    [
      'chat-answer-as-plain-text',
      'own-ai-chat',
      'own-ai-chat/answer-is-a-json-object',
      'expected a JSON body, received text that is not JSON',
    ],
  ])('%s fails by the contract, with what was expected and received', async (name, surface, requirement, message) => {
    const [check] = await verifyFaulty(name, surface, [requirement]);
    expect(check?.message).toContain(message);
    expect(check?.finding?.hint).toContain(`of svc-${surface}.json`);
    expect(check?.evidence).toHaveLength(1);
  });

  it('accepts every request: what must be refused fails, with the status that accepted it', async () => {
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const checks = await verify(configOf({ hooks: endpoint.url }), ['api-webhooks']);
    const failed = checks.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ requirement }) => requirement)).toContain('api-webhooks/refuses-with-401');
    expect(failed[0]?.message).toMatch(/^expected status .+, received status 204$/);
  });
});

describe('an endpoint that is not judged', () => {
  it('does not listen: everything is blocked', async () => {
    let url: string;
    {
      await using endpoint = await smallEndpoint(() => ({ status: 204 }));
      ({ url } = endpoint);
    }
    const checks = await verify(configOf({ hooks: url }), ['api-webhooks']);
    expect(new Set(checks.map(({ verdict, code }) => `${verdict} ${code}`))).toEqual(
      new Set(['blocked target-unreachable']),
    );
    expect(checks[0]?.message).toContain('Check that the endpoint is running');
  });

  it('is not in a state that was not set up: not exercised, and the missing setting is named', async () => {
    await using endpoint = await smallEndpoint(() => ({ status: 200, body: '{"contactData":{}}' }));
    const config = configOf({ crm: endpoint.url });
    const [check] = await verify(config, ['crm-webhook'], { only: [lookup] });
    expect(check?.verdict).toBe('not-exercised');
    expect(check?.message).toContain('requestContactUpdate');
  });
});

describe('provider states', () => {
  it('are set up and taken down at the address of the config, whose values go into the request', async () => {
    await using states = await smallEndpoint(() => ({ status: 200, body: '{"caller":"+4930555000"}' }));
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const config = configOf({ crm: endpoint.url }, { pact: { providerStates: { url: states.url } } });
    const [check] = await verify(config, ['crm-webhook'], { only: [lookup] });
    expect(states.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { state: 'a known caller', params: expect.any(Object) as object, action: 'setup' },
      { state: 'a known caller', params: expect.any(Object) as object, action: 'teardown' },
    ]);
    expect(JSON.parse(endpoint.requests[0]?.body ?? '')).toMatchObject({ contactData: { phoneNumber: '+4930555000' } });
    expect(endpoint.requests[0]?.headers.authorization).toBe(`Bearer ${credentials.token}`);
    expect(check).toMatchObject({ verdict: 'not-exercised', message: expect.stringContaining('204') as string });
  });

  it('do not count as set up if that address refuses them: answers that do not show them are not judged', async () => {
    await using states = await smallEndpoint(() => ({ status: 404 }));
    await using endpoint = await smallEndpoint(() => ({ status: 200, body: 'no JSON' }));
    const config = configOf({ crm: endpoint.url }, { pact: { providerStates: { url: states.url } } });
    const [check] = await verify(config, ['crm-webhook'], { only: [lookup] });
    expect(check?.verdict).toBe('not-exercised');
    expect(check?.message).toContain(
      'The state “a known caller” was not set up (the address of pact.providerStates answered 404)',
    );
    expect(check?.message).toContain('stimuli.knownCaller in the config');
  });

  it('that were not set up count as present if the answer shows them: a mismatch is a fault', async () => {
    const body = JSON.stringify({ requestContactUpdate: true, contactData: { crmContactId: 7 } });
    await using endpoint = await smallEndpoint(() => ({ status: 200, body }));
    const [check] = await verify(configOf({ crm: endpoint.url }), ['crm-webhook'], { only: [lookup] });
    expect(check?.verdict).toBe('fail');
    expect(check?.message).toBe('expected contactData.crmContactId in the body to be of the type string, received 7');
  });

  it('come from the stimuli without such an address: a mismatch is a fault', async () => {
    const body = JSON.stringify({ requestContactUpdate: true, contactData: { crmContactId: 7 } });
    await using endpoint = await smallEndpoint(() => ({ status: 200, body }));
    const config = configOf({ crm: endpoint.url }, { stimuli: { knownCaller: '+4930555001' } });
    const [check] = await verify(config, ['crm-webhook'], { only: [lookup] });
    expect(check?.verdict).toBe('fail');
    expect(check?.message).toBe('expected contactData.crmContactId in the body to be of the type string, received 7');
    expect(check?.finding?.part).toEqual({ body: ['contactData', 'crmContactId'] });
  });
});

describe('the contract of the phone', () => {
  const only = [
    'own-ai-phone/text-is-a-string#contract-a-sentence-is-answered-with-speech',
    'own-ai-phone/action-is-known#contract-a-sentence-hands-the-call-over',
  ];

  it('is verified by real calls', async () => {
    await using running = await startEndpoint();
    const checks = await verify(provingConfig(running), ['own-ai-phone'], { only });
    expect(checks.map(({ verdict, message }) => [verdict, message])).toEqual([
      ['pass', undefined],
      ['pass', undefined],
    ]);
    expect(checks[0]?.evidence[0]?.call?.frames.some(({ from }) => from === 'ai')).toBe(true);
  });

  it('is blocked if a signed call is refused', async () => {
    await using endpoint = await smallEndpoint(() => ({ status: 404 }));
    const config = configOf({ phone: endpoint.url.replace('http', 'ws') });
    const checks = await verify(config, ['own-ai-phone'], { only: only.slice(0, 1) });
    expect(checks[0]).toMatchObject({ verdict: 'blocked', code: 'control-failed' });
  });
});
