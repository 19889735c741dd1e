/** A string with layers of escapes decoded, and the way back to the original positions of its characters. */
export interface ReadText {
  text: string;
  /** Original position of the part `from` to `to` in the source text, in whole escapes; UTF-16 units. */
  origin: (from: number, to: number) => { from: number; to: number };
}

/** More layers than any chain of encoders adds; a string crafted with more is not worth the time. */
const mostLayers = 6;

/**
 * One character as an encoder may write it, in any letter case: percent-encoded bytes of UTF-8 or a byte of Latin-1,
 * `\u` and `\x` of JSON and of programs, a sign or one of JSON's letters behind a backslash, an HTML entity.
 */
const escapes = new RegExp(
  [
    '%u[0-9a-f]{4}',
    '%[cd][0-9a-f]%[89ab][0-9a-f]',
    '%e[0-9a-f](?:%[89ab][0-9a-f]){2}',
    '%f[0-7](?:%[89ab][0-9a-f]){3}',
    '%[0-9a-f]{2}',
    String.raw`\\(?:u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}|x[0-9a-f]{2}|[bfnrt!-/:-@[-\x60{-~])`,
    '&(?:#0*[0-9]{1,7}|#x0*[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});',
  ].join('|'),
  'gi',
);

/** The string, and the result of decoding its escapes once, twice and so on, for as long as there are any. */
export function readLayers(text: string): ReadText[] {
  const layers: ReadText[] = [];
  let next: ReadText | undefined = { text, origin: (from, to) => ({ from, to }) };
  while (next) {
    layers.push(next);
    next = layers.length > mostLayers ? undefined : readOnce(next);
  }
  return layers;
}

/** `undefined` when there is nothing to decode. */
function readOnce({ text: source, origin }: ReadText): ReadText | undefined {
  if (!/[%\\&]/.test(source)) return undefined;
  const read: { at: number; width: number; from: number; to: number }[] = [];
  let text = '';
  let copied = 0;
  for (const { 0: escape, index: from } of source.matchAll(escapes)) {
    const character = characterOf(escape.toLowerCase());
    if (character === undefined) continue;
    text += source.slice(copied, from);
    copied = from + escape.length;
    read.push({ at: text.length, width: character.length, from, to: copied });
    text += character;
  }
  if (read.length === 0) return undefined;
  text += source.slice(copied);
  /** Original position of the character at an index. */
  const place = (index: number) => {
    const last = read[countUpTo(read, index) - 1];
    if (last === undefined) return { from: index, to: index + 1 };
    const past = index - last.at - last.width;
    return past < 0 ? last : { from: last.to + past, to: last.to + past + 1 };
  };
  return { text, origin: (from, to) => origin(place(from).from, place(to - 1).to) };
}

/** Number of entries at or before the index. */
function countUpTo(sorted: readonly { at: number }[], index: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.at ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return low;
}

function characterOf(escape: string): string | undefined {
  const first = escape.charAt(0);
  const second = escape.charAt(1);
  const third = escape.charAt(2);
  if (first === '%') {
    if (second === 'u') return fromCode(escape.slice(2), 16);
    if (escape.length === 3) return fromCode(escape.slice(1), 16);
    return Buffer.from(escape.replaceAll('%', ''), 'hex').toString('utf8');
  }
  if (first === '\\') {
    if (escape.length > 2) return fromCode(third === '{' ? escape.slice(3, -1) : escape.slice(2), 16);
    return controls.get(second) ?? second;
  }
  if (second !== '#') return named.get(escape.slice(1, -1));
  return third === 'x' ? fromCode(escape.slice(3, -1), 16) : fromCode(escape.slice(2, -1), 10);
}

function fromCode(digits: string, radix: number): string | undefined {
  const code = parseInt(digits, radix);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

const controls = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** HTML's names of ASCII signs, and of Latin-1 with its small letters alone: secrets are found in any letter case. */
const named = new Map(
  [
    '\tTab \nNewLine !excl "quot #num $dollar %percnt &amp \'apos (lpar )rpar *ast *midast +plus ,comma .period /sol',
    ':colon ;semi <lt =equals >gt ?quest @commat [lsqb [lbrack \\bsol ]rsqb ]rbrack ^Hat _lowbar _UnderBar `grave',
    '`DiacriticalGrave {lcub {lbrace |verbar |vert |VerticalLine }rcub }rbrace ßszlig ×times',
    ...latin1From(
      0xa0,
      'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
        'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest',
    ),
    ...latin1From(
      0xe0,
      'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ' +
        'ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml',
    ),
  ].flatMap((line) => line.split(' ').map((one): [string, string] => [one.slice(1).toLowerCase(), one[0] ?? ''])),
);

/** The names of consecutive characters, each mapped to its character. */
function latin1From(code: number, names: string): string[] {
  return names.split(' ').map((name, index) => String.fromCharCode(code + index) + name);
}
