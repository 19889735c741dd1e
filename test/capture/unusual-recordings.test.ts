import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readRecording } from '../../harness/capture/read-recording.ts';
import { sortRecording } from '../../harness/capture/sort-recording.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { agentRules } from '../../suites/api-client/agents.ts';
import { bodyRules } from '../../suites/api-client/bodies.ts';
import { effectRules } from '../../suites/api-client/effects.ts';
import { keepingRules } from '../../suites/api-client/keeping.ts';
import { keyRules } from '../../suites/api-client/keys.ts';
import { paceRules } from '../../suites/api-client/pace.ts';
import { pathRules } from '../../suites/api-client/paths.ts';
import { refusalRules } from '../../suites/api-client/refusals.ts';
import { repetitionRules } from '../../suites/api-client/repetition.ts';
import { readTraffic } from '../../suites/api-client/traffic.ts';
import { valueRules } from '../../suites/api-client/values.ts';
import { apiWebhookRules } from '../../suites/capture/api-webhooks.ts';
import { chatReplyRules } from '../../suites/capture/chat-replies.ts';
import { crmCallbackRules } from '../../suites/capture/crm-callbacks.ts';
import { crmWebhookRules } from '../../suites/capture/crm-webhook.ts';
import { ownAiChatRules } from '../../suites/capture/own-ai-chat.ts';
import { ownAiPhoneRules } from '../../suites/capture/own-ai-phone.ts';
import { callback, crmEvent } from './crm-cases.ts';
import { message, reply } from './chat-cases.ts';
import { apiKey, base, config, harOf, signedHeaders, type RecordedMessage } from './recorded.ts';
import { call, hook } from './signed-cases.ts';
import { unusualRecordings, type UnusualRecording } from './unusual-recordings.ts';

const ofDeliveries = [
  ...crmWebhookRules,
  ...crmCallbackRules,
  ...apiWebhookRules,
  ...ownAiChatRules,
  ...chatReplyRules,
  ...ownAiPhoneRules,
];
const ofClients = [
  ...agentRules,
  ...bodyRules,
  ...effectRules,
  ...keepingRules,
  ...keyRules,
  ...paceRules,
  ...pathRules,
  ...refusalRules,
  ...repetitionRules,
  ...valueRules,
];
const unconfigured: ResolvedConfig = { skills: [], stimuli: {}, service: { host: '127.0.0.1', port: 0 } };
const configs: Record<NonNullable<UnusualRecording['knows']>, ResolvedConfig> = {
  everything: config,
  nothing: unconfigured,
  'no-timeout': withoutTimeouts(config),
};

function withoutTimeouts({ chat, phone, ...rest }: ResolvedConfig): ResolvedConfig {
  const unsaid = <Agent extends { timeoutGiven?: true }>({ timeoutGiven: _, ...agent }: Agent) => agent;
  return { ...rest, ...(chat && { chat: unsaid(chat) }), ...(phone && { phone: unsaid(phone) }) };
}

const directory = mkdtempSync(join(tmpdir(), 'svc-conform-unusual-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function sorted(traffic: readonly RecordedMessage[], of: ResolvedConfig) {
  const file = join(directory, 'recording.har');
  writeFileSync(file, harOf(traffic));
  return sortRecording(readRecording(file), of);
}

/** The result of every rule that has something to judge. */
function verdicts(
  traffic: readonly RecordedMessage[],
  of: ResolvedConfig = config,
): { rule: string; finding: string | undefined }[] {
  const capture = sorted(traffic, of);
  const client = capture.traffic && readTraffic(capture.traffic);
  return [
    ...ofDeliveries.map((rule) => ({ rule, judged: rule.judge(capture, of) })),
    ...ofClients.map((rule) => ({ rule, judged: client ? rule.judge(client) : [] })),
  ].flatMap(({ rule, judged }) =>
    judged.map(({ finding }) => ({
      rule: rule.requirement,
      finding: finding && `expected ${finding.expected}, received ${finding.received}`,
    })),
  );
}

const findings = (traffic: readonly RecordedMessage[], of?: ResolvedConfig) =>
  verdicts(traffic, of).flatMap(({ rule, finding }) => (finding === undefined ? [] : `${rule}: ${finding}`));
const held = (traffic: readonly RecordedMessage[], of?: ResolvedConfig) =>
  new Set(verdicts(traffic, of).map(({ rule }) => rule));

describe('a correct but unusual recording', () => {
  it.each(unusualRecordings)('has no finding where $name', ({ traffic, knows = 'everything' }) => {
    const all = verdicts(traffic, configs[knows]);
    expect(all.length).toBeGreaterThan(0);
    expect(all.filter(({ finding }) => finding !== undefined)).toEqual([]);
  });
});

describe('a requirement that such a recording does not show', () => {
  it('is not exercised, and never passes', () => {
    const untaken = message({}, { at: 5, status: 413 });
    const cut = { ...untaken, headers: { ...untaken.headers, ...signedHeaders('other', 5) } };
    const unframed: RecordedMessage = { ...call([], { at: 60 }), headers: { 'x-svc-call-id': 'call_43' } };
    const { frames: _, ...withoutFrames } = unframed;
    const noHeaders = [crmEvent('FinishedCall', { status: 202 }), callback({ headers: {} })];
    const noTokens = [crmEvent('FinishedCall', { status: 202, headers: {} }), callback()];
    const uncalled = [crmEvent('FinishedCall', { status: 202 }), crmEvent('Manual', { at: 900 })];
    const cases: [rule: string, traffic: readonly RecordedMessage[]][] = [
      ['own-ai-chat/refuses-other-secret', [message(), cut]],
      ['own-ai-chat/refuses-with-401', [message(), cut]],
      ['own-ai-phone/refuses-missing-signature', [call([]), withoutFrames]],
      ['crm-webhook/callback-carries-no-token', noHeaders],
      ['crm-webhook/callback-carries-no-token', noTokens],
      ['crm-webhook/calls-back-after-202', uncalled],
    ];
    expect(cases.filter(([rule, traffic]) => held(traffic).has(rule))).toEqual([]);
  });
});

describe('a fault in such a recording', () => {
  const later = message({}, { status: 202 });
  const sentBy = (headers: Record<string, string>) => [
    later,
    reply({ text: 'One' }),
    reply({ text: 'Two' }, { at: 9, headers, status: 401 }),
  ];

  it.each<[rule: string, traffic: readonly RecordedMessage[]]>([
    ['own-ai-chat/reply-carries-the-api-key', sentBy({ 'X-Api-Key': 'svc_sk_unheard_of_anywhere' })],
    ['api-client/carries-the-key-as-issued', sentBy({ 'X-Api-Key': 'svc_sk_unheard_of_anywhere' })],
    ['own-ai-chat/reply-carries-the-api-key', sentBy({})],
    ['api-client/carries-an-api-key', sentBy({})],
    [
      'own-ai-chat/reply-uses-the-address-given',
      [reply({}, { url: `${base}/v1/projects/815/agent-replies?a=1`, at: 0 }), later],
    ],
    [
      'crm-webhook/callback-uses-the-address-given',
      [crmEvent('FinishedCall', { status: 202 }), callback({ url: `${base}/api/callbacks/cb_4711abcdef?k=1` })],
    ],
    [
      'crm-webhook/callback-uses-the-address-given',
      [
        crmEvent('FinishedCall', { status: 202, callbackUrl: `${base}/callbacks/cb_4711abcdef?k=%2f1` }),
        callback({ url: `${base}/callbacks/cb_4711abcdef?k=/1` }),
      ],
    ],
    [
      'crm-webhook/callback-carries-no-token',
      [
        crmEvent('FinishedCall', { status: 202, headers: {} }),
        callback({ headers: { 'x-token': config.crmWebhook?.token ?? '' } }),
      ],
    ],
    [
      'crm-webhook/callback-carries-no-token',
      [crmEvent('FinishedCall', { status: 202 }), callback({ headers: { 'X-Api-Key': apiKey } })],
    ],
    ['own-ai-chat/answers-in-time', [message({}, { ms: 31_000 })]],
  ])('fails %s', (rule, traffic) => {
    const configured = rule.endsWith('/answers-in-time') ? configs['no-timeout'] : config;
    expect(findings(traffic, configured).filter((line) => line.startsWith(`${rule}: `))).toHaveLength(1);
  });

  it('is an Idempotency-Key for two requests on one day, and a contact sent again within the hour', () => {
    const headers = { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' };
    const note = (at: number, text: string, key: string): RecordedMessage => ({
      url: `${base}/v1/notes`,
      headers: { ...headers, 'Idempotency-Key': key },
      body: { contactId: 5, text },
      at,
      status: 201,
    });
    const contact = (at: number): RecordedMessage => ({
      url: `${base}/v1/contacts`,
      headers,
      body: { phone: '+4930901820' },
      at,
    });
    const lines = findings([
      note(0, 'one', 'a'),
      note(5, 'two', 'b'),
      note(82_000, 'three', 'a'),
      contact(0),
      contact(3_000),
    ]);
    expect(lines.map((line) => line.split(':', 1)[0])).toEqual([
      'api-client/requests-take-effect',
      'api-client/contact-is-not-sent-again-unchanged',
      'api-client/another-request-has-another-key',
    ]);
  });

  it('is reported if something was ignored: a credential that a gateway removed', () => {
    const outer = hook('appointment.created');
    const { aside } = sorted([outer, { ...outer, url: 'http://internal.local/hooks', headers: {}, at: 1 }], config);
    expect(aside).toEqual([{ reason: { kind: 'not-attributable' }, entries: [2] }]);
    const misdirected = { ...outer, headers: {}, at: 1 };
    expect(held([outer, misdirected]).has('api-webhooks/refuses-missing-signature')).toBe(true);
  });
});
