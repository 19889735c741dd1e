import { expect, it } from 'vitest';
import type { CheckKit } from '../../harness/checks/check.ts';
import { Session } from '../../harness/checks/session.ts';
import { isEffective } from '../../suites/own-ai-phone/effective-call.ts';
import { plainCall } from '../../suites/own-ai-phone/talk.ts';
import { ai } from '../harness/call-server.ts';
import { configOf, settingsOf } from '../harness/settings-for-tests.ts';

/** Labels of the calls with which the effect of a call is looked for. The state counts calls, without their ids. */
async function effectiveCalls({ hasPlainCall }: { hasPlainCall: boolean }) {
  await using endpoint = await ai(({ type }, say) => {
    if (type === 'prompt') say({ type: 'text', text: 'Yes.', last: true });
  });
  // In a partial run, no further calls follow the plain one.
  const partial = { only: ['own-ai-phone'], retryWatchMs: 0 };
  await using session = await Session.open({ ...settingsOf(configOf({ phone: endpoint.url })), ...partial });
  const { phone, sample, settings, inbox } = session;
  const observe = { read: () => Promise.resolve({ calls: phone.calls.map(() => 'a call') }) };
  const kit = { session, phone, sample, settings, inbox, observe } as unknown as CheckKit;
  await (hasPlainCall ? plainCall(kit) : phone.silentCall());
  const { length } = phone.calls;
  return { isSeen: await isEffective(kit), labels: phone.calls.slice(length).map(({ label }) => label) };
}

it('shows its effect with the plain call of the run', async () => {
  expect(await effectiveCalls({ hasPlainCall: false })).toEqual({ isSeen: true, labels: ['a plain call'] });
});

it('shows its effect with another call if the plain one has been made', async () => {
  expect(await effectiveCalls({ hasPlainCall: true })).toEqual({ isSeen: true, labels: ['a call, observed'] });
});
