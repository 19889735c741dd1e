import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import type { MessageReceived } from '../../specs/generated/types.ts';
import { moderateEvents } from '../events-to-send.ts';
import { nearestFree } from '../records-in-use.ts';
import { sentNow } from '../sent-now.ts';
import { isInTime } from '../certain-time.ts';

const label = 'a generated message';

/** Late messages after which no further ones are sent. */
const mostLate = 3;

/** The ids of the generated messages of each session. */
const usedIds = new WeakMap<CheckKit['session'], Set<number>>();

/**
 * Sends a generated message as a new one: an id belongs to one event, and that of a message to one message, also where
 * the same value is sent again.
 */
export function deliverGenerated(kit: CheckKit, event: MessageReceived): Promise<ChatObservation> {
  const { chat, ids } = kit;
  const { data } = event;
  const message = { ...data.message, id: unusedId(kit, data.message.id) };
  return chat.deliver(chat.open(sentNow({ ...event, id: ids.event(), data: { ...data, message } })), { label });
}

/** The id, or one as large, unless a message has it already. */
function unusedId({ session, ids }: CheckKit, id: number): number {
  const used = usedIds.get(session) ?? new Set<number>();
  usedIds.set(session, used);
  const near = nearestFree(id, (other) => !used.has(other));
  const own = used.has(near) ? ids.integer() : near;
  used.add(own);
  return own;
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
