import { codePoints } from './json-values.ts';

/** Strings on which receivers are known to fail. All are valid JSON strings without lone surrogates. */
export const AWKWARD_STRINGS: Readonly<Record<string, string>> = {
  space: ' ',
  'right-to-left': '\u0645\u0631\u062d\u0628\u0627 \u202e\u05e9\u05dc\u05d5\u05dd\u202c',
  'combining marks': 'e\u0301a\u0308\u0323 Z\u0351\u036b\u0343',
  'emoji with joiner': '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466} \u{1f44d}\u{1f3fd}',
  astral: '\u{1d54a}\u{20bb7}\u{1f680}',
  'double quote': 'say "hello"',
  'single quote': "O'Brien",
  backslash: 'C:\\new\\table\\',
  'line feed': 'first line\nsecond line',
  'carriage return and line feed': 'first line\r\nsecond line',
  tab: 'left\tright',
  'zero width': 'zero\u200bwidth\u2060joined\u00ad',
  'line separator': 'line\u2028separator',
  'paragraph separator': 'paragraph\u2029separator',
  'byte order mark inside': 'before\ufeffafter',
  'control characters': 'bell\u0007escape\u001b[31mdelete\u007f\u0085',
  html: '<script>alert(1)</script>&amp;<!--',
  sql: "'; DROP TABLE contacts; --",
  template: '${7*7}{{7*7}}%s%n',
  'null as text': 'null',
  'true as text': 'true',
  'number as text': '0',
  'number with exponent as text': '1e5',
  'json as text': '{"text":"inside"}',
  'outer white space': '  padded\u00a0',
  slash: 'a/b//c',
  noncharacter: '\ufffd\uffff',
  'unnormalised and case-folding': '\u212b\u1e9e\u0130\ufb01',
};

/** Names that a map must be able to carry; `__proto__` is added only when asked for. */
export const AWKWARD_NAMES: readonly string[] = [
  'plain',
  'a.b',
  '',
  ' ',
  'constructor',
  'toString',
  '0',
  'a/b~c',
  'quote"d',
  'back\\slash',
  'line\nfeed',
  '\u043a\u043b\u044e\u0447',
  '\u0645\u0641\u062a\u0627\u062d',
  '\u{1f511}',
  '$ref',
  'x'.repeat(64),
];

/** The string cut or repeated to a length in code points. */
export function fitString(text: string, min: number, max: number): string {
  const points = [...text];
  if (points.length > max) return points.slice(0, max).join('');
  if (points.length >= min) return text;
  const filler = points.length === 0 ? ['a'] : points;
  return Array.from({ length: min }, (_, index) => filler[index % filler.length]).join('');
}

/** Every edge of a free string between two lengths: the shortest first, then the longest, then unusual ones. */
export function stringEdges(min: number, max: number, nul: boolean): string[] {
  const longest = fitString('The quick brown fox jumps over the lazy dog. ', max, max);
  const list = [
    fitString('', min, min),
    longest,
    fitString('\u{1f600}', max, max),
    ...Object.values(AWKWARD_STRINGS).map((text) => fitString(text, min, max)),
  ];
  if (nul) list.push(fitString('nul\u0000inside', min, max));
  return [...new Set(list)].filter((text) => codePoints(text) >= min && codePoints(text) <= max);
}

/** Pieces of a random string: mostly plain ones. */
export const STRING_PIECES: readonly string[] = [
  ...'abcdefghijklmnopqrstuvwxyz',
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  ...'       ....,,-',
  ...'äöüßéñçøłžĞşПриветمرحباשלום日本語한국',
  ...'"\'\\/<>&%${}[]()#@!?=+*|~^`;:_',
  ...'\n\r\t\u200b\u200d\u2028\u2029\u0301\u0308\u00a0',
  ...'\u{1f600}\u{1f680}\u{20bb7}',
];
