import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import type { MessageReceived } from '../../specs/generated/types.ts';
import { moderateEvents } from '../events-to-send.ts';
import { isInTime } from './timed-messages.ts';

const label = 'a generated message';

/** Late messages after which no further ones are sent. */
const mostLate = 3;

/** Sends a generated message. */
export function deliverGenerated({ chat, ids }: CheckKit, event: MessageReceived): Promise<ChatObservation> {
  // An id belongs to one delivery, so each delivery needs its own.
  return chat.deliver(chat.open({ ...event, id: ids.event() }), { label });
}

/** The generated messages of the run so far; if there are none, those with the edge cases are sent, until some are late. */
export async function generatedMessages(kit: CheckKit): Promise<readonly ChatObservation[]> {
  const sent = () => kit.chat.delivered.filter((message) => message.label === label);
  if (sent().length > 0) return sent();
  const { edges } = moderateEvents<MessageReceived>('messageReceived', kit.settings);
  let late = 0;
  for (const event of edges) {
    if (!isInTime(await deliverGenerated(kit, event))) late++;
    if (late >= mostLate) break;
  }
  return sent();
}
