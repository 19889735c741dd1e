import { describe, expect, it } from 'vitest';
import type { CrmDeliveryOptions } from '../../harness/wire/crm-webhook-driver.ts';
import { Session } from '../../harness/checks/session.ts';
import { answerText, rawServer } from './raw-server.ts';
import { configOf, settingsOf } from './settings-for-tests.ts';

/** Deliveries that are kept at most, unless a callback must follow them. */
const most = 1_000;

/** The labels of the deliveries that the driver keeps for the end of the run, `earlier` deliveries after its start. */
async function keptAfter(earlier: number, deliveries: readonly (CrmDeliveryOptions & { label: string })[]) {
  await using endpoint = await rawServer((socket) => socket.write(answerText('204 No Content')));
  await using session = await Session.open(settingsOf(configOf({ crm: endpoint.origin })));
  const { crm, sample } = session;
  const first = await crm.deliver(sample.crmEvent('IncomingCallLookup'), { label: 'earlier' });
  while (crm.delivered.length < earlier) (crm.delivered as unknown[]).push(first);
  for (const options of deliveries) await crm.deliver(sample.crmEvent('IncomingCallLookup'), options);
  return crm.delivered.slice(earlier).map(({ label }) => label);
}

describe.concurrent('CRM events that are judged at the end of the run', () => {
  it('are those that the endpoint should accept, and that a check has sent', async () => {
    expect(
      await keptAfter(1, [
        { label: 'forged', toBeRefused: true, authorization: null },
        { label: 'of the service itself', caused: true },
        { label: 'usual' },
        { label: 'forged, with a callback due', toBeRefused: true, callbackDue: true },
        { label: 'of the service itself, with a callback due', caused: true, callbackDue: true },
        { label: 'with a callback due', callbackDue: true },
      ]),
    ).toEqual(['usual', 'with a callback due']);
  });

  it(`are at most ${most}, and all to which a callback is due`, async () => {
    const further = [{ label: 'with a callback due', callbackDue: true }, { label: 'usual' }] as const;
    expect(await keptAfter(most, further.toReversed())).toEqual(['with a callback due']);
    expect(await keptAfter(most - 1, further.toReversed())).toEqual(['usual', 'with a callback due']);
  });
});
