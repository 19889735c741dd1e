import { expect, it } from 'vitest';
import type { CheckKit } from '../../harness/checks/check.ts';
import { CheckRecord, withRecord } from '../../harness/checks/check-record.ts';
import { Session } from '../../harness/checks/session.ts';
import { beginLongCall, longCall, sentences } from '../../suites/own-ai-phone/long-call.ts';
import { ai } from '../harness/call-server.ts';
import { configOf, settingsOf } from '../harness/settings-for-tests.ts';

/** The long call as two checks make it: one that begins it with the endpoint to itself, and one that judges it. */
async function longCallOf({ isMixedUp = false } = {}) {
  await using endpoint = await ai(({ type }, say) => {
    if (type === 'prompt') say({ type: 'text', text: 'Yes.', last: true });
  });
  await using session = await Session.open(settingsOf(configOf({ phone: endpoint.url })));
  const { phone, sample, settings } = session;
  const kit = { session, phone, sample, settings } as unknown as CheckKit;
  const record = new CheckRecord();
  record.alone = true;
  await session.alone(() =>
    withRecord(record, async () => {
      await phone.silentCall();
      beginLongCall(kit);
      beginLongCall(kit);
    }),
  );
  if (isMixedUp) phone.limitToOneCall();
  const judged = await longCall(kit);
  const { calls } = phone;
  return { judged, made: calls.filter(({ label }) => label === judged.label), evidence: record.evidence };
}

it('makes the long call once, without evidence for the check that begins it', async () => {
  const { judged, made, evidence } = await longCallOf();
  expect(made).toEqual([judged]);
  expect(judged.answers).toHaveLength(sentences);
  expect(evidence.filter(({ label }) => label === judged.label)).toEqual([]);
});

it('makes the long call again where calls at once are mixed up', async () => {
  const { judged, made } = await longCallOf({ isMixedUp: true });
  expect(made).toHaveLength(2);
  expect(made[1]).toBe(judged);
});
