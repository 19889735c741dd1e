/** Kind of a word, which its stand-in shows. */
export type WordKind = 'person' | 'place' | 'company' | 'skill' | 'word' | 'id';

const stems: Readonly<Record<WordKind, readonly [plain: string, accented: string, astral: string]>> = {
  person: ['Name', 'Näme', 'N𝒂me'],
  place: ['Place', 'Pläce', 'Pl𝒂ce'],
  company: ['Company', 'Cömpany', 'C𝒐mpany'],
  skill: ['skill', 'skïll', 'sk𝒊ll'],
  word: ['word', 'wörd', 'w𝒐rd'],
  id: ['id', 'ïd', '𝒊d'],
};

/** Longer words keep their length, since the length may violate a rule. */
const longWord = 24;

/** Makes stand-ins; the same original gets the same one everywhere. */
export class StandIns {
  readonly #known = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  /** Digits in the report, which no stand-in repeats. */
  readonly #digits: ReadonlySet<string>;

  constructor(digitsOfReport: ReadonlySet<string>) {
    this.#digits = digitsOfReport;
  }

  /** The stand-in of a string that has one. */
  known(original: string): string | undefined {
    return this.#known.get(fold(original));
  }

  /** A word that shows its kind and whether the original had letters beyond ASCII or beyond the basic plane. */
  word(original: string, kind: WordKind): string {
    return this.#standIn(original, () => {
      // eslint-disable-next-line no-control-regex -- the whole of ASCII
      const form = /^[\x00-\x7f]*$/.test(original) ? 0 : /[\u{10000}-\u{10ffff}]/u.test(original) ? 2 : 1;
      const made = `${stems[kind][form]}-${this.#next(kind)}`;
      return original.length > longWord && kind === 'word' ? made.padEnd(original.length, 'x') : made;
    });
  }

  /** A reserved host name (RFC 2606) or IP address (RFC 5737, RFC 3849). */
  host(original: string): string {
    return this.#standIn(original, () => {
      if (/^\[?[0-9a-f.]*:[0-9a-f:.]*\]?$/i.test(original)) {
        const address = `2001:db8::${this.#next('host6').toString(16)}`;
        return original.startsWith('[') ? `[${address}]` : address;
      }
      if (!/^\d+(\.\d+){3}$/.test(original)) return `host-${this.#next('host')}.example`;
      const at = this.#next('host4');
      return `203.0.${113 + Math.floor(at / 254)}.${1 + (at % 254)}`;
    });
  }

  /** The part of a mail address before the @. */
  mailbox(original: string): string {
    return this.#standIn(`${original}@`, () => `mail-${this.#next('mail')}`);
  }

  uuid(original: string): string {
    return this.#standIn(original, () => `00000000-0000-4000-8000-${padded(this.#next('uuid').toString(16), 12)}`);
  }

  /** The same number of hexadecimal digits. */
  hex(original: string): string {
    return this.#standIn(original, () => padded(this.#next('hex').toString(16), original.length));
  }

  /** The same number of digits, or more when these are used up; a phone number gets an unassigned country code. */
  digits(original: string, kind: 'number' | 'phone'): string {
    return this.#standIn(original, () => {
      const zeros = /^0{0,2}/.exec(original)?.[0] ?? '';
      const lead = zeros + (kind === 'phone' ? '999' : '9');
      for (;;) {
        const count = String(this.#next(`${kind} ${original.length}`));
        const made = lead + padded(count, Math.max(0, original.length - lead.length));
        if (!this.#digits.has(made)) return made;
      }
    });
  }

  /** A day of the year 1900, `1900-01-07`; then of later years. */
  day(original: string): string {
    return this.#standIn(original, () => new Date(Date.UTC(1900, 0, this.#next('day'))).toISOString().slice(0, 10));
  }

  #standIn(original: string, make: () => string): string {
    const key = fold(original);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#known.set(key, made);
    return made;
  }

  #next(kind: string): number {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return count;
  }
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

function padded(text: string, length: number): string {
  return text.padStart(length, '0');
}
