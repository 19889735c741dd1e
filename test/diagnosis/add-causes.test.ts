import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { OutOfTime } from '../../diagnosis/connection.ts';
import { addCauses } from '../../diagnosis/add-causes.ts';
import type { ProbeName } from '../../specs/requirements/probe.ts';
import type { Failing, Found, ProbeOutcome, Probe } from '../../diagnosis/outcome.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { withoutTraffic } from '../../harness/wire/traffic-counts.ts';
import type { CheckCause, CheckResult, Exchange } from '../../specs/generated/types.ts';
import { smallEndpoint } from '../bin/small-endpoint.ts';
import { configRedactor } from '../../harness/config/config-redactor.ts';

const token = 'tok_Kx7mQp2Vw9Zt4Bn8Rc';
const found: Found = { id: 'token/not-checked', summary: 'The token is not checked.', remediation: 'Check it.' };
/** A cause that explains only the requirement for which its probe ran. */
const narrow: Found = { id: 'payload/every-message', summary: 'Fields are counted.', remediation: 'Do not.' };
const foundBy = (name: ProbeName) => ({ found: name === 'token' ? found : narrow });
/** The answer of probes that find something only with the event that failed. */
const forFailures = (answer: typeof foundBy) => (name: ProbeName, failing: Failing | undefined) =>
  failing ? answer(name) : {};

function check(requirement: string, over: Partial<CheckResult> = {}): CheckResult {
  return {
    id: `${requirement}#a-check`,
    requirement,
    surface: requirement.split('/', 1)[0] ?? '',
    title: 'a check',
    level: 'must',
    verdict: 'fail',
    durationMs: 1,
    message: 'expected one thing, received another',
    evidence: ['ex-1'],
    ...over,
  };
}

function known({ id, summary: text = '', remediation = '' }: Found): CheckCause {
  return { id, summary: text, remediation, certain: true };
}

function probable(found: Found, why: string): CheckCause {
  return { ...known(found), why, certain: false };
}

function certainCause({ causes = [] }: CheckResult): string | undefined {
  return causes.find(({ certain }) => certain)?.id;
}

function exchange(body: string, over: Partial<Exchange['request']> = {}): Exchange {
  return {
    id: 'ex-1',
    kind: 'http',
    label: 'an event',
    startedAt: '2026-10-11T08:30:00.000Z',
    request: { method: 'POST', url: 'http://x/', headers: [], body, bodyBytes: Buffer.byteLength(body), ...over },
    outcome: 'answered',
    timing: { connectMs: null, firstByteMs: null, totalMs: null },
  };
}

/**
 * Fills hints of these checks with probes that say this, and returns the probes of the search and what was asked of each
 * probe about a failure.
 */
async function fill(
  checks: readonly CheckResult[],
  answer: (name: ProbeName, failing: Failing | undefined) => Partial<ProbeOutcome> | Promise<Partial<ProbeOutcome>>,
  {
    exchanges = [],
    withinMs = 5_000,
    over = {},
  }: { exchanges?: readonly Exchange[]; withinMs?: number; over?: Partial<ResolvedConfig> } = {},
) {
  await using endpoint = await smallEndpoint(() => ({ status: 204 }));
  const config: ResolvedConfig = {
    crmWebhook: { url: endpoint.url, token },
    apiWebhooks: { url: endpoint.url, secret: 'whsec_Kx7mQp2Vw9Zt4Bn8Rc' },
    skills: [],
    stimuli: {},
    service: { host: '127.0.0.1', port: 0 },
    ...over,
  };
  const asked: { name: ProbeName; failing: Failing }[] = [];
  const searched: ProbeName[] = [];
  const notes: string[] = [];
  const load = async (name: ProbeName): Promise<Probe> => {
    return async (_, failing) => {
      if (failing) asked.push({ name, failing });
      else searched.push(name);
      const said = await answer(name, failing);
      return { suspects: [], passed: [], seen: [], ...said };
    };
  };
  const note = (sentence: string) => notes.push(sentence);
  const filled = await addCauses(
    { checks, exchanges },
    {
      config,
      seed: 1,
      redact: configRedactor(config),
      withinMs,
      load,
      note,
    },
  );
  return { filled, asked, searched, notes, endpoint };
}

describe('hints after a run', () => {
  it('add the cause and its fix to the check, and change nothing else', async () => {
    const [plain, hinted, held] = [
      check('crm-webhook/refuses-wrong-token'),
      check('crm-webhook/answers-any-valid-event', { hint: 'It differs at /data' }),
      check('crm-webhook/lookup-within-two-seconds', { verdict: 'pass' }),
    ];
    const { filled, asked } = await fill([plain, hinted, held], forFailures(foundBy));
    expect(filled).toEqual([{ ...plain, causes: [known(found)] }, { ...hinted, causes: [known(narrow)] }, held]);
    // The cheaper probe comes first.
    expect(asked.map(({ name }) => name)).toEqual(['token', 'payload']);
  });

  it('explain the rejection of a valid token with the content of its event if the token is accepted', async () => {
    const { filled, asked } = await fill([check('crm-webhook/accepts-the-token')], (name, failing) =>
      failing && name === 'payload' ? { found: narrow } : {},
    );
    expect(filled.map(certainCause)).toEqual([narrow.id]);
    expect(asked.map(({ name }) => name)).toEqual(['token', 'payload']);
  });

  it('suspect a gate of every failure if every request gets its answer', async () => {
    await using gate = await smallEndpoint(() => ({ status: 403 }));
    const checks = [check('crm-webhook/accepts-the-token'), check('crm-webhook/answers-any-valid-event')];
    const suspects = [{ id: 'token/another-token', why: 'No form was accepted.' } as const];
    const { filled } = await fill(checks, () => ({ suspects }), { over: { crmWebhook: { url: gate.url, token } } });
    for (const { causes } of filled) expect(causes).toMatchObject([{ id: 'http/gate-or-secret', certain: false }]);
  });

  it('stay unchanged if nothing was found, and name no cause that is uncertain', async () => {
    const checks = [check('crm-webhook/refuses-wrong-token'), check('crm-webhook/accepts-null-members')];
    const suspects = [{ ...narrow, why: 'Others do that, too.' }];
    const { filled } = await fill(checks, (name) => (name === 'payload' ? { suspects } : {}));
    expect(filled).toEqual([
      checks[0],
      {
        ...checks[1],
        causes: [probable(narrow, 'Others do that, too.')],
      },
    ]);
  });

  it('come from one run of a probe for all that its cause explains, and from one each for events', async () => {
    const { asked, filled } = await fill(
      [
        check('crm-webhook/refuses-wrong-token'),
        check('crm-webhook/refuses-missing-token'),
        check('crm-webhook/accepts-null-members'),
        check('crm-webhook/accepts-appointment-data'),
      ],
      forFailures(foundBy),
    );
    expect(asked.map(({ failing }) => failing?.requirement)).toEqual([
      'crm-webhook/refuses-wrong-token',
      'crm-webhook/accepts-null-members',
      'crm-webhook/accepts-appointment-data',
    ]);
    expect(filled.map(certainCause)).toEqual([found.id, found.id, narrow.id, narrow.id]);
  });

  it('name no cause that explains another failure alone', async () => {
    const checks = [
      check('crm-webhook/refuses-truncated-token'),
      check('crm-webhook/refuses-differently-cased-token'),
      check('crm-webhook/refuses-other-scheme'),
      check('crm-webhook/refuses-missing-token'),
    ];
    const { asked, filled } = await fill(checks, () => ({
      found: { id: 'token/case-ignored', summary: 'Case is ignored.', remediation: 'Compare it.' },
      suspects: [{ id: 'token/scheme-ignored', summary: 'The scheme is ignored.', why: 'Basic was accepted.' }],
    }));
    expect(asked).toHaveLength(1);
    expect(filled).toEqual([
      checks[0],
      {
        ...checks[1],
        causes: [known({ id: 'token/case-ignored', summary: 'Case is ignored.', remediation: 'Compare it.' })],
      },
      {
        ...checks[2],
        causes: [
          {
            id: 'token/scheme-ignored',
            summary: 'The scheme is ignored.',
            why: 'Basic was accepted.',
            remediation: 'Split the header into scheme and token, and require the scheme Bearer.',
            certain: false,
          },
        ],
      },
      checks[3],
    ]);
  });

  it('are those of the search of a diagnosis, except what other probes examine', async () => {
    const checks = [
      check('crm-webhook/refuses-wrong-token'),
      check('crm-webhook/accepts-null-members'),
      check('crm-webhook/answer-is-a-json-object'),
    ];
    const other: Found = { id: 'payload/null-field', summary: 'It has null.', remediation: 'Allow it.' };
    const { asked, searched, filled } = await fill(checks, (name) =>
      name === 'payload' ? { found: other } : foundBy(name),
    );
    expect(searched).toEqual(['token', 'answer']);
    // The search ended with the cause in the answer, before events were varied.
    expect(asked.map(({ name }) => name)).toEqual(['payload']);
    expect(filled.map(certainCause)).toEqual([found.id, other.id, narrow.id]);
  });

  it('come from the probe of late answers before the search, which they would slow down', async () => {
    const order: string[] = [];
    const late: Found = { id: 'timing/always-slow', summary: 'It is slow.', remediation: 'Answer in time.' };
    const { filled } = await fill(
      [check('crm-webhook/lookup-within-two-seconds'), check('crm-webhook/accepts-null-members')],
      (name, failing) => {
        order.push(`${name}${failing ? ' of a failure' : ''}`);
        return name === 'timing' ? { found: late } : {};
      },
    );
    expect(order).toEqual(['timing of a failure', 'token', 'answer', 'payload', 'payload of a failure']);
    expect(filled.map(certainCause)).toEqual([late.id, undefined]);
  });

  it('come from the probe of a failure even if the search uses up its share of the time', async () => {
    const { filled } = await fill(
      [check('crm-webhook/accepts-null-members')],
      // Longer than the time after the deadline in which a probe may still finish.
      async (_, failing) => await delay(failing ? 600 : 60_000, { found: narrow }, { ref: false }),
      { withinMs: 4_500 },
    );
    expect(filled.map(certainCause)).toEqual([narrow.id]);
  });

  it('are never a symptom that one event shows of the cause that the search has found', async () => {
    const other: Found = { id: 'payload/unknown-field', summary: 'It has a field.', remediation: 'Ignore it.' };
    const confirmed = { ...other, id: 'payload/null-field' as const, why: 'It was confirmed as well.' };
    const symptom: Found = { id: 'payload/map-name', summary: 'It has a key.', remediation: 'Allow it.' };
    const { filled } = await fill([check('crm-webhook/accepts-null-members')], (name, failing) => {
      if (name !== 'payload') return {};
      return failing ? { found: symptom } : { found: other, suspects: [confirmed] };
    });
    expect(filled.map(certainCause)).toEqual([other.id]);
  });

  it('name what nothing gets past as the cause of every failure', async () => {
    const blocked = check('crm-webhook/refuses-wrong-token', { verdict: 'blocked', code: 'control-failed' });
    const checks = [check('crm-webhook/accepts-the-token'), blocked, check('crm-webhook/accepts-null-members')];
    const another: Found = { id: 'token/another-token', summary: 'It has another token.', remediation: 'Set it.' };
    const { asked, filled } = await fill(checks, () => ({ found: another }));
    expect(asked).toEqual([]);
    expect(filled.map((check) => [check.verdict, certainCause(check)])).toEqual([
      ['fail', another.id],
      ['blocked', another.id],
      ['fail', another.id],
    ]);
  });

  it('come from probes that receive the event that failed: the smallest, or the one that decided', async () => {
    const example = { seed: 1, path: '0', runs: 1, shrinks: 1, event: '{"small":true}', differences: [] };
    const { asked } = await fill(
      [
        check('crm-webhook/answers-any-valid-event', { counterexample: example }),
        check('crm-webhook/accepts-null-members'),
      ],
      () => ({}),
      { exchanges: [exchange('{"eventType":"Manual"}')] },
    );
    expect(asked.map(({ failing }) => failing?.event)).toEqual([{ small: true }, { eventType: 'Manual' }]);
    expect(asked[1]?.failing?.label).toBe('an event');
  });

  it.each([
    ['was cut', exchange('{"eventType":1}', { bodyBytes: 9_000 })],
    ['had a secret in it', exchange('{"eventType":"[redacted: API key]"}')],
    ['the endpoint sent itself', { ...exchange('{"eventType":1}'), kind: 'callback' as const }],
  ])('come from probes that receive no event that %s', async (_, recorded) => {
    const { asked } = await fill([check('crm-webhook/accepts-null-members')], () => ({}), { exchanges: [recorded] });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.failing).not.toHaveProperty('event');
  });

  it('have no secret in them', async () => {
    const { filled } = await fill([check('crm-webhook/refuses-wrong-token')], () => ({
      found: { ...found, summary: `It takes ${token}.` },
    }));
    expect(filled[0]?.causes?.[0]?.summary).toBe('It takes [redacted: webhook token].');
  });

  it('come in time from a probe that never ends', async () => {
    const checks = [check('crm-webhook/refuses-wrong-token'), check('crm-webhook/accepts-null-members')];
    const { filled, asked } = await fill(checks, () => new Promise(() => undefined), { withinMs: 200 });
    expect(filled).toEqual(checks);
    expect(asked).toHaveLength(1);
  });

  it('are searched for on each surface, although one uses all of its time', async () => {
    const checks = [
      check('crm-webhook/refuses-wrong-token'),
      check('crm-webhook/refuses-missing-token'),
      check('crm-webhook/answers-long-and-large-values', { level: 'advice' }),
      check('api-webhooks/accepts-null-and-set-times'),
    ];
    const never = new Promise<never>(() => undefined);
    const { filled, notes } = await fill(checks, (name) => (name === 'token' ? never : { found: narrow }), {
      withinMs: 400,
    });
    expect(filled.map(certainCause)).toEqual([undefined, undefined, undefined, narrow.id]);
    // The sentence counts failures only.
    expect(notes).toEqual([expect.stringMatching(/^No cause found for 2 failures in crm-webhook within 0\.2 s/)]);
  });

  it('come last for a silent surface, which gets the remaining time, and say that it is silent', async () => {
    await using mute = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    const silent = check('api-webhooks/accepts-null-and-set-times', { verdict: 'blocked', code: 'target-silent' });
    const { filled, searched } = await fill([silent, check('crm-webhook/refuses-wrong-token')], () => ({ found }), {
      withinMs: 600,
      over: { apiWebhooks: { url: `http://127.0.0.1:${port}/`, secret: 'whsec_Kx7mQp2Vw9Zt4Bn8Rc' } },
    });
    expect(searched).toEqual(['token', 'answer', 'payload']);
    expect(filled.map((check) => [check.verdict, certainCause(check)])).toEqual([
      ['blocked', undefined],
      ['fail', found.id],
    ]);
    expect(filled[0]?.causes).toMatchObject([
      { certain: false, summary: expect.stringMatching(/^The server accepts requests but answers none/) as string },
    ]);
    mute.closeAllConnections();
  });

  it.each([
    [
      'the time is over',
      new OutOfTime('over'),
      ['No cause found for 1 failure in crm-webhook within 5 s; run svc-conform diagnose crm-webhook.'],
    ],
    [
      'a probe is broken',
      new TypeError('no such thing'),
      ['The cause of the failures of crm-webhook could not be determined: TypeError: no such thing'],
    ],
  ])('are omitted when %s', async (_, error, reported) => {
    const checks = [check('crm-webhook/refuses-wrong-token')];
    const { filled, notes } = await fill(checks, () => Promise.reject(error));
    expect(filled).toEqual(checks);
    expect(notes).toEqual(reported);
  });

  it('come from the search after an unfinished probe, although the limits permit no message', async () => {
    const { filled, notes } = await fill(
      [check('own-ai-chat/answers-in-time')],
      () => Promise.reject(new OutOfTime('over')),
      {
        over: {
          chat: { url: 'http://127.0.0.1:1/', secret: 'whsec_Kx7mQp2Vw9Zt4Bn8Rc', timeoutSeconds: 5 },
          limits: withoutTraffic({ messages: 0 }),
        },
      },
    );
    expect(notes).toEqual([]);
    expect(filled.map(certainCause)).toEqual(['network/refused']);
  });

  it('come from the next probe if one cannot begin', async () => {
    const checks = [check('crm-webhook/refuses-wrong-token'), check('crm-webhook/accepts-null-members')];
    const { filled, notes } = await fill(checks, (name) => {
      if (name === 'token') throw new HarnessFault('target-unreachable:no-further', { url: 'http://a' });
      return { found: narrow };
    });
    expect(filled.map(certainCause)).toEqual([undefined, narrow.id]);
    expect(notes).toEqual([
      'The cause of crm-webhook/refuses-wrong-token could not be determined: No further connection to http://a could be established.',
    ]);
  });

  it('are not searched for if contracts show the fault', async () => {
    const contract = check('crm-webhook/accepts-null-members', { source: 'contract' });
    const { filled, asked } = await fill([contract], () => ({ found }));
    expect(filled).toEqual([contract]);
    expect(asked).toEqual([]);
  });
});
