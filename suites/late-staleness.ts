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
/** Milliseconds that a run waits where only this check was asked for: `t` is in whole seconds. */
const longEnoughMs = behindMs + 2_000;

/**
 * Requires that a stale `t` is still refused at the end of a run. A time that is read only once falls behind by the length
 * of the run until then. Only a run that always takes long enough can pass: one that watches that long, or that was asked
 * for this check by its id. In others, a stale `t` that is accepted fails.
 */
export async function judgeLateStaleness(
  kit: CheckKit,
  check: string,
  earlier: WireExchange,
  sendStale: () => Promise<{ exchange: WireExchange; finding: Finding | undefined }>,
): Promise<void> {
  const { settings, notExercised } = kit;
  const isSelected = settings.only.includes(check);
  const isAlwaysLong = isSelected || settings.retryWatchMs >= behindMs;
  const endUnjudged = () =>
    notExercised(
      `A clock that does not advance shows only after ${clockMarginSeconds} s; --thorough always takes that long.`,
    );
  if (!isAlwaysLong && performance.now() - earlier.at < behindMs) return endUnjudged();
  const watched = await watchUntilTheEnd(kit, earlier.at, isSelected ? longEnoughMs : settings.retryWatchMs);
  const { exchange, finding } = await sendStale();
  if (!finding && !isAlwaysLong) return endUnjudged();
  conclude(exchange, finding && { ...finding, hint });
  addRemark(`Refused ${watched} after the first valid signature.`);
}
