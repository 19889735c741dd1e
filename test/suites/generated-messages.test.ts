import { expect, it } from 'vitest';
import type { CheckKit } from '../../harness/checks/check.ts';
import { utcTimestamp } from '../../harness/checks/samples.ts';
import { schemas } from '../../specs/schemas.ts';
import type { MessageReceived } from '../../specs/generated/types.ts';
import { deliverGenerated } from '../../suites/own-ai-chat/generated-messages.ts';

it('sends a message again as a new one, with an id as large and the time of now, and leaves the rest unchanged', async () => {
  const sent: MessageReceived[] = [];
  let events = 0;
  const kit = {
    session: {},
    ids: { event: () => `evt_${String(++events)}` },
    chat: { open: (event: MessageReceived) => sent.push(event), deliver: () => Promise.resolve() },
  } as unknown as CheckKit;
  const [example] = schemas.messageReceived.examples as unknown as [MessageReceived];
  const event = { ...example, createdAt: '1970-01-01T00:00:00' };
  const before = utcTimestamp(Date.now());
  await deliverGenerated(kit, event);
  await deliverGenerated(kit, event);
  const [first, second] = sent;
  expect([first?.data.message.id, second?.data.message.id]).toEqual([90_017, 90_016]);
  expect([first?.id, second?.id]).toEqual(['evt_1', 'evt_2']);
  expect((second?.createdAt ?? '') >= before).toBe(true);
  expect(second?.data).toEqual({ ...event.data, message: { ...event.data.message, id: 90_016 } });
});
