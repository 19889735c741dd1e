import { access, readdir, readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { run, type RunEvent, type RunRequest } from '../../entry/svc-conform.ts';
import { validate } from '../../specs/validators.ts';
import { temporaryDirectory } from '../bin/run-command.ts';
import { smallEndpoint } from '../bin/small-endpoint.ts';

const only = ['crm-webhook/refuses-wrong-token'];

/** Accepts every request, with any token. */
const open = () => smallEndpoint(() => ({ status: 204 }));
const guarded = () =>
  smallEndpoint(({ headers }) => ({
    status: headers.authorization === 'Bearer Kx7mQp2Vw9Zt4Bn8Rc' ? 204 : 401,
  }));

function requestFor(url: string, more: RunRequest = {}): RunRequest {
  vi.stubEnv('CRM_TOKEN', 'Kx7mQp2Vw9Zt4Bn8Rc');
  return { config: { crmWebhook: { url, token: 'env:CRM_TOKEN' } }, only, seed: 7, diagnose: false, ...more };
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('run()', () => {
  it('returns the report and the exit code, prints nothing and writes no file', async () => {
    await using endpoint = await open();
    await using directory = await temporaryDirectory();
    vi.spyOn(process, 'cwd').mockReturnValue(directory.path);
    const printed = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write'));
    const before = process.exitCode;
    const { report, exitCode } = await run(requestFor(endpoint.url));
    for (const write of printed) expect(write).not.toHaveBeenCalled();
    expect(process.exitCode).toBe(before);
    expect(exitCode).toBe(1);
    expect(validate('report', report)).toEqual([]);
    expect(report).toMatchObject({ verdict: 'non-conformant', seed: 7, selection: { only } });
    expect(report.checks.map(({ requirement, verdict }) => [requirement, verdict])).toContainEqual([only[0], 'fail']);
    expect(endpoint.requests.length).toBeGreaterThan(0);
    expect(await readdir(directory.path)).toEqual([]);
  });

  it('passes an endpoint that meets the requirement, and writes the report to the given place', async () => {
    await using endpoint = await guarded();
    await using directory = await temporaryDirectory();
    const { report, exitCode } = await run(
      requestFor(endpoint.url, { out: directory.at('report'), format: ['junit'] }),
    );
    expect(report.checks.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(report.checks.length).toBeGreaterThan(0);
    expect(exitCode).toBe(0);
    expect(JSON.parse(await readFile(directory.at('report/report.json'), 'utf8'))).toEqual(report);
    await access(directory.at('report/junit.xml'));
  });

  it('reports its events in order, with the cause that the diagnosis identified', async () => {
    await using endpoint = await open();
    const events: RunEvent[] = [];
    const { report } = await run(requestFor(endpoint.url, { diagnose: true, onEvent: (event) => events.push(event) }));
    for (const event of events) expect(validate('runEvent', event)).toEqual([]);
    expect(events[0]).toMatchObject({ event: 'run-started', seed: 7, surfaces: ['crm-webhook'] });
    const finished = events.filter((event) => event.event === 'check-finished');
    expect(finished.map(({ check }) => check).sort()).toEqual(report.checks.map(({ id }) => id).sort());
    const cause = { event: 'cause-found', check: report.checks[0]?.id, cause: 'token/not-checked' };
    expect(events).toContainEqual(expect.objectContaining(cause));
    expect(events.at(-1)).toMatchObject({ event: 'run-finished', verdict: 'non-conformant', exitCode: 1 });
    expect(events.at(-1)).not.toHaveProperty('report');
  });

  it('throws an error of onEvent after the run', async () => {
    await using endpoint = await open();
    const events: string[] = [];
    const onEvent = ({ event }: RunEvent) => {
      events.push(event);
      if (event === 'run-started') throw new Error('from the listener');
    };
    await expect(run(requestFor(endpoint.url, { onEvent }))).rejects.toThrow('from the listener');
    expect(events.at(-1)).toBe('run-finished');
  });

  it('runs once at a time', async () => {
    await using endpoint = await open();
    const first = run(requestFor(endpoint.url));
    await expect(run(requestFor(endpoint.url))).rejects.toThrow('another run of this process has not ended');
    expect((await first).exitCode).toBe(1);
  });

  it.each([
    [{ color: true } as RunRequest, 'run() has no option color'],
    [{ seed: -1 }, 'run(): seed: expected a whole number from 0 to 2147483647, received -1.'],
    [{ runs: 1.5 }, 'run(): runs: expected a whole number from 1 to 1000000, received 1.5.'],
    [{ failOn: 'advice' } as unknown as RunRequest, 'run(): failOn: expected must or should, received advice.'],
    [{ only: ['crm-webhook/refuses-wrong-tokens'] }, 'no requirement or check has this id'],
    [{ config: { crmWebhook: { url: 'nowhere', token: 'env:CRM_TOKEN' } } }, 'The config of run() is not valid'],
    [{ anonymize: true, onEvent: () => undefined }, 'omit onEvent, or omit anonymize'],
  ])('refuses %j and sends nothing', async (more: RunRequest, message) => {
    await using endpoint = await open();
    await expect(run(requestFor(endpoint.url, more))).rejects.toThrow(message);
    expect(endpoint.requests).toEqual([]);
  });
});
