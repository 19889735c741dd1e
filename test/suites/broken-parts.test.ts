import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { collectRun, type CollectedRun } from '../../run/collect/collect-run.ts';
import { toRecords } from '../../harness/checks/evidence.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import type { ApiExchange } from '../../harness/client/api-exchange.ts';
import { redactor } from '../../service/redact.ts';
import type { BrokeAtPart, Exchange } from '../../specs/generated/types.ts';
import { readTraffic } from '../../suites/api-client/traffic.ts';
import { runEngine } from '../harness/engine/run-engine.ts';
import { configOf, settingsOf } from '../harness/settings-for-tests.ts';
import { changed, sent, without } from '../mutants/client-faults.ts';
import { correctCrm, partsFor } from '../proving/crm.ts';
import { setUp, startEndpoint, type Seams } from '../proving/endpoint.ts';
import { conductCases } from './api-client-conduct.ts';
import { requestCases } from './api-client-requests.ts';
import { allRules, traffic } from './api-exchanges.ts';

/** The value at a place in the body of a report; `missing` without one. */
function valueAt({ pointer }: BrokeAtPart, { body }: { body: string }): unknown {
  let value = JSON.parse(body) as unknown;
  for (const step of (pointer ?? '').split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null)
      throw new Error(`expected ${pointer} in ${body}, received nothing`);
    if (!Object.hasOwn(value, name)) return 'missing';
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

describe('a run against an endpoint with a fault in each part of its messages', () => {
  const faulty: Seams = {
    crm: {
      bearerAccepted: (header, token) => header === undefined || header === `Bearer ${token}`,
      partsFor: (name, event) => {
        const parts = partsFor(name, event);
        return parts?.contact ? { contact: { ...parts.contact, crmContactId: 4711 } } : parts;
      },
      // Well beyond the limit: the time in which this process is blocked is subtracted.
      workMs: (name) => (name === 'NewConversation' ? 3_500 : 0),
      compose: (parts, event) => ({
        ...correctCrm().compose(parts, event),
        requestProjectUpdate: undefined,
        ...(!parts.contact && { projectData: {} }),
      }),
    },
    client: {
      ...changed('visit', ({ body }, { apiKey }) => ({
        body: { ...body, phone: '030 901820', metadata: { [apiKey]: 5 } },
      }))(),
      ...sent('senders', ({ headers }) => ({ headers: without(headers, 'X-Api-Key') }))(),
    },
  };
  const only = [
    'crm-webhook/refuses-missing-token',
    'crm-webhook/ids-are-strings',
    'crm-webhook/names-the-flag-of-each-part',
    'crm-webhook/new-conversation-within-two-seconds#newconversation-of-an-unknown-caller-is-answered-in-time',
    'api-client/carries-an-api-key',
    'api-client/phone-is-international',
    'api-client/metadata-holds-texts',
  ];
  let run: CollectedRun;
  /** The place and the exchange in which the first failing check of a requirement broke. */
  const brokenIn = (requirement: string, title = ''): { at: BrokeAtPart; exchange: Exchange } => {
    const check = run.checks.find(
      (one) => one.requirement === requirement && one.verdict === 'fail' && one.title.startsWith(title),
    );
    const at = check?.brokeAt;
    const exchange = run.exchanges.find(({ id }) => id === at?.exchange);
    if (!at || !('part' in at) || !exchange)
      throw new Error(`expected a broken part, received ${JSON.stringify(check)}`);
    expect(check?.evidence.at(-1)).toBe(exchange.id);
    return { at, exchange };
  };

  beforeAll(async () => {
    await using endpoint = await startEndpoint(faulty);
    const config = configOf(
      {},
      {
        crmWebhook: { url: endpoint.crm, token: setUp.token },
        apiClient: {
          command: `"${process.execPath}" start-client.js ${endpoint.client}`,
          timeoutSeconds: 30,
          directory: fileURLToPath(new URL('../proving', import.meta.url)),
        },
        skills: setUp.skills,
        stimuli: setUp.stimuli,
        service: { host: '127.0.0.1', port: 0, apiKey: setUp.apiKey },
      },
    );
    const { checks } = await runEngine({
      settings: settingsOf(config, { only }),
      surfaces: ['crm-webhook', 'api-client'],
    });
    run = collectRun(checks, () => '');
  });

  it('names the status of an answer', () => {
    const { at, exchange } = brokenIn('crm-webhook/refuses-missing-token');
    expect(at).toEqual({ exchange: exchange.id, part: 'response-status' });
    expect(exchange.response?.status).toBe(200);
  });

  it('names the field of an answer, and of a callback', () => {
    const now = brokenIn('crm-webhook/ids-are-strings', 'in 200 answers');
    expect(now.at).toMatchObject({ part: 'response-body', pointer: '/contactData/crmContactId' });
    expect(valueAt(now.at, now.exchange.response ?? { body: '' })).toBe(4711);
    const later = brokenIn('crm-webhook/ids-are-strings', 'in callbacks');
    expect(later.exchange.kind).toBe('callback');
    expect(later.at).toMatchObject({ part: 'request-body', pointer: '/contactData/crmContactId' });
    expect(valueAt(later.at, later.exchange.request)).toBe(4711);
  });

  it('names a missing field along with the present ones', () => {
    const { at, exchange } = brokenIn('crm-webhook/names-the-flag-of-each-part');
    expect(at).toMatchObject({ part: 'response-body', pointer: '/requestProjectUpdate' });
    expect(valueAt(at, exchange.response ?? { body: '' })).toBe('missing');
  });

  it('names the time of an answer', () => {
    const { at, exchange } = brokenIn('crm-webhook/new-conversation-within-two-seconds');
    expect(at).toEqual({ exchange: exchange.id, part: 'time' });
    expect(exchange.timing.totalMs).toBeGreaterThan(exchange.timing.limitMs ?? Infinity);
  });

  it('names the header of a client, though it was not sent', () => {
    const { at, exchange } = brokenIn('api-client/carries-an-api-key');
    expect(at).toEqual({ exchange: exchange.id, part: 'request-header', name: 'x-api-key' });
    expect(exchange.request.url).toContain('/v1/senders');
  });

  it('names the field of a request of a client', () => {
    const { at, exchange } = brokenIn('api-client/phone-is-international');
    expect(at).toMatchObject({ part: 'request-body', pointer: '/phone' });
    expect(valueAt(at, exchange.request)).toBe('030 901820');
  });

  it('shows no secret, though the name of the field is one', () => {
    const { at, exchange } = brokenIn('api-client/metadata-holds-texts');
    expect(at.pointer).toBe('/metadata/[redacted: API key]');
    expect(valueAt(at, exchange.request)).toBe(5);
    expect(JSON.stringify(run)).not.toContain(setUp.apiKey);
  });
});

/** Rules about clients whose fault is in the address or method, in an earlier request, or that there is a request. */
const ofNoPart = [
  'agent-secret-is-not-replaced-at-once',
  'at-most-60-in-any-minute',
  'at-most-60-requests-a-minute',
  'contact-is-not-sent-again-unchanged',
  'does-not-repeat-what-was-refused',
  'drops-the-reply-after-409',
  'drops-the-skill-after-409',
  'fields-are-in-the-body',
  // An id may be in the path.
  'ids-are-of-their-kind',
  'ids-in-paths-are-integers',
  // A skill may be named in the path.
  'names-known-skills',
  'no-secret-in-an-address',
  'paths-under-v1',
  // About requests that are compared with each other.
  'requests-take-effect',
  'retried-request-takes-effect-once',
  // The key may be missing only in the first attempt.
  'retry-carries-a-key',
  'uses-listed-methods',
  'uses-listed-paths',
  'waiting-message-is-not-sent-again',
  'waits-after-429',
];

describe('a fault of a client', () => {
  const failing = [...requestCases, ...conductCases].flatMap(({ rule, fails }) =>
    fails.map(([sketches]) => {
      const judged = allRules
        .find(({ requirement }) => requirement === `api-client/${rule}`)
        ?.judge(readTraffic(traffic(...sketches)))
        .find(({ finding }) => finding);
      if (!judged?.finding) throw new Error(`expected ${rule} to fail, received no finding`);
      return {
        rule,
        finding: judged.finding,
        at: reported(rule, judged.finding, judged.exchange),
        exchange: judged.exchange,
      };
    }),
  );

  it('is reported with its part of the request, wherever it has one', () => {
    const without = failing.filter(({ at }) => at === undefined).map(({ rule }) => rule);
    expect([...new Set(without)].toSorted()).toEqual(ofNoPart);
  });

  it('is at a place of the request, or is a field missing in an existing object', () => {
    for (const { rule, at, exchange, finding } of failing) {
      if (at === undefined) continue;
      const { body, headers } = exchange.request;
      const text = Buffer.from(body).toString();
      const description = `${rule} in ${text}: ${JSON.stringify({ at, finding })}`;
      if (at.part === 'request-header') {
        const isThere = headers.some(([name]) => name.toLowerCase() === at.name);
        expect(isThere || /neither|none/.test(finding.received), description).toBe(true);
      } else {
        expect(at.part, description).toBe('request-body');
        if (at.pointer === undefined) continue;
        const isThere = valueAt(at, { body: text }) !== 'missing';
        expect(
          isThere || /^(only|an empty object|none|the same text with purpose "none")/.test(finding.received),
          description,
        ).toBe(true);
      }
    }
  });
});

function reported(rule: string, finding: Finding, exchange: ApiExchange): BrokeAtPart | undefined {
  const requirement = `api-client/${rule}`;
  const { checks } = collectRun(
    [
      {
        id: requirement,
        requirement,
        title: rule,
        level: 'must',
        verdict: 'fail',
        durationMs: 1,
        samples: [],
        evidence: toRecords([exchange], redactor([])),
        finding,
      },
    ],
    () => '',
  );
  const { brokeAt } = checks[0] ?? {};
  return brokeAt && 'part' in brokeAt ? brokeAt : undefined;
}
