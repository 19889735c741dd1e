import type { CauseId } from '../causes.ts';

/** A trait of strings that is known to break receivers. */
export interface StringTrait {
  id: CauseId;
  /** Completes "a string with". */
  words: string;
  /** A short string with only this trait. */
  piece: string;
  /** Matches strings with this trait. */
  test: RegExp;
}

/** Characters outside ASCII, by the class that an encoding, column or font lacks. */
export const unicodeTraits = {
  accents: {
    id: 'payload/non-ascii-characters',
    words: 'letters with accents, such as \u00e4 or \u00e9',
    piece: '\u00e4\u00f6\u00fc\u00df\u00e9',
    test: /[\u00a1-\u00ac\u00ae-\u00ff]/,
  },
  scripts: {
    id: 'payload/non-latin-1-characters',
    words: 'characters outside Latin-1, such as \u0142, \u0436 or \u65b0',
    piece: '\u0142\u0436\u65b0',
    test: /[\u0100-\u058f\u0700-\u200a\u2030-\u205e\u2070-\ud7ff\uf900-\ufb1c\ufe00-\ufefe]/,
  },
  astral: {
    id: 'payload/astral-characters',
    words: 'a character beyond U+FFFF, such as an emoji',
    piece: '\u{1f331}',
    test: /[\u{10000}-\u{10ffff}]/u,
  },
  joined: {
    id: 'payload/invisible-characters',
    words: 'an emoji that is joined of several with U+200D',
    piece: '\u{1f469}\u200d\u{1f467}',
    test: /\u200d/,
  },
  rightToLeft: {
    id: 'payload/right-to-left-letters',
    words: 'letters that are written from right to left, such as Arabic or Hebrew',
    piece: '\u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd',
    test: /[\u0590-\u06ff\ufb1d-\ufdff]/,
  },
} as const satisfies Record<string, StringTrait>;

/** Every character outside ASCII. */
export const nonAscii: StringTrait = {
  ...unicodeTraits.accents,
  words: 'characters outside ASCII, such as \u00e4, \u0436 or \u65b0',
  test: /[^\0-\x7f]/u,
};

/** Every character outside Latin-1. */
export const nonLatin1: StringTrait = { ...unicodeTraits.scripts, test: /[^\0-\xff]/u };

/** All known traits. A string without any of them is plain ASCII. */
export const stringTraits: readonly StringTrait[] = [
  ...Object.values(unicodeTraits),
  { id: 'payload/quotes', words: "a single quote, as in O'Brien", piece: "O'Brien", test: /'/ },
  { id: 'payload/quotes', words: 'double quotes', piece: 'so "called"', test: /"/ },
  { id: 'payload/backslash', words: 'a backslash', piece: 'C:\\new', test: /\\/ },
  { id: 'payload/line-ends', words: 'a line feed', piece: 'one\ntwo', test: /(?<!\r)\n/ },
  { id: 'payload/line-ends', words: 'a carriage return', piece: 'one\r\ntwo', test: /\r/ },
  { id: 'payload/line-ends', words: 'a tab', piece: 'one\ttwo', test: /\t/ },
  { id: 'payload/markup', words: 'HTML, such as <b> or &amp;', piece: '<b>bold</b> &amp;', test: /<\w|&\w+;/ },
  { id: 'payload/markup', words: 'a script tag, such as <script>', piece: '<script>', test: /<script/i },
  {
    id: 'payload/markup',
    words: 'a bare & or <, as in R&D < 5',
    piece: 'R&D < 5',
    test: /&(?!\w+;)|<(?![\w/])/,
  },
  {
    id: 'payload/markup',
    words: 'what looks like SQL, such as DROP TABLE',
    piece: '; DROP TABLE contacts; --',
    test: /drop table|select \*|--/i,
  },
  { id: 'payload/format-characters', words: 'a brace', piece: '{name}', test: /\{/ },
  { id: 'payload/format-characters', words: 'a percent sign', piece: '50% of', test: /%/ },
  { id: 'payload/format-characters', words: 'a dollar sign', piece: '$x', test: /\$/ },
  {
    id: 'payload/markup',
    words: 'what looks like a template, such as {{7*7}} or ${x}',
    piece: '{{7*7}} ${x}',
    test: /\{\{|\$\{/,
  },
  {
    id: 'payload/invisible-characters',
    words: 'a joiner or direction mark, such as U+200B or U+202E',
    piece: 'a\u200bb\u202e\u202cc',
    test: /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/,
  },
  { id: 'payload/invisible-characters', words: 'a line separator (U+2028)', piece: 'a\u2028b', test: /[\u2028\u2029]/ },
  {
    id: 'payload/invisible-characters',
    words: 'a control character, such as U+0007',
    piece: 'a\u0007b\u007f',
    // eslint-disable-next-line no-control-regex -- they are the trait
    test: /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/,
  },
  { id: 'payload/outer-space', words: 'white space around it', piece: '  padded  ', test: /^\s|\s$/ },
];

/** A string with every trait. */
export const everyTrait = ` ${stringTraits
  .slice(0, -1)
  .map(({ piece }) => piece)
  .join(' ')} `;

/** A string with certain traits and no others. */
export function stringWith(traits: readonly StringTrait[]): string {
  const outer = traits.some(({ id }) => id === 'payload/outer-space');
  const inner = `Anna ${traits
    .filter(({ id }) => id !== 'payload/outer-space')
    .map(({ piece }) => piece)
    .join(' ')}`.trim();
  return outer ? `  ${inner}  ` : `${inner}.`;
}
