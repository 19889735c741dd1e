import { access, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { runCommand, temporaryDirectory } from '../bin/run-command.ts';
import { recordingServer } from '../server-fixture.ts';
import { callback, crmEvent } from './crm-cases.ts';
import { message, reply } from './chat-cases.ts';
import { addresses, apiKey, base, harOf, sample, secret, token, type RecordedMessage } from './recorded.ts';
import { call, hook } from './signed-cases.ts';

const env = { CRM_TOKEN: token, HOOK_SECRET: secret, SVC_KEY: apiKey };
const config = {
  crmWebhook: { url: addresses.crm, token: 'env:CRM_TOKEN' },
  apiWebhooks: { url: addresses.hooks, secret: 'env:HOOK_SECRET' },
  chat: { url: addresses.chat, secret: 'env:HOOK_SECRET' },
  phone: { url: addresses.phone, secret: 'env:HOOK_SECRET' },
  service: { apiKey: 'env:SVC_KEY' },
};
const me = { method: 'GET', url: `${base}/v1/me`, headers: { Authorization: `Bearer ${apiKey}` }, at: 60 };
const conversation: readonly RecordedMessage[] = [
  crmEvent('IncomingCallLookup', { status: 202 }),
  callback({ body: { requestContactUpdate: true, contactData: { firstName: 'Mara' } } }),
  hook('appointment.created', { at: 30 }),
  message({}, { at: 40, status: 200, answer: { text: 'Hello' } }),
  reply(
    { text: 'One thing more.' },
    { at: 44, answer: { projectId: 815, messageId: 1, status: 'sent', autoReply: { state: 'on' } } },
  ),
  call(
    [
      { from: 'service', at: 0, value: sample.sessionStarted() },
      { from: 'service', at: 1, value: { type: 'prompt', text: 'Hello?' } },
      { from: 'ai', at: 2, value: { type: 'text', text: 'Hello.', last: true } },
    ],
    { at: 50 },
  ),
  { ...me, answer: { workspaceId: 1, workspaceName: 'Shop', keyName: 'CRM' } },
];

async function judged(
  traffic: readonly RecordedMessage[],
  { args = [] as string[], withConfig = true, with: more = {} } = {},
) {
  await using directory = await temporaryDirectory();
  await writeFile(directory.at('traffic.har'), harOf(traffic));
  if (withConfig) await writeFile(directory.at('svc-conform.config.json'), JSON.stringify({ ...config, ...more }));
  const ended = await runCommand(['check', '--capture', 'traffic.har', '--out', 'out', ...args], {
    cwd: directory.path,
    env,
  });
  const text = await readFile(directory.at('out/report.json'), 'utf8').catch(() => undefined);
  const report = text === undefined ? undefined : (JSON.parse(text) as Report);
  return { ...ended, report, text };
}

function verdictOf(report: Report | undefined, id: string): string | undefined {
  return report?.requirements.find((row) => row.id === id)?.verdict;
}

describe('check --capture', () => {
  it('judges the recorded traffic of every surface, and sends nothing, whatever the config names', async () => {
    await using endpoint = await recordingServer((_, response) => response.end());
    const url = `http://${endpoint.host}/`;
    const live = {
      crmWebhook: { ...config.crmWebhook, url },
      observe: { url },
      apiClient: { exercise: { command: `curl ${url}` } },
    };
    const { code, report, text, stdout, stderr } = await judged(conversation, { with: live });
    expect(endpoint.connections()).toBe(0);
    expect(stderr).toContain('crm-webhook 1, api-webhooks 1, own-ai-chat 1, own-ai-phone 1, api-client 2');
    expect(report?.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'blocked')).toEqual([]);
    expect(code).toBe(0);
    expect(validate('report', report)).toEqual([]);
    expect(report?.selection).toEqual({ capture: true });
    for (const id of [
      'crm-webhook/accepts-the-token',
      'crm-webhook/calls-back-after-202',
      'api-webhooks/accepts-valid-signature',
      'own-ai-chat/answers-in-time',
      'own-ai-chat/reply-carries-the-api-key',
      'own-ai-phone/closes-each-answer',
      'api-client/carries-the-key-as-issued',
    ]) {
      expect([id, verdictOf(report, id)]).toEqual([id, 'pass']);
    }
    // Requirements that no recording of this kind can show never pass.
    expect(verdictOf(report, 'crm-webhook/redelivery-has-one-effect')).toBe('not-exercised');
    expect(verdictOf(report, 'own-ai-chat/refuses-altered-body')).toBe('not-exercised');
    expect(verdictOf(report, 'deep-links/values-are-percent-encoded')).not.toBe('pass');
    expect(stdout).toContain('nothing was sent');
    for (const hidden of Object.values(env)) expect(`${text}${stdout}${stderr}`).not.toContain(hidden);
  });

  it('fails the requirement that the traffic breaks, and blames no endpoint for deviations of the service', async () => {
    const asked = { chat: { ...config.chat, timeoutSeconds: 10 } };
    const late = message({}, { at: 70, status: 200, answer: { text: 'Hello' }, ms: 12_000 });
    const odd = message({ projectId: '815' }, { at: 90, status: 204 });
    const { code, report, stdout, stderr } = await judged([...conversation, late, odd], { with: asked });
    expect(stderr).toContain(
      'Messages of the service that deviate from the interface (they do not count against the endpoint):',
    );
    expect(stderr).toContain('own-ai-chat, entry 9: expected an integer at /data/projectId, received "815"');
    expect(stderr.indexOf('own-ai-chat, entry 9')).toBeLessThan(stderr.indexOf('✗ own-ai-chat/answers-in-time'));
    expect(code).toBe(1);
    const failed = report?.checks.filter(({ verdict }) => verdict === 'fail') ?? [];
    expect(failed.map(({ requirement }) => requirement)).toEqual(['own-ai-chat/answers-in-time']);
    expect(failed[0]?.message).toContain('a complete answer within 10000 ms');
    const evidence = report?.exchanges.find(({ id }) => id === failed[0]?.evidence.at(-1));
    expect(evidence?.label).toBe('message.received, entry 8 of the recording');
    expect(failed[0]?.reproduce).toContain("check --capture traffic.har --only 'own-ai-chat/answers-in-time#");
    expect(stdout).toContain('NON-CONFORMANT');
  });

  it('omits the suites that a config names, and says so', async () => {
    const waivers = [{ requirement: 'own-ai-chat/acme-rule', reason: 'Ticket 12', until: '2999-12-31' }];
    const own = { with: { suites: ['nowhere/*.suite.ts'], waivers } };
    const only = ['--only', 'own-ai-chat/answers-messages'];
    const { code, report, stderr } = await judged(conversation, { ...own, args: only });
    const note = 'Your own suites are skipped: they send requests, and --capture sends nothing.';
    expect(stderr).toContain(note);
    expect(report?.gate?.waivers?.map(({ state }) => state)).toEqual(['not-judged']);
    expect(code).toBe(0);
    const without = await judged(conversation, { ...own, args: [...only, '--no-suites'] });
    expect(without.stderr).not.toContain(note);
    expect(without.code).toBe(0);
  });

  it.each([
    ['the timeout of the assistant is not given', {}, 0, 'not-exercised'],
    ['the config says so', { timeoutSeconds: 10 }, 1, 'fail'],
  ])('judges an answer after 15 s where %s', async (_, waits, code, verdict) => {
    const prompt = { from: 'service', at: 1, value: { type: 'prompt', text: 'Hello?' } } as const;
    const answer = { from: 'ai', at: 16, value: { type: 'text', text: 'Hello.', last: true } } as const;
    const slow = [
      message({}, { status: 200, answer: { text: 'Hello' }, ms: 15_000 }),
      call([{ from: 'service', at: 0, value: sample.sessionStarted() }, prompt, answer], { at: 50 }),
    ];
    const agent = (name: 'chat' | 'phone') => ({ [name]: { ...config[name], ...waits } });
    const ended = await judged(slow, { with: { ...agent('chat'), ...agent('phone') } });
    expect(ended.code).toBe(code);
    for (const id of ['own-ai-chat/answers-in-time', 'own-ai-phone/first-piece-within-timeout']) {
      expect([id, verdictOf(ended.report, id)]).toEqual([id, verdict]);
    }
  });

  it('judges without a config, and leaves open what needs a secret', async () => {
    const { code, report } = await judged(conversation, { withConfig: false });
    expect(code).toBe(0);
    expect(verdictOf(report, 'own-ai-chat/answers-messages')).toBe('pass');
    const row = report?.requirements.find(({ id }) => id === 'own-ai-chat/accepts-valid-signature');
    expect(row).toMatchObject({ verdict: 'not-exercised' });
    expect(row?.message).toContain('the secret is not configured');
  });

  it('is incomplete if none of the recorded traffic can be judged', async () => {
    const unanswered = crmEvent('Manual', { status: 0, ms: 2 });
    const { code, report } = await judged([unanswered]);
    expect(report?.verdict).toBe('incomplete');
    expect(code).toBe(3);
  });

  it('runs only the checks of --only', async () => {
    const { report } = await judged(conversation, { args: ['--only', 'own-ai-chat/answers-messages'] });
    expect(report?.checks.map(({ requirement }) => requirement)).toEqual(['own-ai-chat/answers-messages']);
    expect(report?.selection).toEqual({ only: ['own-ai-chat/answers-messages'], capture: true });
  });

  it.each([
    ['flags of a run that sends', ['--thorough'], /sends nothing: omit --thorough/],
    ['custom suites', ['--suites', 'mine/*.suite.ts'], /sends nothing: omit --suites/],
    ['a certificate', ['--certificate', '--key', 'env:KEY'], /omit --certificate/],
    ['a surface that was not recorded', ['--surface', 'deep-links'], /shows only .*own-ai-chat/],
    [
      'an unknown requirement',
      ['--only', 'own-ai-chat/answers-mesages'],
      /unknown name.*own-ai-chat\/answers-messages/,
    ],
    [
      'an unknown check',
      ['--only', 'own-ai-chat/answers-ping#nonsense,own-ai-chat/answers-messages'],
      /--only own-ai-chat\/answers-ping#nonsense: unknown name/,
    ],
    [
      'a check that sends',
      ['--only', 'own-ai-chat/answers-ping#a-ping-is-answered-with-a-2xx'],
      /unknown name.*answers-ping#in-a-recording-/,
    ],
  ])('refuses %s', async (_, args, reason) => {
    const { code, stderr, report } = await judged(conversation, { args });
    expect(stderr).toMatch(reason);
    expect(code).toBe(2);
    expect(report).toBeUndefined();
  });

  it('starts no client of the config, also if the recording shows no request to API v1', async () => {
    await using marks = await temporaryDirectory();
    const started = marks.at('started');
    const command = `"${process.execPath}" -e "require('node:fs').writeFileSync(process.argv[1], '')" "${started}"`;
    const { report } = await judged([crmEvent('IncomingCallLookup', { status: 204 })], {
      with: { apiClient: { exercise: { command } } },
    });
    expect(report?.summary.pass).toBeGreaterThan(0);
    await expect(access(started)).rejects.toThrow('ENOENT');
  });

  it('describes the recording if none of it belongs to the interface', async () => {
    const { code, stderr } = await judged([{ url: 'https://fonts.example/a', at: 0 }]);
    expect(stderr).toContain('shows no traffic of this interface. Skipped: not part of this interface (1).');
    expect(code).toBe(2);
  });
});
