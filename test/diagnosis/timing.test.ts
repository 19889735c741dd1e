import { describe, it } from 'vitest';
import { timingCauses } from '../../diagnosis/causes/timing.ts';
import { Connection } from '../../diagnosis/connection.ts';
import { diagnose } from '../../diagnosis/diagnose.ts';
import { diagnoseTiming } from '../../diagnosis/timing/diagnose-timing.ts';
import { eventKinds } from '../../diagnosis/timing/event-kinds.ts';
import type { ChatEvent } from '../../harness/checks/samples.ts';
import { diagnoseEndpoint } from './faulty-endpoint.ts';
import { openEndpoint } from './open-connection.ts';
import { firstUnanswered, timelyEndpoints, timingEndpoints } from './timing-endpoints.ts';

// Uses real times: a diagnosis reports that this machine stalled and then finds less, so it is repeated.
describe.concurrent('a diagnosis of times', { retry: 2 }, () => {
  for (const endpoint of timingEndpoints) {
    const { cause, suspect, what, says, surface } = endpoint;
    it(`says ${cause ?? `that it may be ${String(suspect)}`}: ${what} (${surface})`, async ({ expect }) => {
      const { outcome } = await diagnoseEndpoint(diagnoseTiming, endpoint);
      expect(outcome.found?.id, outcome.seen.join('\n')).toBe(cause);
      if (cause === undefined) expect(outcome.suspects[0]?.id).toBe(suspect);
      if (says) expect(outcome.found?.summary).toMatch(says);
    });
  }

  for (const endpoint of timelyEndpoints) {
    it(`names and suspects nothing: ${endpoint.what} (${endpoint.surface})`, async ({ expect }) => {
      const { outcome } = await diagnoseEndpoint(diagnoseTiming, endpoint);
      expect(outcome.found, outcome.seen.join('\n')).toBeUndefined();
      expect(outcome.suspects).toEqual([]);
    });
  }

  it('finds a slow start in a whole diagnosis, which begins with a ping', async ({ expect }) => {
    const cold = timingEndpoints.find(({ what }) => what === 'a model that is loaded by the first message');
    if (!cold) throw new Error('the endpoint is missing');
    await using started = await cold.start();
    await using connection = await Connection.open('own-ai-chat', started.config, { seed: 1, withinMs: 60_000 });
    const { cause, stages } = await diagnose(connection, { through: 'behaviour' });
    expect(cause?.id, JSON.stringify(stages)).toBe('timing/slow-at-first');
  });

  it('suspects a slow start if only the first ping is not answered', async ({ expect }) => {
    await using started = await firstUnanswered.start();
    await using connection = await Connection.open('own-ai-chat', started.config, { seed: 1, withinMs: 60_000 });
    const { cause, suspects, stages } = await diagnose(connection, { through: 'behaviour' });
    expect(cause, JSON.stringify(stages)).toBeNull();
    expect(suspects).toMatchObject([{ id: 'timing/slow-at-first', why: expect.stringContaining('no answer within') }]);
  });

  it('sends a message of as many characters as it reports', async ({ expect }) => {
    await using opened = await openEndpoint('own-ai-chat', {});
    const longest = eventKinds(opened.connection).find(({ what }) => what.startsWith('a message of'));
    const { data } = (longest?.event() ?? {}) as Partial<ChatEvent>;
    expect(longest?.what).toContain(`${data?.message.text.length} characters`);
  });

  it('can name every cause of its area', ({ expect }) => {
    const named = new Set(timingEndpoints.flatMap(({ cause, suspect }) => [cause, suspect]));
    expect(Object.keys(timingCauses).filter((id) => !named.has(id as keyof typeof timingCauses))).toEqual([]);
  });
});
