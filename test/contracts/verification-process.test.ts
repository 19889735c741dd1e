import { afterEach, describe, expect, it, vi } from 'vitest';
import { verifyContracts } from '../../contracts/verify-contracts.ts';
import { trafficSent, withoutTraffic } from '../../harness/wire/traffic-counts.ts';
import { smallEndpoint } from '../bin/small-endpoint.ts';
import { configOf, settingsOf } from '../harness/settings-for-tests.ts';

/** Lets the verifier process continue, and calls this function with it once it has reported a check. */
function afterFirstCheck(deed: string): void {
  const code = `
    const send = process.send;
    if (send) process.send = (message, sent) => send.call(process, message, (error) => {
      if ('check' in message) { ${deed} }
      sent?.(error);
    });
  `;
  vi.stubEnv('NODE_OPTIONS', `--import=data:text/javascript,${encodeURIComponent(code)}`);
}

afterEach(() => vi.unstubAllEnvs());

describe('the process of the verifier', () => {
  it('that crashes loses no completed interaction, and its last output is reported', async () => {
    afterFirstCheck(
      `process.getBuiltinModule('node:fs').writeSync(2, 'out of luck\\n'); process.kill(process.pid, 'SIGKILL');`,
    );
    await using endpoint = await smallEndpoint(() => ({ status: 200 }));
    const checks = await verifyContracts({
      settings: settingsOf(configOf({ hooks: endpoint.url })),
      surfaces: ['api-webhooks'],
    });
    const [first, ...others] = checks;
    expect(first?.verdict).toBe('pass');
    expect(others.at(-1)).toMatchObject({ verdict: 'blocked', code: 'engine-failed' });
    expect(others.at(-1)?.message).toContain('ended early (SIGKILL): out of luck.');
  });

  it('hands each interaction over while the next ones wait for their answers', async () => {
    const reported: string[] = [];
    const reportedAt: number[] = [];
    await using endpoint = await smallEndpoint(() => {
      reportedAt.push(reported.length);
      return { status: 200 };
    });
    const checks = await verifyContracts({
      settings: settingsOf(configOf({ hooks: endpoint.url })),
      surfaces: ['api-webhooks'],
      onCheck: ({ id }) => reported.push(id),
    });
    expect(reported).toEqual(checks.map(({ id }) => id));
    expect(reportedAt.at(-1)).toBeGreaterThan(reported.length / 2);
  });

  it('is ended after the first failure that stops the run', async () => {
    await using endpoint = await smallEndpoint(() => ({ status: 500 }));
    const settings = settingsOf(configOf({ hooks: endpoint.url }), { bail: ['api-webhooks/answers-200'] });
    const checks = await verifyContracts({ settings, surfaces: ['api-webhooks'] });
    const failed = checks.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ requirement }) => requirement)).toContain('api-webhooks/answers-200');
    const others = checks.slice(failed.length).map(({ verdict, code }) => `${verdict} ${code}`);
    expect(new Set(others)).toEqual(new Set(['blocked run-stopped']));
  });

  it('reports at its end what the limits counted since its last check', async () => {
    const code = `
      const send = process.send;
      if (send) process.send = ({ ...message }, sent) => {
        if ('check' in message) delete message.counts;
        send.call(process, message, sent);
      };
    `;
    vi.stubEnv('NODE_OPTIONS', `--import=data:text/javascript,${encodeURIComponent(code)}`);
    let posts = 0;
    await using endpoint = await smallEndpoint(() => {
      posts++;
      return { status: 200 };
    });
    const limits = withoutTraffic({ messages: 1_000 });
    const settings = settingsOf(configOf({ chat: endpoint.url }, { limits }));
    await verifyContracts({ settings, surfaces: ['own-ai-chat'] });
    expect(posts).toBeGreaterThan(0);
    expect(trafficSent(limits).messages).toBe(posts);
  });
});
