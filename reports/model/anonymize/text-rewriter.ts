import { decodeText, withPieces, type Piece } from './decoded-text.ts';
import { learnCalled, learnNames, learnTerm, type Identities } from './identities.ts';
import { jsonTokens, type JsonToken } from './json-tokens.ts';
import { isDuration, fieldKind, namesPerson, type FieldKind } from './field-kinds.ts';
import { fractionPiece, numberPiece } from './numbers.ts';
import { phonePieces } from './phones.ts';
import { findSpots } from './find-spots.ts';
import { dayPieces } from './times.ts';
import { vocabulary } from '../../../specs/vocabulary.ts';
import { wordPieces } from './word-pieces.ts';

/** Puts stand-ins into the strings of one report. */
export class TextRewriter {
  readonly #identities: Identities;
  /** Results by string: names of fields, headers and sentences repeat. */
  readonly #done = new Map<string, string>();

  constructor(identities: Identities) {
    this.#identities = identities;
  }

  /** Learns the names in a JSON string; other strings do not show where names are. */
  learn(text: string): void {
    for (const { role, text: inside, field, neighbours } of jsonTokens(text) ?? []) {
      const kind = role === 'text' && field !== undefined ? fieldKind(field, neighbours) : undefined;
      if (isNameKind(kind) || kind === 'skill') learnNames(this.#identities, decodeText(inside, true).text, kind);
      if (field !== undefined && kind === 'person') {
        learnCalled(this.#identities, decodeText(inside, true).text, namesPerson(field));
      }
      if (kind === 'term') learnTerm(this.#identities, inside);
    }
  }

  /** Rewrites a string of any form; equal strings give equal results. */
  text(text: string, kind?: FieldKind): string {
    const tokens = kind === undefined ? jsonTokens(text) : undefined;
    return tokens ? this.#json(tokens) : this.#plain(text, kind, false);
  }

  /** Rewrites the JSON text of a field's value; other text is treated as a plain string. */
  value(text: string, field: string): string {
    const tokens = jsonTokens(text, field);
    return tokens ? this.#json(tokens) : this.text(text);
  }

  /** Rewrites the name of a field; the names of the interface are kept, even when a person has such a name. */
  field(name: string): string {
    return vocabulary().isField(name) ? name : this.text(name);
  }

  #json(tokens: readonly JsonToken[]): string {
    return tokens.map((token) => this.#token(token)).join('');
  }

  #token({ role, text, field, neighbours }: JsonToken): string {
    if (role === 'mark') return text;
    if (role === 'literal') return this.#literal(text, field);
    if (role === 'field' && vocabulary().isField(text)) return text;
    return this.#plain(text, field === undefined ? undefined : fieldKind(field, neighbours), true);
  }

  #literal(text: string, field = ''): string {
    if (/^(?:true|false|null)$/.test(text)) return text;
    const [, sign = '', whole, point = '', fraction = '', rest = ''] =
      /^(-?)(\d+)(?:(\.)(\d+))?(e[+-]?\d+)?$/i.exec(text) ?? [];
    if (whole === undefined) return this.#plain(text, undefined, false);
    const [piece] = numberPiece(whole, 0, whole.length, this.#identities);
    const [part] = isDuration(field) ? [] : fractionPiece(fraction, 0, fraction.length, this.#identities);
    return sign + (piece?.text ?? whole) + point + (part?.text ?? fraction) + rest;
  }

  #plain(raw: string, kind: FieldKind | undefined, isJson: boolean): string {
    const key = `${kind ?? ''} ${isJson ? 'json' : 'text'} ${raw}`;
    let done = this.#done.get(key);
    if (done === undefined) {
      const decoded = decodeText(raw, isJson);
      done = withPieces(raw, decoded, piecesOf(decoded.text, kind, this.#identities));
      this.#done.set(key, done);
    }
    return done;
  }
}

function piecesOf(text: string, kind: FieldKind | undefined, identities: Identities): readonly Piece[] {
  if (kind === 'phone') {
    const phone = phonePieces(text, identities);
    if (phone) return phone;
  }
  const pieces = spottedPieces(text, isNameKind(kind) ? kind : undefined, identities);
  if (kind === 'day') return withDays(pieces, dayPieces(text, identities));
  return kind === 'id' && isIdentifying(text, pieces) ? [wholePiece(text, identities)] : pieces;
}

type NameKind = 'person' | 'place' | 'company';

function isNameKind(kind: FieldKind | undefined): kind is NameKind {
  return kind === 'person' || kind === 'place' || kind === 'company';
}

function spottedPieces(text: string, kind: NameKind | undefined, identities: Identities): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const between = (from: number, to: number) => {
    pieces.push(...(kind ? namePieces(text, from, to, kind, identities) : wordPieces(text, from, to, identities)));
  };
  for (const { from, to, pieces: own } of findSpots(text, identities)) {
    between(at, from);
    pieces.push(...own);
    at = to;
  }
  between(at, text.length);
  return pieces;
}

/** In the place of a name, every word is part of the name. */
function namePieces(text: string, start: number, end: number, kind: NameKind, identities: Identities): Piece[] {
  return [...text.slice(start, end).matchAll(/\p{L}[\p{L}\p{M}]*|\d+/gu)].flatMap(({ 0: word, index }) => {
    const [from, to] = [start + index, start + index + word.length];
    if (/^\d/.test(word)) return numberPiece(text, from, to, identities);
    return [{ from, to, text: identities.standIns.word(word, kind) }];
  });
}

/** Whether an id is still identifying: it contains a number, or nothing of it was replaced. */
function isIdentifying(text: string, pieces: readonly Piece[]): boolean {
  if (/\s/.test(text) || /^\d*$/.test(text)) return false;
  let left = '';
  let at = 0;
  for (const { from, to } of pieces) {
    left += text.slice(at, from);
    at = to;
  }
  left += text.slice(at);
  return /\d/.test(left) && !/^v?\d$/.test(text);
}

function wholePiece(text: string, { standIns }: Identities): Piece {
  return { from: 0, to: text.length, text: standIns.word(text, 'id') };
}

function withDays(pieces: readonly Piece[], days: readonly Piece[]): Piece[] {
  const others = pieces.filter(({ from, to }) => days.every((day) => to <= day.from || from >= day.to));
  return [...others, ...days].sort((a, b) => a.from - b.from);
}
