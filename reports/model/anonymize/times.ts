import type { Piece } from './decoded-text.ts';
import type { Identities } from './identities.ts';
import { phoneSeparator, type Spotter, type Spot } from './spot.ts';

/** Milliseconds from the run within which a time belongs to it, to an appointment or to a log. */
const nearMs = 400 * 86_400_000;
/** The first and last representable days, used for "no date". */
const edges = new Set(['0000-00-00', '0001-01-01', '1900-01-01', '1970-01-01', '9999-12-31']);

/** `+0100`. No phone number begins with +0; `+1415` begins one if another group follows. */
const zone = String.raw`[+-](?:0\d:?\d{2}|1[0-4]:?(?:00|15|30|45)(?!(?:${phoneSeparator})?\d))`;
const clock = String.raw`(?:[T ,:]{1,2}\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|\s?${zone})?)?`;
const months = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*';
const iso = new RegExp(String.raw`(?<!\d)(\d{4}-\d{2}-\d{2})${clock}(?!\d)`, 'gu');
/** `Sat, 21 Nov 2026 23:05:16`, `21/Nov/2026:23:05:16 +0000`, `2026/11/21`, `21.11.2026`, `Nov 21 2026`. */
const written = [
  new RegExp(String.raw`(?<![\d\p{L}])(\d{1,2}[ /-]${months}[ /-]\d{4})${clock}(?!\d)`, 'gu'),
  new RegExp(String.raw`(?<!\p{L})(${months} \d{1,2},? \d{4})${clock}(?!\d)`, 'gu'),
  new RegExp(String.raw`(?<!\d)(\d{4}/\d{2}/\d{2})${clock}(?!\d)`, 'gu'),
  new RegExp(String.raw`(?<!\d)(\d{2}\.\d{2}\.\d{4})${clock}(?!\d)`, 'gu'),
];

/** `09:30`, `09:30:01.123456`: a time without a date. */
const timeOfDay =
  /(?<![\p{L}\p{N}:.,])(?:[01]?\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d{1,9})?)?(?![\p{L}\p{N}:]|[.,]\d)/gu;

/**
 * Times explain a failure, so those near the run are kept. Another one may be a date of birth: in the form of the
 * interface it becomes another day, in any other form its numbers and words are processed one by one.
 */
export const times: Spotter = (text, identities) => [
  ...isoTimes(text, identities),
  ...(/\d{4}/.test(text) ? written.flatMap((pattern) => writtenTimes(text, pattern, identities)) : []),
  ...[...(text.includes(':') ? text.matchAll(timeOfDay) : [])].map(({ index, 0: time }) => ({
    from: index,
    to: index + time.length,
    pieces: [],
  })),
  ...(text.includes('t=') ? signatureTimes(text, identities) : []),
];

/** Days in the form of the interface, near the run or not, in fields for a day of a person's life. */
export function dayPieces(text: string, { standIns }: Identities): Piece[] {
  return [...text.matchAll(iso)].map(({ index, 1: day = '' }) => ({
    from: index,
    to: index + day.length,
    text: standIns.day(day),
  }));
}

/** Whether milliseconds since 1970, as in logs, are near the run. */
export function isNearTime(milliseconds: number, { ranAt }: Identities): boolean {
  return Math.abs(milliseconds - ranAt) < nearMs;
}

function isoTimes(text: string, identities: Identities): Spot[] {
  if (!/\d-\d/.test(text)) return [];
  return [...text.matchAll(iso)].map(({ index, 0: time, 1: day = '' }) => {
    const isKept = edges.has(day) || identities.ours.has(day) || isNearTime(Date.parse(day), identities);
    const pieces = isKept ? [] : [{ from: index, to: index + day.length, text: identities.standIns.day(day) }];
    return { from: index, to: index + time.length, pieces };
  });
}

function writtenTimes(text: string, pattern: RegExp, identities: Identities): Spot[] {
  return [...text.matchAll(pattern)]
    .filter(({ 1: day = '' }) => isNearTime(Date.parse(readable(day)), identities))
    .map(({ index, 0: time }) => ({ from: index, to: index + time.length, pieces: [] }));
}

/** Converts to the order that `Date.parse` reads: `21.11.2026` begins with the day. */
function readable(day: string): string {
  const [, date, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(day) ?? [];
  return year === undefined ? day.replaceAll('/', ' ') : `${year}-${month}-${date}`;
}

/** The time in a signature header, in seconds; stale times of a check are near as well. */
function signatureTimes(text: string, identities: Identities): Spot[] {
  return [...text.matchAll(/(?<=\bt=)\d{10}(?!\d)/g)]
    .filter(([seconds]) => isNearTime(1000 * Number(seconds), identities))
    .map(({ index, 0: seconds }) => ({ from: index, to: index + seconds.length, pieces: [] }));
}
