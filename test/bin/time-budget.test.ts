import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { validate } from '../../specs/validators.ts';
import type { Report } from '../../specs/generated/types.ts';
import { recordingServer } from '../server-fixture.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';

const env = { HOOK_SECRET: 'Kx7mQp2Vw9Zt4Bn8Rc' };

async function runWith(url: string, flags: readonly string[]) {
  await using directory = await temporaryDirectory();
  const from = performance.now();
  const { code, stdout } = await runCommand(
    ['check', '--hooks-url', url, '--hooks-secret', 'env:HOOK_SECRET', '--format', 'html,markdown', ...flags],
    { cwd: directory.path, env },
  );
  const seconds = (performance.now() - from) / 1000;
  const read = (name: string) => readFile(directory.at(`conformance-report/${name}`), 'utf8');
  const report = JSON.parse(await read('report.json')) as Report;
  expect(validate('report', report)).toEqual([]);
  const [html, markdown] = [await read('report.html'), await read('report.md')];
  return { code, stdout: stdout.replaceAll(/\s+/g, ' '), seconds, report, html, markdown };
}

describe('--budget', () => {
  it('ends the run against an endpoint that never answers, and fails no check that it interrupts', async () => {
    await using endpoint = await recordingServer(() => undefined);
    const { code, stdout, seconds, report } = await runWith(`http://${endpoint.host}/`, ['--budget', '9']);
    expect(code).toBe(3);
    // Far less than two timeouts of 30 s, also on a busy machine.
    expect(seconds).toBeLessThan(45);
    expect(report.verdict).toBe('incomplete');
    const cut = report.checks.filter(({ code: fault }) => fault === 'budget-used');
    expect(cut.length).toBeGreaterThan(40);
    for (const { level, verdict } of cut) expect(verdict).toBe(level === 'must' ? 'blocked' : 'not-exercised');
    expect(report.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'pass')).toEqual([]);
    expect(stdout).toContain('the time budget of 9 s was used up; --budget 120 gives the run more time');
    expect(stdout).toContain('because the time budget was used up');
    expect(cut.find(({ verdict }) => verdict === 'blocked')?.reproduce).toContain('--budget 9');
  });

  it('judges the other events if one type is never answered, and reports that in one sentence', async () => {
    await using endpoint = await recordingServer(({ body, headers }, response) => {
      const isSilent = Buffer.from(body).includes('appointment.created');
      if (!isSilent) response.writeHead(headers['x-svc-signature'] === undefined ? 401 : 200).end();
    });
    const url = `http://${endpoint.host}/`;
    const { stdout, report, html, markdown } = await runWith(url, ['--answer-timeout', '1', '--no-diagnose']);
    const verdictOf = (id: string) => report.checks.find((check) => check.id === id)?.verdict;
    expect(verdictOf('api-webhooks/accepts-every-event-type#appointment-created-is-accepted')).toBe('blocked');
    expect(verdictOf('api-webhooks/accepts-every-event-type#appointment-confirmed-is-accepted')).toBe('pass');
    expect(verdictOf('api-webhooks/accepts-valid-signature#a-correctly-signed-delivery-is-accepted')).toBe('pass');
    const blocked = report.requirements.filter(({ verdict }) => verdict === 'blocked').map(({ id }) => id);
    expect(blocked.toSorted()).toEqual(['api-webhooks/accepts-every-event-type', 'api-webhooks/answers-200']);
    // Three timeouts show it; events in flight at the same time add a few.
    const sent = endpoint.requests.filter(({ body }) => body.includes('appointment.created'));
    expect(sent.length).toBeLessThan(3 + 8);
    expect(report.slowness).toEqual([
      expect.objectContaining({ surface: 'api-webhooks', what: 'appointment.created', answers: 0 }),
    ]);
    for (const text of [stdout, html.replaceAll(/\s+/g, ' '), markdown]) {
      expect(text).toMatch(/The endpoint is slow: api-webhooks left appointment.created unanswered \(\d+ of \d+/);
    }
  });
});
