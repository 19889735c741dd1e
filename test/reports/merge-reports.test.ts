import { environmentRefusals } from '../../reports/certificate/refusals.ts';
import { environmentNotes } from '../../reports/text/run-notes.ts';
import { describe, expect, it } from 'vitest';
import { buildReport, type RunRecord } from '../../reports/model/build-report.ts';
import { mergeReports, ReportsNotMergeable } from '../../reports/model/merge-reports.ts';
import { requirements } from '../../specs/requirements/catalogue.ts';
import type { CheckResult, Exchange, Report, Selection, Verdict } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';

const token = 'crm-webhook/refuses-wrong-token';
const events = 'crm-webhook/answers-every-event';
const signature = 'own-ai-chat/refuses-altered-body';
const hooks = 'api-webhooks/accepts-valid-signature';
const unseen = 'crm-webhook/tests-in-an-inbox-of-their-own';
const key = 'api-client/carries-an-api-key';
const pace = 'api-client/at-most-60-requests-a-minute';
/** The catalogue of these runs, with a requirement that no check can observe. */
const ids: readonly string[] = [token, events, signature, hooks, unseen, key, pace];
const catalogue = Object.fromEntries(Object.entries(requirements).filter(([id]) => ids.includes(id)));

function check(requirement: string, verdict: Verdict, rest: Partial<CheckResult> = {}): CheckResult {
  return {
    id: `${requirement}#check`,
    requirement,
    surface: requirement.split('/', 1)[0] ?? '',
    title: 'the check',
    level: 'must',
    verdict,
    durationMs: 1,
    evidence: [],
    ...(verdict === 'fail' && { message: 'expected 401, received 200' }),
    ...rest,
  };
}

function exchange(id: string, startedAt: string, label: string): Exchange {
  return {
    id,
    kind: 'http',
    label,
    startedAt,
    request: { method: 'POST', url: 'http://127.0.0.1:8080/crm', headers: [], body: '{}', bodyBytes: 2 },
    response: { status: 200, headers: [], body: '{}', bodyBytes: 2 },
    outcome: 'answered',
    timing: { connectMs: 1, firstByteMs: 2, totalMs: 3 },
  };
}

/** A shard of a run over two surfaces. */
function shard(index: number, of: number, rest: Partial<RunRecord> = {}, selection: Selection = {}): Report {
  return buildReport(
    {
      version: '0.1.0',
      protocol: '2026-10-11',
      startedAt: `2026-10-12T09:3${index}:00.000Z`,
      durationMs: index * 1000,
      seed: 42,
      target: { 'crm-webhook': { url: 'http://127.0.0.1:8080/crm' } },
      selection: { ...selection, shard: { index, of } },
      configured: ['crm-webhook', 'own-ai-chat'],
      checks: [token, events, signature].map((id) => check(id, 'pass')),
      exchanges: [],
      timings: [],
      ...rest,
    },
    catalogue,
  );
}

const rowOf = (report: Report, id: string) => report.requirements.find((row) => row.id === id);

describe('merged shards', () => {
  const first = shard(1, 2, {
    checks: [check(token, 'fail', { evidence: ['ex-1', 'ex-2'], brokeAt: { exchange: 'ex-2', frame: 0 } })],
    exchanges: [
      exchange('ex-1', '2026-10-12T09:31:02.000Z', 'first shard, first'),
      exchange('ex-2', '2026-10-12T09:32:02.000Z', 'first shard, second'),
    ],
    timings: [
      { name: 'own-ai-chat/answer', unit: 'ms', limit: 10_000, samples: [1, 2] },
      { name: 'crm-webhook/lookup', unit: 'ms', limit: 2000, samples: [3] },
    ],
  });
  const second = shard(2, 2, {
    target: { 'own-ai-chat': { url: 'http://127.0.0.1:8080/chat' } },
    checks: [
      check(signature, 'pass', { evidence: ['ex-1'], brokeAt: { exchange: 'ex-1', part: 'time' } }),
      check(events, 'pass'),
    ],
    exchanges: [exchange('ex-1', '2026-10-12T09:31:30.000Z', 'second shard')],
    timings: [{ name: 'own-ai-chat/answer', unit: 'ms', limit: 10_000, samples: [4] }],
  });
  const merged = mergeReports([second, first]);

  it('are a whole report, whatever their order', () => {
    expect(validate('report', merged)).toEqual([]);
    expect(mergeReports([first, second])).toEqual(merged);
    expect(merged).toMatchObject({
      verdict: 'non-conformant',
      summary: { pass: 2, fail: 1 },
      startedAt: '2026-10-12T09:31:00.000Z',
      durationMs: 2000,
      seed: 42,
      target: {
        'crm-webhook': { url: 'http://127.0.0.1:8080/crm' },
        'own-ai-chat': { url: 'http://127.0.0.1:8080/chat' },
      },
    });
    expect(merged.selection).toBeUndefined();
    expect(Object.keys(merged.target)).toEqual(['crm-webhook', 'own-ai-chat']);
  });

  it('equal the report of the same checks in one run', () => {
    const single = buildReport(
      {
        version: '0.1.0',
        protocol: '2026-10-11',
        startedAt: merged.startedAt,
        durationMs: merged.durationMs,
        seed: 42,
        target: merged.target,
        configured: ['crm-webhook', 'own-ai-chat'],
        checks: merged.checks,
        exchanges: merged.exchanges,
        timings: merged.timings,
      },
      catalogue,
    );
    expect(merged).toEqual(single);
    expect(rowOf(merged, hooks)?.verdict).toBe('not-applicable');
    expect(rowOf(first, signature)?.message).toBe('left to the other shards of this run');
  });

  it('keep requirements of the integrator after those of the interface', () => {
    const rule = 'own-ai-chat/acme-rule';
    const own = {
      [rule]: { section: 'Handbook', level: 'must', statement: 'It works.', remediation: 'Fix it.' },
    } as const;
    const all = [token, events, signature].map((id) => check(id, 'pass'));
    const shards = [shard(1, 2, { own, checks: all }), shard(2, 2, { own, checks: [check(rule, 'pass')] })];
    const rows = mergeReports(shards).requirements;
    expect(rows.filter((row) => row.own)).toMatchObject([{ id: rule, verdict: 'pass', ...own[rule] }]);
    expect(rows.at(-1)?.id).toBe(rule);
  });

  it('renumber exchanges by time, in every reference, too', () => {
    expect(merged.exchanges.map(({ id, label }) => [id, label])).toEqual([
      ['ex-1', 'first shard, first'],
      ['ex-2', 'second shard'],
      ['ex-3', 'first shard, second'],
    ]);
    const byRequirement = new Map(merged.checks.map((one) => [one.requirement, one]));
    expect(byRequirement.get(token)).toMatchObject({ evidence: ['ex-1', 'ex-3'], brokeAt: { exchange: 'ex-3' } });
    expect(byRequirement.get(signature)).toMatchObject({ evidence: ['ex-2'], brokeAt: { exchange: 'ex-2' } });
  });

  it('have the checks in the order of the catalogue', () => {
    const inOrder = Object.keys(requirements);
    const places = merged.checks.map(({ requirement }) => inOrder.indexOf(requirement));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('join samples of one name, by surface', () => {
    expect(merged.timings).toEqual([
      { name: 'crm-webhook/lookup', unit: 'ms', limit: 2000, samples: [3] },
      { name: 'own-ai-chat/answer', unit: 'ms', limit: 10_000, samples: [1, 2, 4] },
    ]);
  });

  it('may differ in requests of the endpoint', () => {
    const observed = check(key, 'fail', { source: 'observed' });
    const [one, two] = [1, 2].map((index) => shard(index, 2));
    const seen = shard(2, 2, { checks: [...(two?.checks ?? []), observed] });
    const merged = mergeReports([one as Report, seen]);
    const verdicts = Object.fromEntries(merged.requirements.map(({ id, verdict }) => [id, verdict]));
    expect(verdicts).toMatchObject({ [key]: 'fail', [pace]: 'not-applicable', [token]: 'pass' });
  });

  it('keep the worst of a check that several shards ran, with its own evidence', () => {
    const verdicts: Verdict[] = ['fail', 'blocked', 'pass', 'not-exercised', 'not-applicable'];
    for (const [rank, worse] of verdicts.entries()) {
      for (const better of verdicts.slice(rank)) {
        const others = [token, signature].map((id) => check(id, 'pass'));
        const run = (verdict: Verdict, says: string) => ({
          checks: [...others, check(events, verdict, { message: says })],
        });
        for (const reports of [
          [shard(1, 2, run(worse, 'worse')), shard(2, 2, run(better, worse === better ? 'worse' : 'better'))],
          [shard(1, 2, run(better, worse === better ? 'worse' : 'better')), shard(2, 2, run(worse, 'worse'))],
        ]) {
          const checks = mergeReports(reports).checks.filter(({ requirement }) => requirement === events);
          expect(checks).toHaveLength(1);
          expect(checks[0]).toMatchObject({ verdict: worse, message: 'worse' });
        }
      }
    }
  });

  it('keep the rest of the selection, and what it omitted', () => {
    const selection = { surfaces: ['crm-webhook'], callbackWaitMs: 5000 };
    const selected = (id: string) => id.startsWith('crm-webhook/');
    const report = mergeReports([
      shard(1, 2, { selected, checks: [check(token, 'pass')] }, selection),
      shard(2, 2, { selected, checks: [check(events, 'pass')] }, selection),
    ]);
    expect(report.selection).toEqual(selection);
    expect(rowOf(report, signature)).toMatchObject({ verdict: 'not-exercised', message: 'not selected in this run' });
    expect(rowOf(report, token)?.verdict).toBe('pass');
  });

  const container = { image: 'crm:1', digest: 'sha256:abc' };
  const line = (at: string, text: string) => ({ at, text, stream: 'stdout' as const });
  const withLogs = (firstStart: string) => [
    {
      ...first,
      startedAt: firstStart,
      durationMs: 60_000,
      container: { ...container, exitCode: 137 },
      logs: [line('2026-10-12T09:31:01.000Z', 'a'), line('2026-10-12T09:31:09.000Z', 'b')],
      logsOmitted: 2,
    },
    { ...second, container, logs: [line('2026-10-12T09:32:05.000Z', 'c')], logsOmitted: 3 },
  ];

  it('join the lines of their containers if they ran in turn', () => {
    const report = mergeReports(withLogs('2026-10-12T09:31:00.000Z'));
    expect(validate('report', report)).toEqual([]);
    expect(report.container).toEqual({ ...container, exitCode: 137 });
    expect(report.logs?.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
    expect(report.logsOmitted).toBe(5);
    const complete = withLogs('2026-10-12T09:31:00.000Z').map(({ logsOmitted: _, ...shard }) => shard);
    expect(mergeReports(complete)).not.toHaveProperty('logsOmitted');
  });

  it('omit lines that would appear next to a request to another container', () => {
    const report = mergeReports(withLogs('2026-10-12T09:31:30.000Z'));
    expect(report.logs).toEqual([]);
    expect(report.logsOmitted).toBe(8);
  });

  it('omit gates of parts, and keep the config file', () => {
    const gate = { passed: false, failOn: 'must' as const, reasons: ['one fails'] };
    const report = mergeReports([
      { ...first, gate, configFile: 'svc.json' },
      { ...second, configFile: 'svc.json' },
    ]);
    expect(report.gate).toBeUndefined();
    expect(report.configFile).toBe('svc.json');
  });

  it('may use different ports on their machines', () => {
    const other = { target: { 'crm-webhook': { url: 'http://127.0.0.1:40123/crm' } } };
    expect(mergeReports([shard(1, 2), shard(2, 2, other)]).target).toEqual({
      'crm-webhook': { url: 'http://127.0.0.1:8080/crm' },
    });
  });
});

describe('reports that are not the shards of one run', () => {
  const two = (over: Partial<RunRecord>, selection?: Selection) => [shard(1, 2), shard(2, 2, over, selection)];
  const { selection: _, ...whole } = shard(1, 1);
  const cases: Record<string, { reports: Report[]; says: string }> = {
    'no reports': { reports: [], says: 'expected reports to merge, received none' },
    'a whole run': {
      reports: [shard(1, 2), whole],
      says: 'b.json: expected a shard of a run, received a whole run (no --shard)',
    },
    'one shard twice': {
      reports: [shard(1, 3), shard(2, 3), shard(2, 3)],
      says: 'expected each shard once, received 2/3 as b.json and c.json',
    },
    'shards without their others': {
      reports: [shard(2, 4), shard(3, 4)],
      says: 'expected 4 shards, received 2: 1/4, 4/4 are missing',
    },
    'a few of very many shards': {
      reports: [shard(1, 1_000_000_000)],
      says: 'expected 1000000000 shards, received 1: 2/1000000000, ',
    },
    'other numbers of shards': {
      reports: [shard(1, 2), shard(2, 3)],
      says: 'b.json: expected the number of shards of a.json (2), received 3. Give each job --shard with the same number',
    },
    'another seed': {
      reports: two({ seed: 43 }),
      says: 'b.json: expected the seed of a.json (42), received 43. Give each job the same --seed.',
    },
    'another version': {
      reports: two({ version: '0.2.0' }),
      says: 'b.json: expected the version of svc-conform of a.json (0.1.0), received 0.2.0.',
    },
    'another protocol': { reports: two({ protocol: '2027-01-01' }), says: 'expected the protocol of a.json' },
    'another selection': {
      reports: two({}, { surfaces: ['crm-webhook'] }),
      says: 'b.json: expected the selection of a.json ({}), received {"surfaces":["crm-webhook"]}.',
    },
    'another endpoint': {
      reports: two({ target: { 'crm-webhook': { url: 'https://example.org/crm' } } }),
      says: 'b.json: expected the crm-webhook endpoint of a.json (http://127.0.0.1/crm), received https://example.org/crm.',
    },
    'another port of another machine': {
      reports: [
        shard(1, 2, { target: { 'crm-webhook': { url: 'https://example.org/crm' } } }),
        shard(2, 2, { target: { 'crm-webhook': { url: 'https://example.org:8443/crm' } } }),
      ],
      says: 'received https://example.org:8443/crm',
    },
    'another image': {
      reports: [
        { ...shard(1, 2), container: { image: 'crm:1', digest: 'sha256:a' } },
        { ...shard(2, 2), container: { image: 'crm:1', digest: 'sha256:b' } },
      ],
      says: 'b.json: expected the image of a.json (sha256:a), received sha256:b. Pin the image by its digest',
    },
    'an endpoint of which only later shards speak': {
      reports: [
        shard(1, 3),
        shard(2, 3, { target: { 'own-ai-chat': { url: 'https://a.example/chat' } } }),
        shard(3, 3, { target: { 'own-ai-chat': { url: 'https://b.example/chat' } } }),
      ],
      says: 'c.json: expected the own-ai-chat endpoint of b.json (https://a.example/chat), received https://b.example/chat.',
    },
    'a config that lacks a surface': {
      reports: two({ configured: ['crm-webhook'], checks: [check(token, 'pass')] }),
      says: 'b.json: expected the configured surfaces of a.json (["crm-webhook","own-ai-chat"]), received ["crm-webhook"]. Give each job the same config',
    },
    'a config that has a surface more': {
      reports: two({ configured: ['crm-webhook', 'api-webhooks', 'own-ai-chat'] }),
      says: 'received ["crm-webhook","api-webhooks","own-ai-chat"]',
    },
    'shards that each left a requirement to the others': {
      reports: [1, 2].map((index) => shard(index, 2, { checks: [check(token, 'pass'), check(signature, 'pass')] })),
      says: `expected each requirement judged by a shard, received none for ${events}. The shards divided the suites differently: give each job the same config and the same build.`,
    },
    'a shard of another day': {
      reports: two({ startedAt: '2026-10-11T09:30:59.000Z' }),
      says: 'b.json: expected a shard of the same run as a.json, which began at 2026-10-12T09:31:00.000Z, received one that began at 2026-10-11T09:30:59.000Z. Shards of one run begin within a day',
    },
    'an image by another digest': {
      reports: [
        { ...shard(1, 2), container: { image: 'crm:1', digest: 'sha256:a', digestOf: 'manifest' } },
        { ...shard(2, 2), container: { image: 'crm:1', digest: 'sha256:a', digestOf: 'image' } },
      ],
      says: 'b.json: expected the image of a.json',
    },
    'an anonymised one': {
      reports: [shard(1, 2), { ...shard(2, 2), anonymized: true }],
      says: 'b.json: expected an unmodified report, received an anonymised one. Merge first',
    },
  };

  it.each(Object.keys(cases))('%s: refused with the reason', (name) => {
    const { reports, says } = cases[name] ?? { reports: [], says: '' };
    const merge = () => mergeReports(reports, ['a.json', 'b.json', 'c.json']);
    expect(merge).toThrow(ReportsNotMergeable);
    expect(merge).toThrow(says);
  });
});

it('shows every proxy and every address without verification', () => {
  const proxy = (url: string, ...keys: ('crmWebhook' | 'chat' | 'phone')[]) => ({ url, keys });
  const environments: NonNullable<Report['environment']>[] = [
    { proxies: [proxy('http://a.example:80', 'chat')], tlsVerification: 'disabled', insecure: ['chat'] },
    { proxies: [proxy('http://a.example:80', 'chat', 'phone'), proxy('http://b.example:80', 'crmWebhook')] },
    { tlsVerification: 'disabled', insecure: ['phone'] },
  ];
  const shards = environments.map((environment, at) => shard(at + 1, environments.length, { environment }));
  const merged = mergeReports(shards);
  expect(validate('report', merged)).toEqual([]);
  expect(merged.environment).toEqual({
    tlsVerification: 'disabled',
    insecure: ['chat', 'phone'],
    proxies: [proxy('http://a.example:80', 'chat', 'phone'), proxy('http://b.example:80', 'crmWebhook')],
  });
});

it('adds up what the shards sent within their limits, and shows every host without encryption', () => {
  const limits: NonNullable<Report['limits']>[] = [
    { messages: { sent: 20, most: 30 }, calls: { sent: 1 }, perMinute: 10 },
    { messages: { sent: 30, most: 30 }, perMinute: 10 },
  ];
  const shards = limits.map((one, at) =>
    shard(at + 1, limits.length, { limits: one, environment: { allowedHttp: ['app', `app-${at}`] } }),
  );
  const merged = mergeReports(shards);
  expect(validate('report', merged)).toEqual([]);
  expect(merged.limits).toEqual({ messages: { sent: 50, most: 60 }, calls: { sent: 1 }, perMinute: 20 });
  expect(merged.environment).toEqual({ allowedHttp: ['app', 'app-0', 'app-1'] });
});

it('shows both ways in which the verification was disabled', () => {
  const environments: NonNullable<Report['environment']>[] = [
    { tlsVerification: 'disabled' },
    { tlsVerification: 'disabled', insecure: ['phone'] },
  ];
  const { environment } = mergeReports(environments.map((one, at) => shard(at + 1, 2, { environment: one })));
  expect(environment).toEqual({ tlsVerification: 'disabled', insecure: ['phone'], insecureByVariable: true });
  for (const sentences of [environmentNotes(environment), environmentRefusals(environment)]) {
    expect(sentences).toEqual([
      expect.stringContaining('tls.insecure for phone'),
      expect.stringContaining('NODE_TLS_REJECT_UNAUTHORIZED=0'),
    ]);
  }
  expect(environmentNotes({ tlsVerification: 'disabled', insecure: ['phone'] })).toHaveLength(1);
});
