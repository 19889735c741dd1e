import type { CheckKit } from '../harness/checks/check.ts';
import { currentRecord } from '../harness/checks/check-record.ts';
import type { Finding } from '../harness/checks/finding.ts';
import type { WireExchange } from '../harness/wire/observation.ts';
import { conclude } from './matchers/expect.ts';
import { watchUntilTheEnd } from './watch-until-the-end.ts';

const hint =
  'If the same is refused at the beginning of a run, the clock stands still: read the time for every delivery and call, not once.';

/**
 * Requires that a stale `t` is still refused at the end of a run. A time that is read only once lags behind by the length
 * of the run until then, so it shows as soon as the lag exceeds the margin of a stale `t`.
 */
export async function judgeLateStaleness(
  kit: CheckKit,
  earlier: WireExchange,
  sendStale: () => Promise<{ exchange: WireExchange; finding: Finding | undefined }>,
): Promise<void> {
  const watched = await watchUntilTheEnd(kit, earlier.at);
  const { exchange, finding } = await sendStale();
  conclude(exchange, finding && { ...finding, hint });
  const record = currentRecord();
  if (record) record.note = `Refused ${watched} after the first valid signature.`;
}
