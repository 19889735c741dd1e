import { describe, expect, it } from 'vitest';
import { endpointProcess } from './crashing-process.ts';
import { check, passedUnanswered, runMs, stoppedWhile, testCrashes, testOtherEndings } from './test-crashes.ts';

describe.for(['api-webhooks', 'own-ai-chat', 'own-ai-phone'] as const)('a crash over a signature, %s', (surface) => {
  testCrashes(surface);
  // Deliveries of the chat end as those of API webhooks do.
  if (surface === 'api-webhooks') testOtherEndings(surface, ['plain', 'closes-idle', 'closes-each', 'restarts']);
  if (surface === 'own-ai-phone') testOtherEndings(surface, ['closes-idle', 'closes-each', 'restarts']);
});

describe('a process in Python that ends on a signature of another length', () => {
  it.for([false, true])('fails the refusal that ended it, supervised: %s', { timeout: runMs }, async (supervised) => {
    await using endpoint = await endpointProcess('python-crashes', { supervised });
    const { code, report } = await check('own-ai-chat', endpoint);
    expect(code).toBe(1);
    const failed = report.checks.filter(
      ({ verdict, message = '' }) => verdict === 'fail' && stoppedWhile.test(message),
    );
    expect(failed.length).toBeGreaterThan(0);
    expect(passedUnanswered(report)).toEqual([]);
  });
});

describe('a process that ends when its reply is refused', () => {
  const stays = 'own-ai-chat/stays-well-after-a-refused-reply';

  // On a busy machine there may be no quiet moment; without a supervisor, deliveries in flight are suspects then.
  it.for([false, true])('fails for it, supervised: %s', { timeout: runMs, retry: 3 }, async (supervised) => {
    await using endpoint = await endpointProcess('ends-at-a-refused-reply', { supervised });
    const { code, report } = await check('own-ai-chat', endpoint);
    expect(code).toBe(1);
    const verdicts = report.checks.filter(({ requirement }) => requirement === stays).map(({ verdict }) => verdict);
    expect(verdicts).toContain('fail');
    expect(verdicts).not.toContain('pass');
    const failed = report.checks.filter(({ requirement, verdict }) => requirement === stays && verdict === 'fail');
    for (const one of failed) {
      expect(one).toMatchObject({ code: 'target-stopped', causes: [{ id: 'http/crashes', certain: true }] });
      expect(one.message).toMatch(
        /^expected the process of the AI to continue after the answer \d+ to its reply, received an ended process: nothing listened/,
      );
    }
    const blocked = report.checks.filter(({ verdict }) => verdict === 'blocked');
    expect(blocked.length > 0).toBe(!supervised);
    for (const { message } of blocked) expect(message).toMatch(/It stopped after: our answer \d+ to a reply/);
  });
});
