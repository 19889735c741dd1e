import type { CheckKit } from '../harness/checks/check.ts';
import type { Finding } from '../harness/checks/finding.ts';
import { clockMarginSeconds } from '../harness/wire/forged-signatures.ts';
import type { WireExchange } from '../harness/wire/observation.ts';
import { conclude } from './matchers/expect.ts';
import { addRemark } from './remark.ts';
import { watchUntilTheEnd } from './watch-until-the-end.ts';

const hint = 'Read the time for every delivery and call: a time that is read once falls behind.';

/**
 * Requires that a stale `t` is still refused at the end of a run. A time that is read only once falls behind by the length
 * of the run until then. Not exercised while that is less than the margin of a stale `t`, which allows for other clocks.
 */
export async function judgeLateStaleness(
  kit: CheckKit,
  earlier: WireExchange,
  sendStale: () => Promise<{ exchange: WireExchange; finding: Finding | undefined }>,
): Promise<void> {
  const elapsedMs = Math.max(performance.now() - earlier.at, kit.settings.retryWatchMs);
  if (elapsedMs < clockMarginSeconds * 1000) {
    return kit.notExercised(
      `A clock that does not advance shows only after ${clockMarginSeconds} s; --thorough takes long enough.`,
    );
  }
  const watched = await watchUntilTheEnd(kit, earlier.at);
  const { exchange, finding } = await sendStale();
  conclude(exchange, finding && { ...finding, hint });
  addRemark(`Refused ${watched} after the first valid signature.`);
}
