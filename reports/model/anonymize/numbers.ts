import { limits } from '../../../specs/limits.ts';
import type { Piece } from './decoded-text.ts';
import type { Identities } from './identities.ts';
import { isNearTime } from './times.ts';

/** Numbers with at most so many digits are kept: statuses, counts, hours. They identify no one. */
export const longestKeptNumber = 3;

/** Close codes of WebSocket connections (RFC 6455, 7.4.1). */
const closeCodes = Array.from({ length: 16 }, (_, at) => String(1000 + at));

/** European time zones in log lines, `+0100`. */
const zones = ['0000', '0100', '0200'];

/** Units, as symbols or words that never follow a customer's number; `s.` may be an abbreviation. */
const unit =
  /^\s?(?:ms|milliseconds?|[µun]s|s(?!\.\s?\p{L})|bytes?|[kKMG]i?B|characters?|code points?|UTF-16|%)(?![\p{L}\p{N}])/u;
const nameBefore = /\b(?:(?:close|exit|error|status) code|status|port|limit|version|RFC)\s$/i;
/** Digits of the longest number that is explained by a name before it (such as a port), or by a unit after it. */
const longestNamed = 5;
const longestAmount = 7;
/** Digits of a fraction that are kept: they locate a place to about a hundred metres. */
const longestFraction = 3;

/** Numbers of general meaning: limits of the interface, bounds of number types, years near the run. */
export function wellKnownNumbers(startedAt: string, seeds: readonly number[]): ReadonlySet<string> {
  const year = new Date(startedAt).getUTCFullYear();
  const bounds = Array.from({ length: 65 }, (_, power) => 2n ** BigInt(power));
  const tens = Array.from({ length: 20 }, (_, power) => 10n ** BigInt(power));
  const stated = Object.values(limits).flatMap((limit) => (typeof limit === 'number' ? [BigInt(limit)] : []));
  const around = [...bounds, ...tens, ...stated].flatMap((number) => [number - 1n, number, number + 1n]);
  return new Set([...around, ...seeds, year - 1, year, year + 1].map(String).concat(closeCodes, zones, '0123456789'));
}

/** A separate number. Short numbers, amounts and numbers of general meaning are kept. */
export function numberPiece(text: string, from: number, to: number, identities: Identities): Piece[] {
  const digits = text.slice(from, to);
  if (digits.length <= longestKeptNumber || identities.wellKnown.has(digits)) return [];
  if (digits.length === 13 && isNearTime(Number(digits), identities)) return [];
  if (identities.standIns.known(digits) === undefined && isAmount(text, from, to)) return [];
  return [{ from, to, text: identities.standIns.digits(digits, 'number') }];
}

/**
 * The digits after the decimal point. Many digits can identify a place or a customer; they are kept if a unit follows.
 */
export function fractionPiece(text: string, from: number, to: number, { standIns }: Identities): Piece[] {
  const digits = text.slice(from, to);
  if (digits.length <= longestFraction || /^0*$/.test(digits) || isMeasured(text.slice(to, to + 20))) return [];
  return [{ from, to, text: standIns.digits(digits, 'number') }];
}

/** Whether the text after a number starts with a unit. */
export function isMeasured(after: string): boolean {
  return unit.test(after);
}

/** Whether the text around a number shows that it is an amount or a code, not an id. */
function isAmount(text: string, from: number, to: number): boolean {
  const length = to - from;
  const after = text.slice(to, to + 20).replace(/^\.\d+/, '');
  return (
    (length <= longestAmount && isMeasured(after)) ||
    (length <= longestNamed && nameBefore.test(text.slice(Math.max(0, from - 16), from)))
  );
}
