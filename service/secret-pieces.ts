import { condenseText } from './condense-text.ts';
import { allForms } from './encode-secret.ts';
import { foldCase } from './fold-case.ts';
import { informativeCharacters } from './secret-strength.ts';

/** A secret, or a part of one, within a string: from `from` up to, not including, `to`, in UTF-16 units. */
export interface FoundSecret {
  from: number;
  to: number;
  name: string;
}

/**
 * Shortest part of a secret that is redacted, in characters. Endpoints echo cut or prefixed tokens back; shorter parts
 * occur in ordinary text and would only make evidence unreadable.
 */
export const shortestPiece = 8;
/** Characters of a part that must set it apart from our words: `crm-toke` is a part of many tokens. */
const leastInformativeCharacters = 4;

/** The pieces of the forms of one secret: each as long as the shortest one that is redacted. */
interface Pieces {
  pieces: string[];
  /** Hashes of the parts of these pieces. */
  hashes: number[];
}

interface PiecesOfForms {
  written: Pieces;
  condensed: Pieces;
}

/** Most secrets whose pieces are kept: a process makes many redactions of the same few secrets. */
const mostKept = 200;
const keptPieces = new Map<string, PiecesOfForms>();

/** The pieces of all forms of a secret, as written and without the separators between its characters. */
export function piecesOfForms(secret: string): PiecesOfForms {
  const known = keptPieces.get(secret);
  if (known) return known;
  const written = new PieceCollector();
  const condensed = new PieceCollector();
  const add = (form: string, informative?: readonly boolean[]) => {
    written.add(foldCase(form), informative);
    const short = condenseText({ text: form, origin: (from, to) => ({ from, to }) });
    const marks =
      short && informative && Array.from(short.text, (_, at) => informative[short.origin(at, at + 1).from] === true);
    condensed.add(short?.text ?? foldCase(form), marks ?? informative);
  };
  const { plain, encoded } = allForms(secret);
  for (const form of plain) add(form, informativeCharacters(form));
  for (const form of encoded) add(form);
  const made = { written: written.collected(), condensed: condensed.collected() };
  if (keptPieces.size === mostKept) keptPieces.clear();
  keptPieces.set(secret, made);
  return made;
}

class PieceCollector {
  readonly #pieces = new Set<string>();
  readonly #hashes = new Set<number>();

  /** @param informative marks the characters that distinguish the secret; default: all */
  add(folded: string, informative?: readonly boolean[]): void {
    for (let at = 0; at + shortestPiece <= folded.length; at++) {
      const marks = informative?.slice(at, at + shortestPiece);
      if (marks && marks.filter(Boolean).length < leastInformativeCharacters) continue;
      this.#pieces.add(folded.slice(at, at + shortestPiece));
    }
    for (let at = 0; at + partLength <= folded.length; at++) this.#hashes.add(partHash(folded, at));
  }

  collected(): Pieces {
    return { pieces: [...this.#pieces], hashes: [...this.#hashes] };
  }
}

/** Pieces of secrets, all of one length, and where they occur. */
export class SecretPieces {
  readonly #names = new Map<string, string>();
  /** Existing beginnings, ends and middles of pieces, four characters each, by their hash: a bit for each. */
  readonly #parts = new Uint32Array(1 << (partBits - 5));

  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  add({ pieces, hashes }: Pieces, name: string): void {
    for (const piece of pieces) this.#names.set(piece, name);
    for (const hash of hashes) this.#parts[hash >>> 5] = (this.#parts[hash >>> 5] ?? 0) | (1 << (hash & 31));
  }

  find(folded: string): FoundSecret[] {
    const found: FoundSecret[] = [];
    if (this.isEmpty) return found;
    // Every piece has a whole part at one of these places: one comparison each is enough for most strings.
    const step = shortestPiece - partLength + 1;
    for (let part = 0; part + partLength <= folded.length; part += step) {
      const hash = partHash(folded, part);
      if (((this.#parts[hash >>> 5] ?? 0) & (1 << (hash & 31))) === 0) continue;
      for (let at = Math.max(0, part - step + 1); at <= part; at++) this.#findAt(folded, at, found);
    }
    return found;
  }

  #findAt(folded: string, from: number, found: FoundSecret[]): void {
    const name = this.#names.get(folded.slice(from, from + shortestPiece));
    if (name === undefined) return;
    const to = from + shortestPiece;
    const last = found.at(-1);
    if (last && from < last.to) last.to = to;
    else found.push({ from, to, name });
  }
}

const partLength = 4;
/** Bits of a chunk's hash: with all forms of five secrets one place in ten is occupied. */
const partBits = 18;

function partHash(text: string, at: number): number {
  const units =
    text.charCodeAt(at) ^
    (text.charCodeAt(at + 1) << 8) ^
    (text.charCodeAt(at + 2) << 16) ^
    (text.charCodeAt(at + 3) << 24);
  return Math.imul(units, 0x9e3779b1) >>> (32 - partBits);
}
