import type { CauseId } from '../causes.ts';
import type { Connection } from '../connection.ts';
import type { Failing, ProbeOptions, ProbeOutcome } from '../outcome.ts';
import { findWeakness } from './find-weakness.ts';
import { findWindow } from './find-window.ts';
import { draft, offer } from './reception.ts';
import { tryFrequentForgeries } from './try-frequent-forgeries.ts';
import { validPrefix } from './weaknesses.ts';

/** Causes that concern only the form of a refusal. */
const ofRefusals: readonly CauseId[] = ['signature/refused-with-another-status', 'signature/wrong-signature-breaks'];
/** Requirements about the time of a signature: met, there is no window to measure. */
const ofWindow = ['refuses-stale-timestamp', 'refuses-future-timestamp', 'accepts-timestamp-inside-tolerance'] as const;

/** Finds the invalid signatures that an endpoint accepts which accepts valid ones, and for how long a signature is valid. */
export async function examineRefusals(
  connection: Connection,
  failing?: Failing,
  { isBrief = false }: ProbeOptions = {},
): Promise<ProbeOutcome> {
  let acceptedInRow = 0;
  if (isBrief) {
    const { isAccepted, isOnlyTime, isOnlyPing, outcome, ...brief } = await tryFrequentForgeries(connection);
    if (!isAccepted && !brief.isTight) return outcome;
    acceptedInRow = brief.acceptedInRow;
    if (isOnlyPing) {
      const forged = validPrefix(0)(draft(connection, { asPing: true }));
      const { reception } = await offer(connection, 'a forged signature of a ping', forged);
      if (reception === 'accepted') return { ...outcome, found: { id: 'signature/ping-not-checked' } };
    }
    if (isOnlyTime || !isAccepted) {
      const { seen, passed, ...window } = await findWindow(connection, failing, { right: true });
      const { notObserved } = outcome;
      return { ...window, notObserved, passed: [...outcome.passed, ...passed], seen: [...outcome.seen, ...seen] };
    }
  }
  const asPing = !isBrief && (await verifiesPings(connection));
  const weakness = await findWeakness(connection, failing, { right: true, asPing, acceptedInRow });
  // How invalid signatures are refused explains no refusal of a valid one, so the window is measured all the same.
  const isOnlyForm = weakness.found !== undefined && ofRefusals.includes(weakness.found.id);
  if ((weakness.found && !isOnlyForm) || weakness.ends || connection.meets(ofWindow)) return weakness;
  const window = await findWindow(connection, failing, { right: true, asPing });
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

/** Whether pings suffice for the next requests: they cost nothing. */
async function verifiesPings(connection: Connection): Promise<boolean> {
  if (connection.surface !== 'own-ai-chat') return false;
  const ping = () => draft(connection, { asPing: true });
  // Sent even if a ping was accepted before: a low limit is proven only if it is reached before the first forged request.
  const right = await offer(connection, 'the valid signature of a ping', ping());
  const forged = await offer(connection, 'a forged signature of a ping', validPrefix(0)(ping()));
  return right.reception === 'accepted' && forged.reception === 'refused';
}
