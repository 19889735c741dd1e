import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import type { MessageReceived } from '../../specs/generated/types.ts';
import { moderateEvents } from '../events-to-send.ts';

const label = 'a generated message';

/** Sends a generated message. */
export function deliverGenerated({ chat, ids }: CheckKit, event: MessageReceived): Promise<ChatObservation> {
  // An id belongs to one delivery, so each delivery needs its own.
  return chat.deliver(chat.open({ ...event, id: ids.event() }), { label });
}

/** The generated messages of the run so far; if there are none, those with the edge cases are sent. */
export async function generatedMessages(kit: CheckKit): Promise<readonly ChatObservation[]> {
  const sent = () => kit.chat.delivered.filter((message) => message.label === label);
  if (sent().length > 0) return sent();
  const { edges } = moderateEvents<MessageReceived>('messageReceived', kit.settings);
  for (const event of edges) await deliverGenerated(kit, event);
  return sent();
}
