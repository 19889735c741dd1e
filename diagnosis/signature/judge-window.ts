import { limits } from '../../specs/limits.ts';
import type { Found, Suspect } from '../outcome.ts';
import { formatSpan } from './format-span.ts';
import { anyTimeSeconds, edgeMarginSeconds, type Edge } from './window-edges.ts';

/** The accepted times, and the clock of the endpoint by its Date header. */
export interface ObservedWindow {
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

/** Tolerance in seconds between a measured shift and the Date header, or a time zone. */
const agreementSeconds = 10;
/** Time zones differ by quarters of an hour; the smallest offset other than zero is an hour. */
const zoneStepSeconds = 900;
const leastZoneSeconds = 3_600;
/** Seconds from now within which an edge counts as "now", because of latency. */
const nowSeconds = 5;
/** Five minutes in milliseconds, interpreted as seconds, and the relative precision. */
const inWrongUnit = tolerance * 1000;
const wrongUnitPart = 0.03;

/** Interprets the accepted times. */
export function judgeWindow({ past, future, dateOffset }: ObservedWindow): WindowVerdict {
  const lower = middleOf(past);
  const upper = middleOf(future);
  const bounded = past.outside !== undefined && future.outside !== undefined;
  const centre = (lower + upper) / 2;
  const isWhole = bounded && Math.abs(upper - lower - 2 * tolerance) <= 2 * edgeMarginSeconds;
  // A clock outside the accepted times belongs to another machine.
  const isOfEndpoint = dateOffset !== undefined && dateOffset >= lower - nowSeconds && dateOffset <= upper + nowSeconds;
  const seenClock = isOfEndpoint ? dateOffset : 0;
  if (isWhole && Math.abs(centre) > edgeMarginSeconds) return judgeShift(centre, dateOffset);
  // Relative to the clock of the endpoint if it is known.
  const back = past.outside === undefined ? Infinity : seenClock - lower;
  const ahead = future.outside === undefined ? Infinity : upper - seenClock;
  const particulars =
    back === Infinity && ahead === Infinity
      ? 'Signatures with any t were accepted.'
      : `Signatures were accepted ${formatReach(back, past, seenClock)} in the past and ${formatReach(ahead, future, seenClock)} in the future${seenClock === 0 ? '' : ', by the clock of your Date header'}.`;
  const verdicts = [...tightness(back, ahead), ...wideness(back, ahead)].map((each) => ({
    ...each,
    summary: `${each.summary} ${particulars}`,
  }));
  if (lower > nowSeconds || upper < -nowSeconds) {
    if (Math.abs(seenClock) > edgeMarginSeconds)
      verdicts.unshift({ id: 'signature/clock-off', summary: formatOffset(seenClock) });
  }
  const [found, ...others] = verdicts;
  if (!found) {
    return {
      suspects: [],
      passed: [
        `Signatures are accepted up to five minutes in the past and the future, and no further: your clock is correct.`,
      ],
    };
  }
  return { found, suspects: others.map((other) => ({ ...other, why: particulars })), passed: [] };
}

/** Interprets a window of the correct width that is shifted. */
function judgeShift(centre: number, dateOffset: number | undefined): WindowVerdict {
  const agrees = dateOffset !== undefined && Math.abs(dateOffset - centre) <= agreementSeconds;
  const zones = Math.round(centre / zoneStepSeconds) * zoneStepSeconds;
  const isZone = Math.abs(zones) >= leastZoneSeconds && Math.abs(centre - zones) <= agreementSeconds;
  const clock: Found = { id: 'signature/clock-off', summary: formatOffset(centre) };
  const zone: Found = {
    id: 'signature/time-zone',
    summary: `Your code computes with a time that is ${formatShift(zones)}: it interprets local time as UTC, or vice versa.`,
  };
  if (agrees) return { found: clock, suspects: [], passed: [] };
  if (isZone && dateOffset !== undefined) return { found: zone, suspects: [], passed: [] };
  if (isZone) {
    const why = 'The accepted times are shifted by a time zone offset; no Date header shows whether the clock is.';
    return {
      suspects: [
        { ...zone, why },
        { ...clock, why },
      ],
      passed: [],
    };
  }
  if (dateOffset === undefined) return { found: clock, suspects: [], passed: [] };
  const summary = `The time that your code compares with t is ${formatShift(centre)}. The Date header does not show it: another machine may write that header, or your code keeps a time that it read earlier.`;
  return { found: { ...clock, summary }, suspects: [], passed: [] };
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
  return [{ id: 'signature/window-too-tight', summary: 'Signatures less than five minutes off are refused.' }];
}

function wideness(back: number, ahead: number): Found[] {
  const most = tolerance + edgeMarginSeconds;
  if (back <= most && ahead <= most) return [];
  if (back >= anyTimeSeconds && ahead >= anyTimeSeconds)
    return [{ id: 'signature/window-missing', summary: 'The endpoint never compares t with the current time.' }];
  if ([back, ahead].some((reach) => Math.abs(reach - inWrongUnit) <= inWrongUnit * wrongUnitPart)) {
    return [
      {
        id: 'signature/window-in-wrong-unit',
        summary: `A limit of ${inWrongUnit} is intended as milliseconds but compared with seconds.`,
      },
    ];
  }
  return [{ id: 'signature/window-too-wide', summary: 'Signatures more than five minutes off are accepted.' }];
}

function formatOffset(offset: number): string {
  return `Your clock is ${formatShift(offset)}.`;
}

function formatShift(offset: number): string {
  return `${formatSpan(offset)} ${offset < 0 ? 'behind' : 'ahead'}`;
}

/** Completes "accepted … in the past". Near the present, the nearest time that was refused says more than the middle. */
function formatReach(seconds: number, { outside = 0 }: Edge, clock: number): string {
  if (seconds === Infinity) return 'any time';
  return seconds <= nowSeconds
    ? `less than ${formatSpan(Math.max(1, Math.abs(outside - clock)))}`
    : `about ${formatSpan(seconds)}`;
}

function middleOf({ inside, outside }: Edge): number {
  return outside === undefined ? inside : (inside + outside) / 2;
}
