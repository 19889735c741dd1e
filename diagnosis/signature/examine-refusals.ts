import type { CauseId } from '../causes.ts';
import type { Connection } from '../connection.ts';
import type { Failing, ProbeOptions, ProbeOutcome } from '../outcome.ts';
import { findWeakness } from './find-weakness.ts';
import { findWindow } from './find-window.ts';
import { judgeRefusals } from './judge-refusals.ts';
import { tryFrequentForgeries, type FrequentForgeries } from './try-frequent-forgeries.ts';

/** Causes that concern only the form of a refusal. */
const ofRefusals: readonly CauseId[] = ['signature/refused-with-another-status', 'signature/wrong-signature-breaks'];
/** Requirements about the time of a signature: met, there is no window to measure. */
const ofWindow = ['refuses-stale-timestamp', 'refuses-future-timestamp', 'accepts-timestamp-inside-tolerance'] as const;

/**
 * Finds the invalid signatures that an endpoint accepts which accepts valid ones, and for how long a signature is valid.
 * The most frequent ones come first: with a fault in these, or if valid requests fail already (`isBrief`), no others are
 * sent than those that explain it. A known failure is examined at once.
 */
export async function examineRefusals(
  connection: Connection,
  failing?: Failing,
  { isBrief = false }: ProbeOptions = {},
): Promise<ProbeOutcome> {
  if (failing !== undefined) return await examineAll(connection, failing);
  const frequent = await tryFrequentForgeries(connection, { isBrief });
  const { accepted, isOnlyTime, isTight, isRefusedWith2xx, isPingUnverified, asPing, times, outcome } = frequent;
  const isAnyAccepted = accepted.length > 0;
  if (isOnlyTime || (isTight && !isAnyAccepted)) {
    const { seen, passed, ...window } = await findWindow(connection, failing, { right: true, asPing, times });
    const whole = { ...window, passed: [...outcome.passed, ...passed], seen: [...outcome.seen, ...seen] };
    if (window.found ?? window.ends ?? isBrief) return { ...whole, notObserved: outcome.notObserved };
  }
  const isJudged = outcome.passed.length > 0;
  if (isPingUnverified && isJudged && !isAnyAccepted)
    return { ...outcome, found: { id: 'signature/ping-not-checked' } };
  if (isBrief && !isAnyAccepted && !isRefusedWith2xx) return outcome;
  const { found } = isAnyAccepted ? {} : await judgeRefusals(frequent.refusals, connection.surface);
  if (found && isJudged) return { ...outcome, found };
  const { seen, ...whole } = await examineAll(connection, failing, frequent);
  if (isAnyAccepted && !isOnlyTime && !whole.found && !whole.ends) {
    const why = `It was accepted once, and refused when it was sent again: a request ${accepted.join(', ')}.`;
    const suspects = [{ id: 'signature/not-always-the-same', why } as const, ...whole.suspects];
    return { suspects, passed: [], seen: [...outcome.seen, ...seen], ends: true };
  }
  return { ...whole, seen: [...outcome.seen, ...seen] };
}

/** Sends every invalid signature that is still open, up to the first that is accepted, and measures the window. */
async function examineAll(
  connection: Connection,
  failing: Failing | undefined,
  frequent?: FrequentForgeries,
): Promise<ProbeOutcome> {
  const { asPing = false, acceptedInRow = 0, refusals = [], times } = frequent ?? {};
  const weakness = await findWeakness(connection, failing, { right: true, asPing, acceptedInRow, refusals });
  // How invalid signatures are refused explains no refusal of a valid one, so the window is measured all the same.
  const isOnlyForm = weakness.found !== undefined && ofRefusals.includes(weakness.found.id);
  if ((weakness.found && !isOnlyForm) || weakness.ends || connection.meets(ofWindow)) return weakness;
  const window = await findWindow(connection, failing, { right: true, asPing, times });
  const { found = weakness.found } = window;
  const form = found === weakness.found ? undefined : weakness.found;
  return {
    ...window,
    found,
    suspects: [
      ...(form ? [{ ...form, why: 'It was confirmed as well.' }] : []),
      ...weakness.suspects,
      ...window.suspects,
    ],
    passed: [...weakness.passed, ...window.passed],
    seen: [...weakness.seen, ...window.seen],
  };
}
