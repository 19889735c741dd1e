import type { Piece } from './decoded-text.ts';
import type { Identities } from './identities.ts';
import { isMeasured, longestKeptNumber } from './numbers.ts';
import { phoneSeparator, type Spotter, type Spot } from './spot.ts';

const grouped = new RegExp(
  String.raw`(?<![\p{L}\p{N}_]|\p{Nd}[.\p{Pd}]|\p{Nd},(?!0))(?:\+|\(\+?)?\p{Nd}+(?:${phoneSeparator}\p{Nd}+)*(?![\p{L}\p{N}_]|[.,]\p{Nd})`,
  'gu',
);
const lastGroup = new RegExp(String.raw`${phoneSeparator}\p{Nd}+$`, 'u');
/** `410-15-9`: three groups or more with the same dash. */
const dashed = /^\p{Nd}+(\p{Pd})\p{Nd}+(?:\1\p{Nd}+)+$/u;
/** `52.52 13.40`, `12.3` in `200 512 - 12.3`: numbers with a fraction, with which no phone number begins or ends. */
const decimal = String.raw`(?:0|[1-9]\d*)\.\d+`;
const leadingDecimals = new RegExp(`^(?:${decimal}(?: (?:- )?|$))+`);
const trailingDecimals = new RegExp(`(?: (?:- )?${decimal})+$`);

/** Digits of the shortest phone number, by notation. */
const shortest = { international: 5, dashed: 6, other: 7 };

/** Numbers written in groups, like phone numbers; the separators are kept. */
export const phones: Spotter = (text, { standIns }) => {
  if (!/\p{Nd}.{0,3}\p{Nd}.{0,3}\p{Nd}/u.test(text)) return [];
  return [...text.matchAll(grouped)].flatMap(({ index, 0: found }) => {
    const before = isInternational(found) ? 0 : (leadingDecimals.exec(found)?.[0].length ?? 0);
    const whole = withoutAmounts(found.slice(before), text.slice(index + found.length));
    const digits = digitsOf(whole);
    const isAbroad = isInternational(whole);
    const fewest = isAbroad ? shortest.international : dashed.test(whole) ? shortest.dashed : shortest.other;
    if (digits.length < fewest || (!isAbroad && /^\p{Nd}+$/u.test(whole))) return [];
    const written = whole.startsWith('00') ? digits.slice(2) : digits;
    const made = (whole.startsWith('00') ? '00' : '') + standIns.digits(written, 'phone');
    return [respelled(index + before, whole, made)];
  });
};

/** The digits of a phone number in any grouping; none if there are too few. */
export function phonePieces(text: string, { standIns }: Identities): readonly Piece[] | undefined {
  const digits = digitsOf(text);
  if (digits.length <= longestKeptNumber || /\p{L}/u.test(text)) return undefined;
  const isWritten00 = digits.startsWith('00');
  const made = standIns.digits(isWritten00 ? digits.slice(2) : digits, 'phone');
  return respelled(0, text, (isWritten00 ? '00' : '') + made).pieces;
}

function isInternational(text: string): boolean {
  return /^\(?\+|^00/.test(text);
}

/** Removes a measured value at the end: `12` of `200 512 - 12 ms`. A number that begins like a phone number is kept whole. */
function withoutAmounts(found: string, after: string): string {
  if (isInternational(found) || /^0\d/.test(found)) return found;
  return found.replace(isMeasured(after) ? lastGroup : '', '').replace(trailingDecimals, '');
}

function digitsOf(text: string): string {
  return text.replaceAll(/\P{Nd}/gu, '');
}

/** Replaces the digits in place; surplus digits are appended to the last group. */
function respelled(index: number, whole: string, digits: string): Spot {
  const groups = [...whole.matchAll(/\p{Nd}+/gu)];
  let used = 0;
  const pieces = groups.map(({ index: at, 0: group }, nth) => {
    const end = nth === groups.length - 1 ? digits.length : used + group.length;
    const piece = { from: index + at, to: index + at + group.length, text: digits.slice(used, end) };
    used = end;
    return piece;
  });
  return { from: index, to: index + whole.length, pieces };
}
