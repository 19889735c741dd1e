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

/** Orders of the questions in each round: instances that take turns match neither. */
const orders = [
  ['before', 'after', 'first', 'last'],
  ['first', 'after', 'before', 'last'],
] as const;

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
  const lastSeconds = [back, ahead].map((minutes) => minutes * minute + minute - 1);
  const tooWide = lastSeconds.filter((most) => most > limits.signatureToleranceSeconds);
  // Two causes, of which neither explains the other.
  if (tooWide.length === 1) return undefined;
  for (const order of orders) {
    if (order !== orders[0]) await new Promise((wake) => setTimeout(wake, betweenRoundsMs));
    await waitWithinMinute();
    const first = (Math.floor(Date.now() / 1000 / minute) - back) * minute;
    const end = first + count * minute;
    const times = { first, last: end - 1, before: first - 1, after: end };
    for (const name of order) {
      if ((await accepts(times[name])) !== (name === 'first' || name === 'last')) return undefined;
    }
  }
  return {
    id: tooWide.length > 0 ? 'signature/window-too-wide' : 'signature/window-too-tight',
    summary: `Your endpoint compares whole minutes: ${back === ahead ? describeEqual(back) : describeUnequal(back, ahead)}`,
  };
}

function describeEqual(minutes: number): string {
  const [least, most] = [minutes * minute, minutes * minute + minute - 1];
  const apart = minutes === 0 ? 'the same' : `at most ${inMinutes(minutes)} apart`;
  return `the minute of t and the current one have to be ${apart}. So a signature is accepted up to between ${least} and ${most} s from your clock, depending on the second.`;
}

function describeUnequal(back: number, ahead: number): string {
  const limitOf = (minutes: number, side: string) =>
    minutes === 0 ? `not ${side} it` : `at most ${inMinutes(minutes)} ${side} it`;
  return `compared with the current minute, the minute of t may be ${limitOf(back, 'before')}, and ${limitOf(ahead, 'after')}.`;
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
