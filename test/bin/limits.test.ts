import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { validate } from '../../specs/validators.ts';
import type { ConfiguredLimits, Report } from '../../specs/generated/types.ts';
import { recordingServer, type RecordingServer } from '../server-fixture.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';

const env = { AGENT_SECRET: 'whsec_Kx7mQp2Vw9Zt4Bn8RcHq5Zt8Ny1Mb4Ud' };

/** Runs a command against a chat with these limits; `read` reads a file of its report. */
async function run(command: readonly string[], { host }: RecordingServer, limits: ConfiguredLimits) {
  await using directory = await temporaryDirectory();
  const config = { chat: { url: `http://${host}/chat`, secret: 'env:AGENT_SECRET' }, limits };
  await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(config));
  const ended = await runCommand(command, { cwd: directory.path, env });
  const read = async (name: string) => await readFile(directory.at(`conformance-report/${name}`), 'utf8');
  const isCheck = command[0] === 'check';
  const report = isCheck ? (JSON.parse(await read('report.json')) as Report) : undefined;
  return {
    ...ended,
    stdout: ended.stdout.replaceAll(/\s+/g, ' '),
    report,
    html: isCheck ? await read('report.html') : '',
  };
}

const chat = () =>
  recordingServer(({ headers }, response) => {
    response.writeHead(headers['x-svc-signature'] === undefined ? 401 : 200, { 'content-type': 'application/json' });
    response.end('{"text":"Good morning."}');
  });

describe('limits of the config', () => {
  it('bound the requests of check, including the search for causes, and skipped checks do not pass', async () => {
    await using endpoint = await chat();
    const { code, report, stdout, html } = await run(['check', '--seed', '5'], endpoint, { messages: 30 });
    const sent = endpoint.requests.filter(({ method }) => method === 'POST').length;
    expect(sent).toBe(30);
    expect(code).toBe(0);
    if (!report) throw new Error('no report');
    expect(validate('report', report)).toEqual([]);
    expect(report.limits).toEqual({ messages: { sent: 30, most: 30 } });
    const cut = report.checks.filter((check) => check.code === 'limit-used');
    expect(cut.length).toBeGreaterThan(10);
    expect(cut.some(({ level }) => level === 'must')).toBe(true);
    for (const { verdict } of cut) expect(verdict).toBe('not-exercised');
    for (const text of [stdout, html.replaceAll(/\s+/g, ' ')]) {
      expect(text).toContain('The config limits what the own AI receives: 30 of 30 messages sent.');
      expect(text).toMatch(/The limits cut off \d+ checks/);
      expect(text).toMatch(/\d+ MUST requirements were not judged because of the limits in the config/);
      expect(text).toContain('limits.messages of the config is 30, and 30 messages have been sent');
    }
  });

  it('make check wait for perMinute until its budget is used up', async () => {
    await using endpoint = await chat();
    const limits = { perMinute: 4 };
    const { report } = await run(['check', '--budget', '30', '--no-diagnose'], endpoint, limits);
    expect(endpoint.requests.length).toBeLessThanOrEqual(4);
    expect(endpoint.requests.length).toBeGreaterThan(0);
    expect(report?.limits).toMatchObject({ perMinute: 4, messages: { sent: endpoint.requests.length } });
    expect(report?.checks.filter((check) => check.code === 'budget-used').length).toBeGreaterThan(10);
  });

  it('do not pass concurrent messages for which perMinute has no room', async () => {
    await using endpoint = await chat();
    const atOnce = 'keeps-conversations-apart#each-of-several-conversations-gets-its-own-reply';
    const only = ['answers-in-time-in-parallel', atOnce].map((id) => `own-ai-chat/${id}`);
    const { report } = await run(
      ['check', '--out', 'conformance-report', ...only.flatMap((id) => ['--only', id]), '--no-diagnose'],
      endpoint,
      {
        perMinute: 2,
      },
    );
    const { checks = [] } = report ?? {};
    expect(new Set(checks.map(({ requirement }) => requirement))).toEqual(new Set(only.map((id) => id.split('#')[0])));
    for (const { verdict, code, message } of checks) {
      expect(verdict).toBe('not-exercised');
      expect(code).toBe('limit-used');
      expect(message).toMatch(/^Not sent: this needs \d messages at once, and limits\.perMinute of the config is 2\./);
    }
  });

  it('make diagnose report no cause for requests that they prevented', async () => {
    // Rejects pings and accepts messages.
    await using endpoint = await recordingServer(({ headers }, response) => {
      response.writeHead(headers['x-svc-event'] === 'ping' ? 400 : 200, { 'content-type': 'application/json' });
      response.end('{"text":"Good morning."}');
    });
    for (const messages of [0, 2]) {
      const { stdout } = await run(['diagnose', 'own-ai-chat', '--json'], endpoint, { messages });
      expect(endpoint.requests.splice(0).filter(({ method }) => method === 'POST')).toHaveLength(messages);
      expect(JSON.parse(stdout)).toMatchObject({ cause: null, suspects: [] });
      expect(stdout).toContain(`limits.messages of the config is ${messages}`);
    }
  });

  it('bound the requests of diagnose, send and pact verify', async () => {
    await using endpoint = await chat();
    const posts = () => endpoint.requests.splice(0).filter(({ method }) => method === 'POST').length;
    const diagnosis = await run(['diagnose', 'own-ai-chat'], endpoint, { messages: 2 });
    expect(posts()).toBe(2);
    expect(diagnosis.stdout).toContain('limits.messages of the config is 2');
    const sending = await run(['send', 'message.received'], endpoint, { messages: 0 });
    expect(posts()).toBe(0);
    expect(sending.code).not.toBe(0);
    expect(sending.stdout + sending.stderr).toContain('limits.messages of the config is 0');
    await run(['pact', 'verify', '--answer-timeout', '2'], endpoint, { messages: 3 });
    expect(posts()).toBe(3);
  });
});
