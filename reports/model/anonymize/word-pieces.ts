import type { Piece } from './decoded-text.ts';
import type { Identities } from './identities.ts';
import { fractionPiece, numberPiece } from './numbers.ts';
import { vocabulary } from '../../../specs/vocabulary.ts';

const chunk = /[\p{L}\p{N}\p{M}_][\p{L}\p{N}\p{M}_./-]*/gu;

/** Last labels by which a dotted name is recognised as a host. */
const hostEndings = new Set(
  'com net org info biz eu de at ch fr nl be it es pl cz dk se no fi uk ie pt us ca au in jp io dev app cloud ai co me tech shop online site test example invalid local internal lan corp intern home localdomain svc cluster'.split(
    ' ',
  ),
);

const opaque = /^(?=[^0-9]*[0-9][^0-9]*[0-9])[\w-]{20,}$/;
const hexadecimal = /^(?=.*\d)[0-9a-f]{16,}$/i;
const prefix = /^[a-z]{2,5}[_-](?=[\w-]{8,}$)/;
/** `K-1001`, `P-77`: numbers of customers and cases. */
const caseNumber = /^(\p{Lu}{1,5})-\d{2,}$/u;

/** Replacements of the words and numbers of a string between two positions. */
export function wordPieces(text: string, from: number, to: number, identities: Identities): Piece[] {
  const pieces: Piece[] = [];
  for (const { 0: found, index } of text.slice(from, to).matchAll(chunk)) {
    const whole = found.replace(/[./-]+$/, '');
    split(text, from + index, from + index + whole.length, levels, identities, pieces);
  }
  return pieces;
}

/** Separators from the widest to the narrowest: of paths, hosts and compound names. */
const levels: readonly RegExp[] = [/\//g, /\./g, /[_-]/g];

function split(
  text: string,
  from: number,
  to: number,
  [separator, ...narrower]: readonly RegExp[],
  identities: Identities,
  pieces: Piece[],
): void {
  const part = text.slice(from, to);
  if (part === '') return;
  const { standIns } = identities;
  if (separator === undefined) {
    wordOrNumber(text, from, to, identities, pieces);
    return;
  }
  const known = /[./_-]/.test(part) ? standIns.known(part) : undefined;
  if (known !== undefined) {
    pieces.push({ from, to, text: known });
    return;
  }
  if (!part.includes('/') && isHost(part)) {
    pieces.push({ from, to, text: standIns.host(part) });
    return;
  }
  const letters = caseNumber.exec(part)?.[1] ?? '';
  if (letters.length === 1 || (letters !== '' && !vocabulary().has(letters, false))) {
    pieces.push({ from, to, text: standIns.word(part, 'id') });
    return;
  }
  if (isOpaque(part)) {
    const start = from + (prefix.exec(part)?.[0].length ?? 0);
    const rest = text.slice(start, to);
    pieces.push({ from: start, to, text: hexadecimal.test(rest) ? standIns.hex(rest) : standIns.word(rest, 'id') });
    return;
  }
  let at = from;
  for (const { index } of part.matchAll(separator)) {
    split(text, at, from + index, narrower, identities, pieces);
    at = from + index + 1;
  }
  split(text, at, to, narrower, identities, pieces);
}

/** Library names that look like hosts. */
const dottedNames = new Set(['Socket.IO']);

function isHost(part: string): boolean {
  const labels = part.split('.');
  return (
    !dottedNames.has(part) &&
    labels.length > 1 &&
    labels.every((label) => /^[\p{L}\p{N}-]+$/u.test(label)) &&
    hostEndings.has(labels.at(-1)?.toLowerCase() ?? '')
  );
}

/** Random letters and digits: long, with digits among the letters of one part. */
function isOpaque(part: string): boolean {
  if (!opaque.test(part)) return false;
  return part.split(/[_-]/).some((one) => /\d/.test(one) && /\p{L}/u.test(one) && !vocabulary().has(one, false));
}

/** Letters of a word that identify a compound name (`LookupController`). */
const shortestHump = 3;

function wordOrNumber(text: string, from: number, to: number, identities: Identities, pieces: Piece[]): void {
  const part = text.slice(from, to);
  const { standIns } = identities;
  if (/^\p{Nd}+$/u.test(part)) {
    const piece = isFraction(text, from, to) ? fractionPiece : numberPiece;
    pieces.push(...piece(text, from, to, identities));
    return;
  }
  const starts = beginsSentence(text, from);
  const kept = keeps(part, starts, identities);
  if (kept) return;
  if (/\p{N}/u.test(part)) {
    mixed(text, from, to, identities, pieces);
    return;
  }
  const humps = /^[A-Za-z]+$/.test(part) ? [...part.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)] : [];
  if (humps.length > 1 && humps.some(([hump]) => hump.length >= shortestHump && keeps(hump, true, identities))) {
    for (const { 0: hump, index } of humps) {
      if (keeps(hump, true, identities)) continue;
      pieces.push({ from: from + index, to: from + index + hump.length, text: standIns.word(hump, 'word') });
    }
    return;
  }
  pieces.push({ from, to, text: standIns.word(part, identities.names.get(part.toLowerCase()) ?? 'word') });
}

/** Whether a word is kept: a single letter, or a word of the vocabulary that did not occur as a name. */
function keeps(word: string, starts: boolean, { names, called, terms }: Identities): boolean {
  const lower = word.toLowerCase();
  if (called.has(lower)) return false;
  // Not every "service" is the company called Service.
  if (names.has(lower) && (word !== lower || !vocabulary().has(lower, false))) return false;
  return /^\p{L}\p{M}*$/u.test(word) || /^\p{M}+$/u.test(word) || vocabulary().has(word, starts) || terms.has(word);
}

/** `12000ms`: the unit follows directly. */
const amount = /^\d{1,7}(?:ms|[µun]s|[kKMG]i?B)$/;

/** Letters and digits without a separator: an id, unless it is as short as `A4` or a known word with a number. */
function mixed(text: string, from: number, to: number, identities: Identities, pieces: Piece[]): void {
  const part = text.slice(from, to);
  const { standIns } = identities;
  const known = standIns.known(part);
  if (known !== undefined) {
    pieces.push({ from, to, text: known });
    return;
  }
  if (part.length <= 3 || amount.test(part)) return;
  if (/^\p{Lu}\d{3,}$/u.test(part)) {
    pieces.push({ from, to, text: standIns.word(part, 'id') });
    return;
  }
  if (hexadecimal.test(part)) {
    pieces.push({ from, to, text: standIns.hex(part) });
    return;
  }
  const runs = [...part.matchAll(/\p{N}+|[^\p{N}]+/gu)];
  const isWords = runs.every(([run]) => (/^\p{N}/u.test(run) ? run.length <= 3 : keeps(run, true, identities)));
  if (isWords && runs.length <= 3) return;
  pieces.push({ from, to, text: standIns.word(part, 'id') });
}

/** Whether it follows a decimal point. */
function isFraction(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - longestDecimal), from);
  return /(?<![\p{L}\p{N}._/])\d+\.$/u.test(before) && !/^\.\d/.test(text.slice(to, to + 2));
}

/** Characters before the fraction that are inspected. */
const longestDecimal = 20;

/** No sentence begins after `Mr.` or an initial. */
const title = /(?<![\p{L}\p{N}])(?:\p{Lu}|Mrs?|Ms|Dr|Prof|Hr|Fr|Herrn?|Frau|St)\.\s*$/u;

/** Characters before a word that are inspected. */
const longestTitle = 10;

function beginsSentence(text: string, from: number): boolean {
  if (title.test(text.slice(Math.max(0, from - longestTitle), from))) return false;
  for (let at = from - 1; at >= 0; at--) {
    const before = text.charAt(at);
    if (before === ' ' || before === '"' || before === "'" || before === '“' || before === '(') continue;
    return /[.!?:\n>\]}]/.test(before);
  }
  return true;
}
