import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Diagnosis, Report } from '../../specs/generated/types.ts';
import { runCommand, temporaryDirectory } from '../bin/run-command.ts';
import { answerText, rawServer } from '../harness/raw-server.ts';
import { endpointProcess } from './crashing-process.ts';
import { env, falseCauses, runMs, surfaces } from './test-crashes.ts';

describe('diagnose', () => {
  it.concurrent.for([
    ['own-ai-chat', false],
    ['api-webhooks', true],
    ['own-ai-phone', false],
  ] as const)(
    'reports a crash of %s as the cause, supervised: %s',
    { timeout: runMs },
    async ([surface, supervised]) => {
      await using endpoint = await endpointProcess('crashes', { supervised });
      await using directory = await temporaryDirectory();
      const [, url = '', , secret = ''] = surfaces[surface](endpoint.origin);
      const args = ['diagnose', surface, '--url', url, '--secret', secret, '--json'];
      const { stdout } = await runCommand(args, { cwd: directory.path, env });
      const diagnosis = JSON.parse(stdout) as Diagnosis;
      expect(diagnosis.cause).toMatchObject({ id: 'http/crashes' });
      expect(diagnosis.cause?.summary).toMatch(
        /^The endpoint stopped while handling a (?:delivery|call) .*nothing listened at/,
      );
      expect(stdout).not.toMatch(falseCauses);
    },
  );

  /** The blocked checks of a chat that asks every request for a pause of an hour, and how many requests it got. */
  const askingForPause = async (status: string) => {
    await using endpoint = await rawServer((socket) => socket.write(answerText(status, { 'Retry-After': '3600' })));
    await using directory = await temporaryDirectory();
    const args = ['check', ...surfaces['own-ai-chat'](endpoint.origin), '--seed', '5'];
    const { code } = await runCommand(args, { cwd: directory.path, env });
    const report = JSON.parse(await readFile(directory.at('conformance-report/report.json'), 'utf8')) as Report;
    const blocked = report.checks.filter(({ verdict }) => verdict === 'blocked');
    expect(code).toBe(3);
    expect(blocked.length).toBeGreaterThan(50);
    return { blocked, requests: endpoint.requests.length };
  };

  it.concurrent('reports the pause that an address asks for', { timeout: runMs }, async () => {
    const { blocked, requests } = await askingForPause('429 Too Many Requests');
    expect(requests).toBe(1);
    for (const one of blocked) {
      const causes = [{ id: 'http/rate-limited', certain: true }];
      expect(one).toMatchObject({ code: 'target-throttles', pause: { status: 429, seconds: 3600 }, causes });
      expect(one.message).toContain('asked for a pause of 3600 s');
      expect(one.causes?.[0]?.remediation).toContain('Raise the limit for the test address');
    }
  });

  it.concurrent('does not call a maintenance page a limit', { timeout: runMs }, async () => {
    const { blocked, requests } = await askingForPause('503 Service Unavailable');
    expect(requests).toBeGreaterThan(1);
    for (const one of blocked) {
      expect(one).toMatchObject({ code: 'target-throttles', pause: { status: 503, seconds: 3600 } });
      expect(one.causes?.map(({ id }) => id)).not.toContain('http/rate-limited');
    }
  });
});
