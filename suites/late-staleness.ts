import type { CheckKit } from '../harness/checks/check.ts';
import type { Finding } from '../harness/checks/finding.ts';
import { clockMarginSeconds } from '../harness/wire/forged-signatures.ts';
import type { WireExchange } from '../harness/wire/observation.ts';
import { conclude } from './matchers/expect.ts';
import { addRemark } from './remark.ts';
import { watchUntilTheEnd } from './watch-until-the-end.ts';

const hint = 'Read the time for every delivery and call: a time that is read once falls behind.';

/** Milliseconds by which a clock must have fallen behind: the margin of a stale `t`, which allows for other clocks. */
const behindMs = clockMarginSeconds * 1000;

/**
 * Requires that a stale `t` is still refused at the end of a run. A time that is read only once falls behind by the length
 * of the run until then. Only a run that always takes long enough can pass; in others, a stale `t` that is accepted fails.
 */
export async function judgeLateStaleness(
  kit: CheckKit,
  earlier: WireExchange,
  sendStale: () => Promise<{ exchange: WireExchange; finding: Finding | undefined }>,
): Promise<void> {
  const isAlwaysLong = kit.settings.retryWatchMs >= behindMs;
  const endUnjudged = () =>
    kit.notExercised(
      `A clock that does not advance shows only after ${clockMarginSeconds} s; --thorough always takes that long.`,
    );
  if (!isAlwaysLong && performance.now() - earlier.at < behindMs) return endUnjudged();
  const watched = await watchUntilTheEnd(kit, earlier.at);
  const { exchange, finding } = await sendStale();
  if (!finding && !isAlwaysLong) return endUnjudged();
  conclude(exchange, finding && { ...finding, hint });
  addRemark(`Refused ${watched} after the first valid signature.`);
}
