import { buildReport } from '../../reports/model/build-report.ts';
import type { Catalogue, RunRecord } from '../../reports/model/build-report.ts';
import type {
  CallFrameRecord,
  CallRecord,
  CheckResult,
  Exchange,
  Level,
  Report,
  Verdict,
} from '../../specs/generated/types.ts';

/** Text as an endpoint would write it to harm readers of the report. */
export const hostile = {
  scriptEnd: `</script><script>alert(1)</script>`,
  attribute: `" onmouseover="alert(1)' autofocus onfocus='alert(1)`,
  tag: `<img src=https://evil.example/x onerror=alert(1)>`,
  comment: `--><!-- <![CDATA[ ]]> &lt; &#x3c;`,
  style: `</style></pre></details><style>*{display:none}</style>`,
  escape: `\u001b[2J\u001b]0;owned\u0007\u001b[31m\u009b1m`,
  bidi: `pass\u202elian\u2066\u2069\u200b\u061c`,
  nul: `a\u0000b\u007f\r\u2028\ufeff`,
} as const;

/** All of it at once. */
export const hostileText = Object.values(hostile).join(' ');

function entry(level: Level, section: string, statement: string, remediation: string): Catalogue[string] {
  return { level, section, statement, remediation };
}

/** A small catalogue of three surfaces and one that is not configured. */
export const sampleCatalogue: Catalogue = {
  'crm-webhook/answers-lookup-in-time': entry(
    'must',
    'Limits',
    'A lookup is answered within two seconds.',
    'Answer 202 at once and post the data to callbackUrl when it is there.',
  ),
  'crm-webhook/refuses-wrong-token': entry(
    'must',
    'Authentication',
    'A request without the configured token is answered 401.',
    'Compare the Authorization header with the token of this inbox and answer 401 when it differs.',
  ),
  'crm-webhook/calls-back-without-token': entry(
    'should',
    'Authentication',
    'A callback carries no authorization.',
    'Leave the Authorization header out of the POST to callbackUrl.',
  ),
  'crm-webhook/keeps-private-data-out': entry(
    'advice',
    'What the service does',
    'crmAiInfo holds nothing that a stranger must not hear.',
    'Leave amounts, account numbers and health data out of crmAiInfo; a caller id can be forged.',
  ),
  'crm-webhook/ids-are-strings': entry('must', 'CRM webhook', 'Ids in an answer are strings.', 'Write ids in quotes.'),
  'crm-webhook/compares-in-constant-time': {
    ...entry('must', 'Authentication', 'The token is compared in constant time.', 'Use a constant-time comparison.'),
    unobservable: 'the time differs by less than the network does',
  },
  'api-webhooks/answers-200': entry(
    'must',
    'API webhook events',
    'A signed event is answered 200.',
    'Answer 200 once the signature is verified.',
  ),
  'api-webhooks/refuses-other-secret': entry(
    'must',
    'Authentication',
    'A signature made with another secret is refused.',
    'Compute HMAC-SHA256 over t, a dot and the raw body, and compare.',
  ),
  'own-ai-chat/refuses-altered-body': entry(
    'must',
    'Authentication',
    'A body changed after signing is refused.',
    'Verify the signature over the raw bytes, before parsing them.',
  ),
  'own-ai-chat/answers-valid-events': entry(
    'must',
    'Own-AI chat event: message.received',
    'Any valid event is answered as a valid event.',
    'Treat every optional field as possibly missing.',
  ),
  'own-ai-chat/names-offered-skills': entry(
    'should',
    'Skills as tools',
    'Only skills of the event are asked for.',
    'Take keys from data.skills.',
  ),
  'own-ai-phone/refuses-bad-signature': entry(
    'must',
    'Own-AI phone',
    'The upgrade is refused without a valid signature.',
    'Verify X-Svc-Signature over t, a dot and the call id.',
  ),
  'service/greets-first': entry('must', 'Own-AI phone frames', 'The service greets the caller.', ''),
};

const surfaceOfId = (id: string) => id.split('/')[0] ?? '';

/** A check result of the catalogue's level. */
export function check(requirement: string, verdict: Verdict, rest: Partial<CheckResult> = {}): CheckResult {
  return {
    id: `${requirement}#check`,
    requirement,
    surface: surfaceOfId(requirement),
    title: sampleCatalogue[requirement]?.statement ?? requirement,
    level: sampleCatalogue[requirement]?.level ?? 'must',
    verdict,
    durationMs: 3,
    evidence: [],
    ...rest,
  };
}

function exchange(id: string, path: string, rest: Partial<Exchange> = {}): Exchange {
  return {
    id,
    kind: 'http',
    label: 'one event as the service sends it',
    startedAt: '2026-10-12T09:30:01.250Z',
    request: {
      method: 'POST',
      url: `http://127.0.0.1:8080/${path}`,
      headers: [
        ['content-type', 'application/json'],
        ['authorization', 'Bearer [redacted]'],
      ],
      body: '{"eventType":"IncomingCallLookup","contactData":{"svcContactId":9007199254740991,"tags":[],"score":1.0}}',
      bodyBytes: 103,
    },
    response: { status: 200, headers: [['content-type', 'application/json']], body: '{}', bodyBytes: 2 },
    outcome: 'answered',
    timing: { connectMs: 0.62, firstByteMs: 11.4, totalMs: 12.1, limitMs: 2000 },
    ...rest,
  };
}

const base = {
  version: '0.1.0',
  protocol: '2026-10-11',
  startedAt: '2026-10-12T09:30:00.000Z',
  durationMs: 4217,
  seed: 42,
  target: {
    'crm-webhook': { url: 'http://127.0.0.1:8080/crm' },
    'api-webhooks': { url: 'http://127.0.0.1:8080/hooks' },
    'own-ai-chat': { url: 'http://127.0.0.1:8080/chat' },
  },
  configured: ['crm-webhook', 'api-webhooks', 'own-ai-chat'],
} as const satisfies Partial<RunRecord>;

const passing = [
  'crm-webhook/answers-lookup-in-time',
  'crm-webhook/refuses-wrong-token',
  'crm-webhook/calls-back-without-token',
  'crm-webhook/keeps-private-data-out',
  'api-webhooks/answers-200',
  'api-webhooks/refuses-other-secret',
  'own-ai-chat/refuses-altered-body',
  'own-ai-chat/answers-valid-events',
].map((id) => check(id, 'pass', { evidence: ['ex-1'] }));

const timings = [{ name: 'crm-webhook/lookup', unit: 'ms' as const, limit: 2000, samples: [12.1, 9.2, 2304, 44, 15] }];

/** Nothing fails. */
export const cleanRun: RunRecord = {
  ...base,
  checks: [
    ...passing,
    check('crm-webhook/ids-are-strings', 'not-exercised', { message: 'every answer was a 204, so there was no body' }),
  ],
  exchanges: [exchange('ex-1', 'crm')],
  timings: [{ name: 'crm-webhook/lookup', unit: 'ms', limit: 2000, samples: [12.1, 9.2, 44, 15] }],
};

/** One must fails, in a part of the run. */
export const oneFailureRun: RunRecord = {
  ...cleanRun,
  selection: { surfaces: ['own-ai-chat'], callbackWaitMs: 5000 },
  selected: (id) => id.startsWith('own-ai-chat/'),
  checks: [
    check('own-ai-chat/answers-valid-events', 'pass'),
    check('own-ai-chat/refuses-altered-body', 'fail', {
      message: 'expected 401, received 200',
      expected: '401',
      received: '200',
      causes: [
        {
          id: 'signature/body-compact',
          summary: 'The signature is computed over the parsed and re-serialised body.',
          remediation: 'Verify it over the raw bytes of the body.',
          certain: true,
        },
      ],
      reproduce: 'svc-conform check --only own-ai-chat/refuses-altered-body --seed 42',
      evidence: ['ex-1', 'ex-2'],
    }),
  ],
  exchanges: [exchange('ex-1', 'chat'), exchange('ex-2', 'chat')],
};

/** Every kind of fault at once, with hostile text wherever text from outside can appear. */
export const hostileRun: RunRecord = {
  ...base,
  protocol: hostileText,
  target: { ...base.target, 'crm-webhook': { url: `http://127.0.0.1:8080/${hostileText}` } },
  selection: { only: [hostileText] },
  checks: [
    check('crm-webhook/answers-lookup-in-time', 'fail', {
      message: 'expected an answer within 2000 ms, received one after 2304 ms',
      evidence: ['ex-2'],
    }),
    check('crm-webhook/refuses-wrong-token', 'fail', {
      message: `expected 401, received ${hostileText}`,
      expected: `401 ${hostileText}`,
      received: hostileText,
      hint: hostileText,
      reproduce: `svc-conform check --only '${hostileText}'`,
      evidence: ['ex-1', 'gone', 'ex-3'],
    }),
    check('crm-webhook/refuses-wrong-token', 'fail', {
      id: `crm-webhook/refuses-wrong-token#${hostileText}`,
      title: hostileText,
      message: hostileText,
    }),
    check('crm-webhook/calls-back-without-token', 'fail', {
      message: 'expected no Authorization header, received one',
      evidence: ['ex-4'],
    }),
    check('crm-webhook/keeps-private-data-out', 'fail', { message: `received ${hostileText}` }),
    check('crm-webhook/ids-are-strings', 'not-exercised', { message: hostileText }),
    check('own-ai-chat/answers-valid-events', 'fail', {
      message: 'expected 200, 202 or 204, received 500',
      expected: '200, 202 or 204',
      received: '500',
      reproduce: 'svc-conform check --only own-ai-chat/answers-valid-events --seed 42 --path 3:1',
      evidence: ['ex-5'],
      counterexample: {
        seed: 42,
        path: '3:1:0',
        runs: 57,
        shrinks: 12,
        event: `{"id":"evt_1","data":{"projectId":1.0,"contact":{},"message":{"text":${JSON.stringify(hostileText)}}}}`,
        differences: [
          { pointer: '/data/contact/name', failing: '(missing)', accepted: '"Ada"' },
          { pointer: `/data/${hostileText}`, failing: hostileText, accepted: hostileText },
          { pointer: '', failing: '{}', accepted: '[]' },
        ],
      },
    }),
    check('own-ai-chat/refuses-altered-body', 'pass', { evidence: ['ex-6'] }),
    ...['api-webhooks/answers-200', 'api-webhooks/refuses-other-secret'].map((id, index) =>
      check(id, 'blocked', {
        message: `connection refused at http://127.0.0.1:8080/hooks after ${index + 2} ms`,
        code: 'endpoint-unreachable',
        hint: 'Is the endpoint running?',
        evidence: ['ex-7'],
      }),
    ),
  ],
  exchanges: [
    exchange('ex-1', 'crm'),
    exchange('ex-2', 'crm', { timing: { connectMs: null, firstByteMs: 2290, totalMs: 2304, limitMs: 2000 } }),
    exchange('ex-3', 'crm', {
      label: hostileText,
      request: {
        method: 'POST',
        url: `http://127.0.0.1:8080/${hostileText}`,
        headers: [['x-odd', hostileText]],
        body: hostileText,
        bodyBytes: 9000,
      },
      response: { status: 200, headers: [[hostileText, hostileText]], body: hostileText, bodyBytes: 70000 },
    }),
    exchange('ex-4', 'callbacks/k3v9', { kind: 'callback', label: 'callback after a 202' }),
    exchange('ex-5', 'chat', {
      response: { status: 500, headers: [], body: '', bodyBytes: 0 },
      timing: { connectMs: 0.4, firstByteMs: 3, totalMs: 3.2, limitMs: 10000 },
    }),
    exchange(hostileText, 'chat', { label: 'an id of its own' }),
    {
      id: 'ex-7',
      kind: 'http',
      label: 'a signed event',
      startedAt: '2026-10-12T09:30:02.000Z',
      request: { method: 'POST', url: 'http://127.0.0.1:8080/hooks', headers: [], body: '', bodyBytes: 0 },
      outcome: 'unreachable',
      detail: `ECONNREFUSED ${hostileText}`,
      timing: { connectMs: null, firstByteMs: null, totalMs: null },
    },
  ],
  timings: [...timings, { name: hostileText, unit: 'ms', limit: 10000, samples: [1] }],
};

const crashing = [
  'crm-webhook/accepts-null-members',
  'crm-webhook/accepts-unknown-members',
  'crm-webhook/answers-every-event',
  'crm-webhook/accepts-the-token',
  'crm-webhook/unknown-event-name-204',
];

/** Ids of the real catalogue, because they determine which requirements are basic; the text is invented. */
const cascadeCatalogue: Catalogue = Object.fromEntries(
  [
    ...crashing.toReversed(),
    'crm-webhook/flags-are-boolean',
    'own-ai-chat/accepts-30-turns',
    'own-ai-chat/answers-ping',
  ].map((id) => [
    id,
    entry(id.endsWith('-unknown-members') ? 'should' : 'must', 'Some section', `${id} holds.`, 'Fix it.'),
  ]),
);

const crash = { status: 500, headers: [], body: '{"title":"internal"}', bodyBytes: 20 };

/** One crash behind many failures of one surface, together with separate failures. */
export const cascadeRun: RunRecord = {
  ...base,
  checks: [
    ...crashing.map((id, index) =>
      check(id, 'fail', {
        message: 'expected a 2xx status, received status 500',
        evidence: [`ex-${index + 1}`],
      }),
    ),
    check('crm-webhook/flags-are-boolean', 'fail', { message: 'received "yes"', evidence: ['ex-6'] }),
    check('own-ai-chat/accepts-30-turns', 'fail', { message: 'received status 500', evidence: ['ex-7'] }),
    check('own-ai-chat/answers-ping', 'fail', { message: 'received status 404', evidence: ['ex-8'] }),
  ],
  exchanges: [
    ...crashing.map((_, index) => exchange(`ex-${index + 1}`, 'crm', { response: crash })),
    exchange('ex-6', 'crm'),
    exchange('ex-7', 'chat', { response: crash }),
    exchange('ex-8', 'chat', { response: { ...crash, status: 404 } }),
  ],
  timings: [],
};

const phone = 'ws://127.0.0.1:8080/voice';

/** Frames of a call, one every 20 ms; a string is a frame that is not JSON. */
export function frames(
  sent: readonly (readonly ['service' | 'ai', Readonly<Record<string, unknown>> | string])[],
): CallFrameRecord[] {
  return sent.map(([from, said], n) => {
    const text = typeof said === 'string' ? said : JSON.stringify(said);
    return { n, from, atMs: 10 + n * 20, text, bytes: Buffer.byteLength(text) };
  });
}

const piece = (text: string, last = false) => ['ai', { type: 'text', text, last }] as const;

const started = {
  type: 'session.started',
  protocol: '2026-10-11',
  callId: '3f2a9c1b-5d0e-4a52-9a57-0f1c7f3f9b11',
  callSid: 'CA1',
  projectId: 7,
  workspaceId: 3,
  agentId: 5,
  from: '+4930901820',
  to: '+493012345',
  language: 'de-DE',
  contact: { id: 9, name: 'Ada' },
  skills: [{ id: 1, key: 'sales', name: 'Sales', kind: 'forward' }],
};

/** A call in which the old answer continues after an interruption, and that the AI breaks off. */
export const interruptedCall: CallRecord = {
  callId: started.callId,
  frames: frames([
    ['service', started],
    ['service', { type: 'prompt', text: 'When are you open?' }],
    ...['We ', 'are ', 'open ', 'until ', 'six.'].map((text) => piece(text)),
    piece('', true),
    ['service', { type: 'prompt', text: 'And what do you do all day long?' }],
    ...['We fix heatings, ', 'and baths, '].map((text) => piece(text)),
    ['service', { type: 'interrupt', spokenUntilInterrupt: 'We fix heatings' }],
    piece('and on Sundays '),
    piece('we rest, '),
    piece('as everybody does.', true),
    ['service', { type: 'dtmf', digit: '5' }],
    ['ai', 'pressed 5'],
    ['ai', { type: 'skill', executeSkills: ['sales'], announcement: 'One moment.' }],
    ['service', { type: 'skill.result', key: 'sales', ok: false, reason: 'no-answer' }],
  ]),
  framesOmitted: 0,
  end: { by: 'ai', atMs: 1204.4, code: 1006, reason: '', clean: false },
};

const upgrade = {
  request: { method: 'GET', url: phone, headers: [['X-Svc-Call-Id', started.callId]], body: '', bodyBytes: 0 },
  response: { status: 101, headers: [['upgrade', 'websocket']], body: '', bodyBytes: 0 },
  timing: { connectMs: 0.4, firstByteMs: null, totalMs: 3.1, limitMs: 5000 },
};

const phoneCatalogue: Catalogue = Object.fromEntries(
  ['stops-at-interrupt', 'keeps-the-call-open', 'frame-is-json', 'accepts-valid-signature'].map((slug) => [
    `own-ai-phone/${slug}`,
    entry(slug === 'frame-is-json' ? 'should' : 'must', 'Own-AI phone frames', `${slug} holds.`, 'Fix it.'),
  ]),
);

function callRunOf(call: CallRecord, words: string): RunRecord {
  const failing = (slug: string, rest: Partial<CheckResult>) =>
    check(`own-ai-phone/${slug}`, 'fail', {
      message: `expected ${words}, received ${words}`,
      expected: words,
      received: words,
      evidence: ['ex-1'],
      ...rest,
    });
  return {
    ...base,
    target: { 'own-ai-phone': { url: phone } },
    configured: ['own-ai-phone'],
    checks: [
      failing('stops-at-interrupt', { brokeAt: { exchange: 'ex-1', frame: 13 } }),
      failing('keeps-the-call-open', {
        counterexample: { seed: 1, path: '0', runs: 1, shrinks: 0, event: '[{"say":"Yes"}]', differences: [] },
      }),
      failing('frame-is-json', { level: 'should', brokeAt: { exchange: 'ex-1', frame: 16 } }),
      check('own-ai-phone/accepts-valid-signature', 'pass', { evidence: ['ex-2'] }),
    ],
    exchanges: [
      exchange('ex-1', '', { ...upgrade, kind: 'call', label: 'a dialogue with an interruption', call }),
      exchange('ex-2', '', {
        ...upgrade,
        kind: 'call',
        response: { ...upgrade.response, status: 401 },
        call: { callId: started.callId, frames: [], framesOmitted: 0 },
      }),
    ],
    timings: [],
  };
}

/** Calls that break rules with a frame and with their end. */
export const callRun = callRunOf(interruptedCall, 'no more of the old answer after an interruption');

const hostileFrame = {
  type: 'text',
  text: hostileText,
  [hostileText]: hostileText,
};

/** The same with hostile text in every place of every frame. */
export const hostileCallRun = callRunOf(
  {
    callId: hostileText,
    frames: [
      hostileText,
      hostileFrame,
      { type: 'text', text: { [hostileText]: hostileText } },
      { type: 'action', action: hostileText, text: hostileText, note: hostileText },
      { type: 'action', action: 'end', text: [hostileText] },
      { type: 'skill', executeSkills: [hostileText, { key: hostileText, kind: hostileText }], note: hostileText },
      { type: hostileText },
      [hostileText],
      { type: 'prompt', text: hostileText, [hostileText]: 1 },
      { type: 'dtmf', digit: hostileText },
      { type: 'interrupt', spokenUntilInterrupt: hostileText },
      { type: 'skill.result', key: hostileText, ok: hostileText, reason: hostileText },
      { ...started, from: hostileText, contact: { id: hostileText, name: hostileText }, resumed: hostileText },
      hostileFrame,
    ].flatMap((said, at) =>
      (['ai', 'service'] as const).map((from, index) => ({
        n: 3 * at + index,
        from,
        atMs: at,
        text: typeof said === 'string' ? said : JSON.stringify(said),
        bytes: at % 2 === 0 ? 70_000 : 9,
        ...(at % 3 === 0 && { binary: true as const }),
      })),
    ),
    framesOmitted: 200,
    end: { by: 'ai', atMs: 99, code: 4000, reason: hostileText, clean: false, detail: hostileText },
  },
  hostileText,
);

function withHarmlessText(value: unknown): string {
  const once = JSON.stringify(hostileText).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  return JSON.stringify(value).replaceAll(twice, 'some text').replaceAll(once, 'some text');
}

/** The same without hostile content, to be viewed. */
export const manyFailuresRun: RunRecord = {
  ...hostileRun,
  protocol: base.protocol,
  target: base.target,
  selection: undefined,
  checks: JSON.parse(withHarmlessText(hostileRun.checks)),
  exchanges: JSON.parse(withHarmlessText(hostileRun.exchanges).replaceAll('"id":"some text"', '"id":"ex-6"')),
  timings,
};

export const cleanReport: Report = buildReport(cleanRun, sampleCatalogue);
export const oneFailureReport: Report = buildReport(oneFailureRun, sampleCatalogue);
export const manyFailuresReport: Report = buildReport(manyFailuresRun, sampleCatalogue);
export const hostileReport: Report = buildReport(hostileRun, sampleCatalogue);
export const cascadeReport: Report = buildReport(cascadeRun, cascadeCatalogue);
export const callReport: Report = buildReport(callRun, phoneCatalogue);
export const hostileCallReport: Report = buildReport(hostileCallRun, phoneCatalogue);
