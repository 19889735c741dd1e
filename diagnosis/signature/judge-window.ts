import { limits } from '../../specs/limits.ts';
import type { Found, Suspect } from '../outcome.ts';
import { formatSpan } from './format-span.ts';
import { anyTimeSeconds, edgeMarginSeconds, type Edge } from './window-edges.ts';

/** The times that are accepted, and what the Date header says about the endpoint's clock. */
export interface SeenWindow {
  past: Edge;
  future: Edge;
  /** Seconds by which the Date header differs from our clock; `undefined` without a usable one. */
  dateOffset: number | undefined;
}

export interface WindowVerdict {
  found?: Found | undefined;
  suspects: Suspect[];
  passed: string[];
}

const { signatureToleranceSeconds: tolerance } = limits;

/** Seconds by which a shift that was found and the Date header may differ, and a shift from a whole time difference. */
const agreementSeconds = 10;
/** Time differences of the world come in quarters of an hour; the least that anybody lives in, in addition to none, is an hour. */
const zoneStepSeconds = 900;
const leastZoneSeconds = 3_600;
/** Seconds from now within which an end counts as "now": a delivery needs a moment. */
const nowSeconds = 5;
/** Five minutes in milliseconds, taken for seconds, and how exactly that is known. */
const inWrongUnit = tolerance * 1000;
const wrongUnitPart = 0.03;

/** Says what the accepted times mean. */
export function judgeWindow({ past, future, dateOffset }: SeenWindow): WindowVerdict {
  const lower = middleOf(past);
  const upper = middleOf(future);
  const bounded = past.outside !== undefined && future.outside !== undefined;
  const centre = (lower + upper) / 2;
  const isWhole = bounded && Math.abs(upper - lower - 2 * tolerance) <= 2 * edgeMarginSeconds;
  // A clock that is not within what it accepts is another machine's.
  const isTheirs = dateOffset !== undefined && dateOffset >= lower - nowSeconds && dateOffset <= upper + nowSeconds;
  const seenClock = isTheirs ? dateOffset : 0;
  if (isWhole && Math.abs(centre) > edgeMarginSeconds) return judgeShift(centre, dateOffset);
  // Seen from the endpoint's own clock, as far as it is known.
  const back = past.outside === undefined ? Infinity : seenClock - lower;
  const ahead = future.outside === undefined ? Infinity : upper - seenClock;
  const particulars = `Accepted were signatures ${reachText(back)} old and ${reachText(ahead)} ahead${seenClock === 0 ? '' : ', by the clock of your Date header'}.`;
  const verdicts = [...tightness(back, ahead), ...wideness(back, ahead)].map((each) => ({
    ...each,
    text: `${each.summary} ${particulars}`,
  }));
  if (lower > nowSeconds || upper < -nowSeconds) {
    if (Math.abs(seenClock) > edgeMarginSeconds)
      verdicts.unshift({ id: 'signature/clock-off', text: clockText(seenClock) });
  }
  const [found, ...others] = verdicts;
  if (!found) {
    return {
      suspects: [],
      passed: [`Signatures are accepted up to five minutes off, both ways, and no longer: your clock is right.`],
    };
  }
  return { found, suspects: others.map((other) => ({ ...other, why: particulars })), passed: [] };
}

/** The whole window was found, and not around our time. */
function judgeShift(centre: number, dateOffset: number | undefined): WindowVerdict {
  const agrees = dateOffset !== undefined && Math.abs(dateOffset - centre) <= agreementSeconds;
  const zones = Math.round(centre / zoneStepSeconds) * zoneStepSeconds;
  const isZone = Math.abs(zones) >= leastZoneSeconds && Math.abs(centre - zones) <= agreementSeconds;
  const clock: Found = { id: 'signature/clock-off', summary: clockText(centre) };
  const zone: Found = {
    id: 'signature/time-zone',
    summary: `Your code reckons with a time that is ${formatSpan(zones)} ${zones < 0 ? 'behind' : 'ahead'}: a local time is taken for UTC, or the other way round.`,
  };
  if (agrees) return { found: clock, suspects: [], passed: [] };
  if (isZone && dateOffset !== undefined) return { found: zone, suspects: [], passed: [] };
  if (isZone) {
    const why = 'The accepted times are shifted by a whole time difference; no Date header says whether the clock is.';
    return {
      suspects: [
        { ...zone, why },
        { ...clock, why },
      ],
      passed: [],
    };
  }
  const told =
    dateOffset === undefined ? '' : ' The Date header does not show it, so another machine may write that header.';
  return { found: { ...clock, summary: `${clockText(centre)}${told}` }, suspects: [], passed: [] };
}

function tightness(back: number, ahead: number): Found[] {
  const least = tolerance - edgeMarginSeconds;
  if (back >= least && ahead >= least) return [];
  if (ahead <= nowSeconds && back >= least) {
    return [{ id: 'signature/past-only', summary: 'A signature is refused when its t is ahead of your clock.' }];
  }
  if (back <= nowSeconds && ahead >= least) {
    return [{ id: 'signature/future-only', summary: 'A signature is refused when its t is behind your clock.' }];
  }
  return [{ id: 'signature/window-too-tight', summary: 'Signatures are refused that are less than five minutes off.' }];
}

function wideness(back: number, ahead: number): Found[] {
  const most = tolerance + edgeMarginSeconds;
  if (back <= most && ahead <= most) return [];
  if (back >= anyTimeSeconds && ahead >= anyTimeSeconds)
    return [{ id: 'signature/window-missing', summary: 'The t of a signature is never held against the clock.' }];
  if ([back, ahead].some((reach) => Math.abs(reach - inWrongUnit) <= inWrongUnit * wrongUnitPart)) {
    return [
      {
        id: 'signature/window-in-wrong-unit',
        summary: `A limit of ${inWrongUnit} is meant in milliseconds and compared with seconds.`,
      },
    ];
  }
  return [{ id: 'signature/window-too-wide', summary: 'Signatures are accepted that are more than five minutes off.' }];
}

function clockText(offset: number): string {
  return `Your clock is ${formatSpan(offset)} ${offset < 0 ? 'behind' : 'ahead'}.`;
}

function reachText(seconds: number): string {
  if (seconds === Infinity) return 'any time';
  return seconds <= nowSeconds ? 'at most a few seconds' : `about ${formatSpan(seconds)}`;
}

function middleOf({ inside, outside }: Edge): number {
  return outside === undefined ? inside : (inside + outside) / 2;
}
