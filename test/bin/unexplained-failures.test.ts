import { describe, expect, it } from 'vitest';
import type { FinishedCheck } from '../../harness/checks/engine.ts';
import type { RunSettings } from '../../harness/config/settings.ts';
import { unexplainedFailures } from '../../run/diagnose/unexplained-failures.ts';

const config = { skills: [], stimuli: {}, service: { host: '127.0.0.1', port: 0, apiKey: 'svc_sk_of-the-tests' } };
const requirement = 'crm-webhook/calls-back-after-202';
const advice = 'own-ai-phone/refuses-call-without-id';

function ended(more: Partial<FinishedCheck>): FinishedCheck {
  const title = 'an event is answered';
  const timing = { connectMs: null, firstByteMs: null, totalMs: null };
  const request = { method: 'POST', url: '/', headers: [['X-Svc-Delivery-Id', 'whd_1']], body: '', bodyBytes: 0 };
  const exchange = { label: 'an event', startedAt: '2026-01-02T03:04:05.000Z', request, timing } as const;
  const delivery = { ...exchange, kind: 'http', outcome: 'no-answer' } as const;
  const evidence = [delivery, { ...delivery, kind: 'callback' } as const];
  const ofCheck = { id: `${requirement}#a`, requirement, title, level: 'must' } as const;
  return { ...ofCheck, verdict: 'pass', durationMs: 1, samples: [], sent: 2, evidence, ...more };
}

async function found(checks: FinishedCheck[], only: string[] = [], withinMs = 20_000) {
  const used: RunSettings[] = [];
  const findings = await unexplainedFailures('crm-webhook', config, {
    seed: 1,
    only,
    withinMs,
    runChecks: ({ settings }) => {
      used.push(settings);
      return Promise.resolve(checks);
    },
  });
  return { ...findings, settings: used[0] };
}

describe('the checks after a diagnosis without a cause', () => {
  it('make a failed one a suspect, with the deliveries to find in a log', async () => {
    const { suspects, lines, deliveries } = await found([
      ended({ verdict: 'fail', message: 'received 500' }),
      ended({}),
    ]);
    expect(suspects).toMatchObject([{ id: requirement, why: 'Check "an event is answered" failed: received 500' }]);
    expect(lines).toEqual(['2026-01-02T03:04:05.000Z  whd_1  no-answer  an event']);
    expect(deliveries).toBe(4);
  });

  it.each([
    [{ verdict: 'blocked', code: 'budget-used' }, '--within'],
    [{ verdict: 'blocked', code: 'no-answer-yet' }, 'took too long to wait for'],
    [{ verdict: 'blocked', code: 'still-open' }, 'a callback may still arrive'],
    [{ verdict: 'not-exercised', code: 'limit-used' }, 'the limits of the config'],
    [{ verdict: 'blocked', code: 'target-throttles', message: 'It asks for a pause.' }, 'It asks for a pause.'],
  ] as const)('suspect nothing if one gave no verdict: %j', async (more, text) => {
    const { suspects, notObserved, isObserved } = await found([ended(more), ended(more)]);
    expect({ suspects, isObserved }).toEqual({ suspects: [], isObserved: false });
    expect(notObserved).toEqual([expect.stringMatching(`^2 checks of crm-webhook gave no verdict: .*${text}`)]);
  });

  it('suspect an endpoint that stops', async () => {
    const { suspects } = await found([ended({ verdict: 'blocked', code: 'target-stopped', message: 'It stopped.' })]);
    expect(suspects.map(({ id }) => id)).toEqual([requirement]);
  });

  it('include advice only if it was asked for', async () => {
    const checks = [ended({ requirement: advice, level: 'advice', verdict: 'fail' }), ended({})];
    expect(await found(checks)).toMatchObject({ suspects: [], isObserved: true });
    expect(await found(checks, [advice])).toMatchObject({ suspects: [{ id: advice }] });
  });

  it('have no more time than is left, with the wait for callbacks', async () => {
    const { settings } = await found([]);
    const { budgetMs = Infinity, answeringBudgetMs = Infinity, callbackWaitMs } = settings ?? { callbackWaitMs: 0 };
    expect(Math.max(budgetMs, answeringBudgetMs) + callbackWaitMs).toBeLessThanOrEqual(20_000);
  });
});
