import type { Report } from '../../specs/generated/types.ts';
import { callReport, manyFailuresReport } from './sample-report.ts';

const [firstExchange] = manyFailuresReport.exchanges;
const [firstCheck, ...otherChecks] = manyFailuresReport.checks;

/** A report with every existing field: calls, a gate, a container and its logs, broken parts, repeats. */
export const fullReport: Report = {
  ...manyFailuresReport,
  configFile: 'svc-conform.config.json',
  configInRepository: 'svc-conform.config.json',
  target: {
    ...manyFailuresReport.target,
    'own-ai-phone': { url: 'ws://127.0.0.1:8080/voice' },
    'api-client': { command: 'npm run sync' },
    'deep-links': { file: 'links.txt' },
  },
  gate: {
    passed: false,
    failOn: 'should',
    reasons: ['crm-webhook/refuses-wrong-token fails and did not fail in the baseline.'],
    baseline: {
      startedAt: '2026-10-11T09:30:00.000Z',
      verdict: 'conformant',
      new: ['crm-webhook/refuses-wrong-token'],
      known: [],
      fixed: [],
      gone: [],
      notes: ['The baseline is of another endpoint.'],
    },
    waivers: [
      {
        requirement: 'own-ai-chat/answers-valid-events',
        reason: 'until the release',
        until: '2026-12-31',
        state: 'applied',
      },
    ],
  },
  environment: {
    proxies: [{ url: 'http://proxy.hydra.example:3128', keys: ['crmWebhook', 'chat'] }],
    allowedHttp: ['app.hydra.internal'],
  },
  start: { command: 'node server.js', exits: 2, signal: 'SIGSEGV' },
  container: { image: 'registry.example.com/team/endpoint:1.2', digest: `sha256:${'ab'.repeat(32)}` },
  logs: [
    { at: '2026-10-12T09:30:01.260Z', stream: 'stdout', text: 'POST /crm 200 in 12 ms' },
    { at: '2026-10-12T09:30:01.270Z', stream: 'stderr', text: '{"level":"error","message":"not found"}' },
  ],
  logsOmitted: 3,
  requirements: [...manyFailuresReport.requirements, ...callReport.requirements],
  checks: [
    ...(firstCheck
      ? [
          {
            ...firstCheck,
            repeats: { failed: 3, of: 4 },
            causes: [
              {
                id: 'http/slow',
                summary: 'It answers late.',
                why: 'It is.',
                remediation: 'Answer earlier.',
                certain: false,
              },
            ],
            brokeAt: {
              exchange: 'ex-2',
              part: 'response-body' as const,
              name: 'content-type',
              pointer: '/contactData/crmAiInfo',
            },
          },
        ]
      : []),
    ...otherChecks,
    ...callReport.checks.map((check) => ({ ...check, evidence: check.evidence.map((id) => `call-${id}`) })),
  ],
  exchanges: [
    ...manyFailuresReport.exchanges,
    ...callReport.exchanges.map((exchange) => ({ ...exchange, id: `call-${exchange.id}`, detail: 'closed' })),
    ...(firstExchange
      ? [{ ...firstExchange, id: 'ex-cut', request: { ...firstExchange.request, body: '{"text":"and so on…' } }]
      : []),
  ],
};

/** Fields whose values come from the tool, or are fixed by the schema: no outside value appears there. */
export const fixed: ReadonlySet<string> = new Set(
  'brand name version startedAt verdict surface surfaces only url id requirement level checks title code exchange part from kind outcome by keys at signal stream unit evidence failOn new known fixed gone requirement until state path notJudged source configure what commit ci node platform'.split(
    ' ',
  ),
);
/** Fields with fixed names that contain strings from outside. */
const texts =
  /^\/(?:target\/[^/]+\/url|environment\/proxies\/\d+\/url|exchanges\/\d+\/request\/url|checks\/\d+\/brokeAt\/name)$/;

/** The report with a string appended to each string that may come from outside, and the places: names of fields. */
export function planted(report: Report, text: string): { report: Report; places: string[] } {
  const places: string[] = [];
  const plant = (value: unknown, pointer: string, name: string): unknown => {
    if (typeof value === 'string') {
      if (fixed.has(name) && !texts.test(pointer)) return value;
      places.push(name);
      return withText(value, text);
    }
    if (Array.isArray(value)) return value.map((one: unknown, at) => plant(one, `${pointer}/${at}`, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, plant(one, `${pointer}/${key}`, /^\d+$/.test(key) ? name : key)]),
    );
  };
  return { report: plant(report, '', '') as Report, places };
}

/** Added to JSON text as a string field, so that the text stays valid JSON. */
function withText(value: string, text: string): string {
  const [, inside] = /^\{(.+)\}$/s.exec(value) ?? [];
  return inside === undefined ? `${value} ${text}` : `{"text":${JSON.stringify(text)},${inside}}`;
}
