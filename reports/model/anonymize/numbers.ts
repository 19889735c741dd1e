import { limits } from '../../../specs/limits.ts';
import type { Piece } from './decoded-text.ts';
import type { Identities } from './identities.ts';
import { isNearTime } from './times.ts';

/** Numbers with fewer digits stay: statuses, counts, hours. They tell nobody from anybody. */
export const longestKeptNumber = 3;

/** Close codes of WebSocket connections (RFC 6455, 7.4.1). */
const closeCodes = Array.from({ length: 16 }, (_, at) => String(1000 + at));

/** Of Europe in log lines, `+0100`. */
const zones = ['0000', '0100', '0200'];

/** Symbols, and words that stand behind no number of a customer; `s.` may be an abbreviation. */
const unit =
  /^\s?(?:ms|milliseconds?|[µun]s|s(?!\.\s?\p{L})|bytes?|[kKMG]i?B|characters?|code points?|UTF-16|%)(?![\p{L}\p{N}])/u;
const nameBefore = /\b(?:(?:close|exit|error|status) code|status|port|limit|version|RFC)\s$/i;
/** Digits of the longest number that the name before it explains, as of a port, and that the unit behind it does. */
const longestNamed = 5;
const longestAmount = 7;
/** Digits of a fraction that stay: a place on earth is told to a hundred metres by them. */
const longestFraction = 3;

/** Numbers that mean the same for everybody: limits of the interface, bounds of number types, years near the run. */
export function wellKnownNumbers(startedAt: string, seeds: readonly number[]): ReadonlySet<string> {
  const year = new Date(startedAt).getUTCFullYear();
  const bounds = Array.from({ length: 65 }, (_, power) => 2n ** BigInt(power));
  const tens = Array.from({ length: 20 }, (_, power) => 10n ** BigInt(power));
  const stated = Object.values(limits).flatMap((limit) => (typeof limit === 'number' ? [BigInt(limit)] : []));
  const around = [...bounds, ...tens, ...stated].flatMap((number) => [number - 1n, number, number + 1n]);
  return new Set([...around, ...seeds, year - 1, year, year + 1].map(String).concat(closeCodes, zones, '0123456789'));
}

/** A number that stands by itself. Short ones, amounts and those that mean the same for everybody stay. */
export function numberPiece(text: string, from: number, to: number, identities: Identities): Piece[] {
  const digits = text.slice(from, to);
  if (digits.length <= longestKeptNumber || identities.wellKnown.has(digits)) return [];
  if (digits.length === 13 && isNearTime(Number(digits), identities)) return [];
  if (identities.standIns.known(digits) === undefined && isAmount(text, from, to)) return [];
  return [{ from, to, text: identities.standIns.digits(digits, 'number') }];
}

/**
 * The digits behind the point of a decimal number. Many of them tell a place on earth, or a customer from another; they
 * stay if a unit stands behind.
 */
export function fractionPiece(text: string, from: number, to: number, { standIns }: Identities): Piece[] {
  const digits = text.slice(from, to);
  if (digits.length <= longestFraction || /^0*$/.test(digits) || isMeasured(text.slice(to, to + 20))) return [];
  return [{ from, to, text: standIns.digits(digits, 'number') }];
}

/** A unit stands at the beginning of a text, which is what stands behind a number. */
export function isMeasured(after: string): boolean {
  return unit.test(after);
}

/** What stands around a number says that it is an amount or a code, and no id. */
function isAmount(text: string, from: number, to: number): boolean {
  const length = to - from;
  const after = text.slice(to, to + 20).replace(/^\.\d+/, '');
  return (
    (length <= longestAmount && isMeasured(after)) ||
    (length <= longestNamed && nameBefore.test(text.slice(Math.max(0, from - 16), from)))
  );
}
