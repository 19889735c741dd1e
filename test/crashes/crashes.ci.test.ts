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
