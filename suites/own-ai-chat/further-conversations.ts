import { setTimeout as delay } from 'node:timers/promises';
import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import { conclude } from '../matchers/expect.ts';
import { askForLater, firstReply, lastReplyMs, noReplyReason } from './replies.ts';

/** Further conversations of the contact: a reply to the first one may have several parts, the last of them late. */
const further = 2;

/**
 * Judges where the replies to further conversations of one contact go. A finding needs each of them at the replyUrl of the
 * first conversation and none at its own.
 */
export async function judgeFurtherConversations(kit: CheckKit): Promise<void> {
  const contact = kit.sample.newCustomer();
  const first = await askForLater(kit, 'the first conversation of a contact', { over: { contact } });
  if (!(await firstReply(kit, first))) return kit.notExercised(noReplyReason);
  const others: ChatObservation[] = [];
  for (let nth = 1; ; nth++) {
    await delay(kit.settings.quietMs);
    const before = first.replies.arrivals.length;
    const next = await askForLater(kit, `conversation ${nth + 1} of this contact`, { over: { contact } });
    if (await firstReply(kit, next)) return conclude(next, undefined);
    const arrival = first.replies.arrivals[before];
    if (!arrival) return kit.notExercised('No reply to a further conversation of this contact arrived.');
    others.push(next);
    if (nth < further) continue;
    // The first conversation may also continue by itself, and those replies come late.
    const arrived = await Promise.all(others.map(({ replies }) => replies.atLeast(1, { withinMs: lastReplyMs(kit) })));
    if (arrived.some(({ length }) => length > 0))
      return kit.notExercised('The replies to further conversations are late.');
    return conclude(arrival, {
      expected: 'the reply to each conversation at its own replyUrl',
      received: `the replies to ${further} further conversations of this contact at the replyUrl of the first one`,
      hint: 'Keep the replyUrl with the event it came in, not with the contact.',
    });
  }
}
