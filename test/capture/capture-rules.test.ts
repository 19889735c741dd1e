import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Capture } from '../../harness/capture/capture.ts';
import { readRecording } from '../../harness/capture/read-recording.ts';
import { sortRecording } from '../../harness/capture/sort-recording.ts';
import { apiWebhookRules } from '../../suites/capture/api-webhooks.ts';
import type { CaptureRule } from '../../suites/capture/capture-rules.ts';
import { chatReplyRules } from '../../suites/capture/chat-replies.ts';
import { crmCallbackRules } from '../../suites/capture/crm-callbacks.ts';
import { crmWebhookRules } from '../../suites/capture/crm-webhook.ts';
import { ownAiChatRules } from '../../suites/capture/own-ai-chat.ts';
import { ownAiPhoneRules } from '../../suites/capture/own-ai-phone.ts';
import { chatCases } from './chat-cases.ts';
import { crmCases, crmEvent } from './crm-cases.ts';
import { phoneCases } from './phone-cases.ts';
import { config, harOf, type HarEntry, type RecordedMessage } from './recorded.ts';
import type { RuleCase } from './rule-case.ts';
import { hook, hookCases } from './signed-cases.ts';

const rules: readonly CaptureRule[] = [
  ...crmWebhookRules,
  ...crmCallbackRules,
  ...apiWebhookRules,
  ...ownAiChatRules,
  ...chatReplyRules,
  ...ownAiPhoneRules,
];
const cases: readonly RuleCase[] = [...crmCases, ...hookCases, ...chatCases, ...phoneCases];
const directory = mkdtempSync(join(tmpdir(), 'svc-conform-capture-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Skills of the assistants, offered or not. */
const withSkills = {
  ...config,
  skills: [{ id: 9, key: 'billing', name: 'Billing', kind: 'alert' as const, announcement: null }],
};

function sorted(traffic: readonly RecordedMessage[]): Capture {
  const file = join(directory, 'recording.har');
  writeFileSync(file, harOf(traffic));
  return sortRecording(readRecording(file), withSkills);
}

function casesOf({ requirement, title }: CaptureRule): RuleCase[] {
  return cases.filter((one) => one.requirement === requirement && (one.title?.test(title) ?? true));
}

describe('each rule about recordings', () => {
  for (const rule of rules) {
    const { requirement, title } = rule;
    it(`${requirement}: ${title}: is met, and is broken`, () => {
      const found = casesOf(rule);
      expect(found).toHaveLength(1);
      const [{ right, wrong } = { right: [], wrong: [] }] = found;
      const holds = rule.judge(sorted(right), withSkills);
      expect(holds.length).toBeGreaterThan(0);
      expect(holds.flatMap(({ finding }) => finding ?? [])).toEqual([]);
      const broken = rule.judge(sorted(wrong), withSkills).flatMap(({ finding }) => finding ?? []);
      expect(broken.length).toBeGreaterThan(0);
      for (const { expected, received } of broken) expect(`${expected} ${received}`).toMatch(/\w+ .+/);
    });
  }

  it('does not judge bodies that the recorder omitted or cut', () => {
    const spoil = (change: (text: string) => string | undefined) => (message: RecordedMessage) => ({
      ...message,
      over: ({ request, response }: HarEntry) => {
        for (const body of [request.postData, response.content]) if (body) body['text'] = change(String(body['text']));
      },
    });
    const contents = rules.filter(({ title }) => /^in (?:200 answers|later replies|callbacks) /.test(title));
    expect(contents.length).toBeGreaterThan(40);
    for (const change of [spoil(() => undefined), spoil((text) => text.slice(0, -1))]) {
      const judged = contents.filter((rule) =>
        casesOf(rule).some(({ wrong }) => rule.judge(sorted(wrong.map(change)), withSkills).length > 0),
      );
      expect(judged.map(({ title }) => title)).toEqual([]);
    }
  });

  it('blames no one for a refusal if the credential is unknown, or for a requested pause', () => {
    const answersEvent = rules.filter(({ requirement }) => requirement === 'crm-webhook/answers-every-event');
    const findings = (traffic: Partial<RecordedMessage>, of = config) => {
      const file = join(directory, 'recording.har');
      writeFileSync(file, harOf([crmEvent('Manual', traffic)]));
      const capture = sortRecording(readRecording(file), of);
      return answersEvent.flatMap((rule) => rule.judge(capture, of)).flatMap(({ finding }) => finding?.received ?? []);
    };
    const { crmWebhook: _, ...withoutToken } = config;
    expect(findings({ status: 401 }, withoutToken)).toEqual([]);
    expect(findings({ status: 500 }, withoutToken)).toEqual(['status 500 without a body']);
    expect(findings({ status: 401 })).toEqual(['status 401 without a body']);
    expect(findings({ status: 503, answerHeaders: { 'retry-after': '1' } })).toEqual([]);
  });

  it('requires 401 for an invalid signature, and any 4xx for an unreadable header', () => {
    const findings = (requirement: string, traffic: readonly RecordedMessage[]) =>
      rules
        .filter((rule) => rule.requirement === requirement)
        .flatMap((rule) => rule.judge(sorted(traffic), withSkills))
        .map(({ finding }) => finding?.received);
    const accepts = 'api-webhooks/accepts-valid-signature';
    for (const status of [400, 404, 422, 500, 503]) {
      expect(findings(accepts, [hook('appointment.created', { status })])).toEqual([]);
    }
    expect(findings(accepts, [hook('appointment.created', { status: 401 })])).toEqual(['status 401 without a body']);
    const unreadable = hookCases.find(({ requirement }) => requirement.endsWith('with-401-if-unreadable'));
    expect(findings('api-webhooks/refuses-with-401', unreadable?.wrong ?? [])).toEqual([]);
  });

  it('is not exercised by an empty recording', () => {
    const nothing = sorted([{ url: 'https://other.example/', at: 0 }]);
    expect(rules.filter((rule) => rule.judge(nothing, config).length > 0)).toEqual([]);
  });
});
