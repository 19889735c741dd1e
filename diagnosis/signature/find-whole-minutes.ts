import { limits } from '../../specs/limits.ts';
import type { Found } from '../outcome.ts';
import type { ObservedWindow } from './judge-window.ts';

const minute = 60;
/** Most minutes on either side: wider windows are not usual ones in which minutes are compared. */
const mostMinutes = 15;
/** Seconds around the beginning of a minute in which the endpoint may be in another one than we are. */
const edgeSeconds = 5;
/** Milliseconds between the two rounds: edges in seconds move with the clock in the meantime, edges in minutes do not. */
const betweenRoundsMs = 2_100;

/**
 * Tests whether an endpoint compares the minute of `t` with the current one, so that both ends of the accepted times are
 * full minutes whatever the second.
 *
 * @param accepts sends a valid signature with exactly this `t`
 */
export async function findWholeMinutes(
  { past, future }: Pick<ObservedWindow, 'past' | 'future'>,
  accepts: (t: number) => Promise<boolean>,
): Promise<Found | undefined> {
  if (past.outside === undefined || future.outside === undefined) return undefined;
  const [lower, upper] = [(past.inside + past.outside) / 2, (future.inside + future.outside) / 2];
  const count = Math.round((upper - lower) / minute);
  if (count < 1 || count > 2 * mostMinutes + 1) return undefined;
  const nowSeconds = Date.now() / 1000;
  // Most endpoints accept as many minutes on either side of the current one.
  const back =
    count % 2 === 1 ? (count - 1) / 2 : Math.floor(nowSeconds / minute) - Math.round((nowSeconds + lower) / minute);
  const ahead = count - 1 - back;
  if (back < 0 || ahead < 0) return undefined;
  for (let round = 0; round < 2; round++) {
    if (round > 0) await new Promise((wake) => setTimeout(wake, betweenRoundsMs));
    await waitWithinMinute();
    const first = (Math.floor(Date.now() / 1000 / minute) - back) * minute;
    const end = first + count * minute;
    const isAligned =
      !(await accepts(first - 1)) && (await accepts(first)) && !(await accepts(end)) && (await accepts(end - 1));
    if (!isAligned) return undefined;
  }
  const most = Math.max(back, ahead) * minute + minute - 1;
  return {
    id: most > limits.signatureToleranceSeconds ? 'signature/window-too-wide' : 'signature/window-too-tight',
    summary: `Your endpoint compares whole minutes: ${back === ahead ? describeEqual(back) : `t has to be at most ${inMinutes(back)} before and ${inMinutes(ahead)} after the current minute.`}`,
  };
}

function describeEqual(minutes: number): string {
  const [least, most] = [minutes * minute, minutes * minute + minute - 1];
  const apart = minutes === 0 ? 'the same' : `at most ${inMinutes(minutes)} apart`;
  return `the minute of t and the current one have to be ${apart}. So a signature is accepted up to between ${least} and ${most} s from your clock, depending on the second.`;
}

function inMinutes(count: number): string {
  return `${count} ${count === 1 ? 'minute' : 'minutes'}`;
}

/** Waits until no end of the current minute is near. */
async function waitWithinMinute(): Promise<void> {
  const second = (Date.now() / 1000) % minute;
  const waitSeconds =
    second < edgeSeconds ? edgeSeconds - second : second > minute - edgeSeconds ? minute + edgeSeconds - second : 0;
  if (waitSeconds > 0) await new Promise((wake) => setTimeout(wake, waitSeconds * 1000));
}
