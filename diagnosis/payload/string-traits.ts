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

/** All known traits. A string without any of them is plain ASCII. */
export const stringTraits: readonly StringTrait[] = [
  {
    id: 'payload/astral-characters',
    words: 'a character beyond U+FFFF, such as an emoji',
    piece: '\u{1f331}',
    test: /[\u{10000}-\u{10ffff}]/u,
  },
  {
    id: 'payload/non-ascii-characters',
    words: 'letters with accents, such as \u00e4 or \u00e9',
    piece: '\u00e4\u00f6\u00fc\u00df\u00e9',
    test: /[\u00a1-\u00ac\u00ae-\u024f]/,
  },
  {
    id: 'payload/non-ascii-characters',
    words: 'letters of another script, such as Arabic or Japanese',
    piece: '\u0645\u0631\u062d\u0628\u0627 \u65b0',
    test: /[\u0250-\u200a\u2030-\u205e\u2070-\ud7ff\uf900-\ufefe]/,
  },
  { id: 'payload/quotes', words: "a single quote, as in O'Brien", piece: "O'Brien", test: /'/ },
  { id: 'payload/quotes', words: 'double quotes', piece: 'so "called"', test: /"/ },
  { id: 'payload/backslash', words: 'a backslash', piece: 'C:\\new', test: /\\/ },
  { id: 'payload/line-ends', words: 'a line feed', piece: 'one\ntwo', test: /(?<!\r)\n/ },
  { id: 'payload/line-ends', words: 'a carriage return', piece: 'one\r\ntwo', test: /\r/ },
  { id: 'payload/line-ends', words: 'a tab', piece: 'one\ttwo', test: /\t/ },
  { id: 'payload/markup', words: 'HTML, such as <b> or &amp;', piece: '<b>bold</b> &amp;', test: /<\w|&\w+;/ },
  {
    id: 'payload/markup',
    words: 'what looks like SQL, such as DROP TABLE',
    piece: '; DROP TABLE contacts; --',
    test: /drop table|select \*|--/i,
  },
  {
    id: 'payload/markup',
    words: 'what looks like a template, such as {{7*7}}',
    piece: '{{7*7}} ${x} %s%n',
    test: /\{\{|\$\{|%[sn]/,
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
