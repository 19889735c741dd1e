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
  const frequent = await tryFrequentForgeries(connection);
  const { isAccepted, isOnlyTime, isTight, isPingUnverified, asPing, times, outcome } = frequent;
  if (isOnlyTime || (isTight && !isAccepted)) {
    const { seen, passed, ...window } = await findWindow(connection, failing, { right: true, asPing, times });
    const { notObserved } = outcome;
    return { ...window, notObserved, passed: [...outcome.passed, ...passed], seen: [...outcome.seen, ...seen] };
  }
  if (isPingUnverified && !isAccepted) return { ...outcome, found: { id: 'signature/ping-not-checked' } };
  if (isAccepted) return after(outcome, await examineAll(connection, failing, frequent));
  if (isBrief) return outcome;
  const { found } = await judgeRefusals(frequent.refusals, connection.surface);
  if (found && outcome.passed.length > 0) return { ...outcome, found };
  return after(outcome, await examineAll(connection, failing, frequent));
}

/** What is observed next comes after the evidence so far, and its passes include the earlier ones. */
function after({ seen }: ProbeOutcome, next: ProbeOutcome): ProbeOutcome {
  return { ...next, seen: [...seen, ...next.seen] };
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
