import { currentRecord } from '../../harness/checks/check-record.ts';
import type { CheckKit } from '../../harness/checks/check.ts';

/**
 * Sends messages that prove something only if they are sent at the same time: `limits.perMinute` must have room for all
 * of them first, or a message would wait for the next minute after the others are answered. Throws HarnessFault
 * `limit-used` if it never has room, and `budget-used`.
 *
 * @param count messages that `send` sends
 */
export async function sentAtOnce<T>(
  { session }: Pick<CheckKit, 'session'>,
  count: number,
  send: () => Promise<T>,
): Promise<T> {
  const { limits, budget, settings } = session;
  const request = { url: settings.config.chat?.url ?? '', method: 'POST' };
  return await limits.inRoom(request, count, (waitMs) => budget.assertLeft(currentRecord()?.part, waitMs), send);
}
