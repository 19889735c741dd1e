import { expect, it } from 'vitest';
import { checkId } from '../../harness/checks/check.ts';
import { lookupEventTypes } from '../../specs/crm-event-types.ts';
import { runEngine } from '../harness/engine/run-engine.ts';
import { configOf, settingsOf } from '../harness/settings-for-tests.ts';
import { setUp, startEndpoint } from '../proving/endpoint.ts';

/** Milliseconds of work on an event without a limit: longer than that of a lookup. */
const workMs = 3_000;
const workers = 2;
const requirement = 'crm-webhook/lookup-during-other-events-within-two-seconds';
const check = checkId(requirement, 'IncomingCallLookup is answered in time while the endpoint handles FinishedCall');

// Of three events at once, the last is still handled when the first two are answered.
it('two workers, which are not enough for a lookup during three events at once, pass', async () => {
  let free = workers;
  const waiting: (() => void)[] = [];
  await using endpoint = await startEndpoint({
    crm: { workMs: (name) => (lookupEventTypes.some((type) => type === name) ? 0 : workMs) },
    transport: {
      admit: async (_, work) => {
        if (free > 0) free--;
        else await new Promise<void>((go) => waiting.push(go));
        try {
          return await work();
        } finally {
          const next = waiting.shift();
          if (next) next();
          else free++;
        }
      },
    },
  });
  const config = configOf({}, { crmWebhook: { url: endpoint.crm, token: setUp.token } });
  const { checks } = await runEngine({
    settings: settingsOf(config, { only: [check] }),
    surfaces: ['crm-webhook'],
  });
  expect(checks.map(({ id, verdict, message }) => ({ id, verdict, message }))).toEqual([
    { id: check, verdict: 'pass', message: undefined },
  ]);
});
