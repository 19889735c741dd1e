import { readJsonText, sorted, writeJsonText, type JsonStyle } from './json-text.ts';
import type { SchemeId } from './reading.ts';

/** The output of a serialiser for a parsed body. */
export interface Serialiser {
  ids: readonly SchemeId[];
  form?: string;
  weight: number;
  style: JsonStyle;
}

const compact = { between: ',', afterName: ':' };
const spaced = { between: ', ', afterName: ': ' };
const lines = (indent: string) => ({ between: ',', afterName: ': ', indent });

const escape = (character: string, { upper = false } = {}) =>
  Array.from({ length: character.length }, (_, at) => {
    const hex = character.charCodeAt(at).toString(16).padStart(4, '0');
    return `\\u${upper ? hex.toUpperCase() : hex}`;
  }).join('');

const plain = (raw: string) => JSON.stringify(JSON.parse(raw));
const ascii = (raw: string) => plain(raw).replaceAll(/[^\x20-\x7e]/gu, (found) => escape(found));
const upperAscii = (raw: string) => plain(raw).replaceAll(/[^\x20-\x7e]/gu, (found) => escape(found, { upper: true }));
const slashes = (raw: string) => plain(raw).replaceAll('/', '\\/');
const slashesAscii = (raw: string) => ascii(raw).replaceAll('/', '\\/');
const html = (raw: string) => plain(raw).replaceAll(/[<>&\u2028\u2029]/g, (found) => escape(found));
const dotNet = (raw: string) =>
  plain(raw)
    .replaceAll('\\"', '\\u0022')
    .replaceAll(/[<>&'+`]|[^\x20-\x7e]/gu, (found) => escape(found, { upper: true }));

/** Keeps how a number is written; libraries with decimal numbers do. */
const kept = (raw: string) => raw;
const asJavaScript = (raw: string) => JSON.stringify(Number(raw));
const asPython = (raw: string) => {
  if (!/[.eE]/.test(raw)) return raw;
  return Number.isInteger(Number(raw)) ? `${Number(raw)}.0` : String(Number(raw));
};
const asFloats = (raw: string) => (Number.isInteger(Number(raw)) ? `${Number(raw)}.0` : String(Number(raw)));

const python = { number: asPython };
const node = { number: asJavaScript };

/** Output of libraries by default and with common options. */
export const serialisers: readonly Serialiser[] = [
  { ids: ['signature/body-compact'], weight: 40, style: { ...compact, string: plain, ...node } },
  { ids: ['signature/body-compact'], weight: 12, style: { ...compact, string: plain, number: kept } },
  { ids: ['signature/body-compact'], weight: 4, style: { ...compact, string: plain, ...python } },
  { ids: ['signature/body-spaced'], weight: 6, style: { ...spaced, string: plain, ...python } },
  { ids: ['signature/body-spaced'], weight: 2, style: { ...spaced, string: plain, number: kept } },
  { ids: ['signature/body-spaced'], weight: 2, style: { ...spaced, string: plain, ...node } },
  {
    ids: ['signature/body-spaced', 'signature/non-ascii-escaped'],
    form: 'as json.dumps of Python writes',
    weight: 22,
    style: { ...spaced, string: ascii, ...python },
  },
  {
    ids: ['signature/body-spaced', 'signature/non-ascii-escaped'],
    weight: 4,
    style: { ...spaced, string: ascii, ...node },
  },
  { ids: ['signature/non-ascii-escaped'], weight: 6, style: { ...compact, string: ascii, ...python } },
  { ids: ['signature/non-ascii-escaped'], weight: 2, style: { ...compact, string: ascii, number: kept } },
  { ids: ['signature/non-ascii-escaped'], weight: 3, style: { ...compact, string: ascii, ...node } },
  {
    ids: ['signature/non-ascii-escaped'],
    form: 'in upper-case hex',
    weight: 1,
    style: { ...compact, string: upperAscii, ...node },
  },
  {
    ids: ['signature/non-ascii-escaped', 'signature/html-escaped'],
    form: 'as System.Text.Json of .NET writes',
    weight: 5,
    style: { ...compact, string: dotNet, number: kept },
  },
  { ids: ['signature/body-indented'], form: 'by 2', weight: 4, style: { ...lines('  '), string: plain, ...node } },
  { ids: ['signature/body-indented'], form: 'by 4', weight: 1.5, style: { ...lines('    '), string: plain, ...node } },
  {
    ids: ['signature/body-indented'],
    form: 'by a tab',
    weight: 0.5,
    style: { ...lines('\t'), string: plain, ...node },
  },
  { ids: ['signature/body-indented'], form: 'by 2', weight: 1, style: { ...lines('  '), string: plain, ...python } },
  { ids: ['signature/body-indented'], form: 'by 4', weight: 1, style: { ...lines('    '), string: plain, ...python } },
  {
    ids: ['signature/body-indented', 'signature/non-ascii-escaped'],
    form: 'by 2',
    weight: 1,
    style: { ...lines('  '), string: ascii, ...python },
  },
  {
    ids: ['signature/body-indented', 'signature/non-ascii-escaped'],
    form: 'by 4',
    weight: 1,
    style: { ...lines('    '), string: ascii, ...python },
  },
  {
    ids: ['signature/slashes-escaped', 'signature/non-ascii-escaped'],
    form: 'as json_encode of PHP writes',
    weight: 16,
    style: { ...compact, string: slashesAscii, ...python },
  },
  {
    ids: ['signature/slashes-escaped', 'signature/non-ascii-escaped'],
    weight: 1,
    style: { ...compact, string: slashesAscii, ...node },
  },
  { ids: ['signature/slashes-escaped'], weight: 3, style: { ...compact, string: slashes, ...python } },
  { ids: ['signature/slashes-escaped'], weight: 2, style: { ...compact, string: slashes, ...node } },
  { ids: ['signature/body-sorted'], weight: 6, style: { ...compact, order: sorted, string: plain, ...node } },
  { ids: ['signature/body-sorted'], weight: 2, style: { ...compact, order: sorted, string: plain, number: kept } },
  { ids: ['signature/body-sorted'], weight: 2, style: { ...compact, order: sorted, string: plain, ...python } },
  {
    ids: ['signature/body-sorted', 'signature/html-escaped'],
    form: 'as a map that Go writes',
    weight: 5,
    style: { ...compact, order: sorted, string: html, ...node },
  },
  { ids: ['signature/html-escaped'], weight: 3, style: { ...compact, string: html, ...node } },
  { ids: ['signature/html-escaped'], weight: 1, style: { ...compact, string: html, number: kept } },
  {
    ids: ['signature/body-sorted', 'signature/body-spaced'],
    weight: 1.5,
    style: { ...spaced, order: sorted, string: plain, ...python },
  },
  {
    ids: ['signature/body-sorted', 'signature/body-spaced'],
    weight: 0.5,
    style: { ...spaced, order: sorted, string: plain, ...node },
  },
  {
    ids: ['signature/body-sorted', 'signature/non-ascii-escaped'],
    weight: 2,
    style: { ...compact, order: sorted, string: ascii, ...python },
  },
  {
    ids: ['signature/body-sorted', 'signature/non-ascii-escaped'],
    weight: 1,
    style: { ...compact, order: sorted, string: ascii, ...node },
  },
  {
    ids: ['signature/body-sorted', 'signature/slashes-escaped'],
    weight: 0.5,
    style: { ...compact, order: sorted, string: slashes, ...node },
  },
  {
    ids: ['signature/body-sorted', 'signature/body-indented'],
    weight: 0.5,
    style: { ...lines('  '), order: sorted, string: plain, ...node },
  },
  {
    ids: ['signature/body-sorted', 'signature/body-spaced', 'signature/non-ascii-escaped'],
    form: 'as json.dumps of Python writes with sort_keys',
    weight: 3,
    style: { ...spaced, order: sorted, string: ascii, ...python },
  },
  {
    ids: ['signature/body-sorted', 'signature/body-spaced', 'signature/non-ascii-escaped'],
    weight: 1,
    style: { ...spaced, order: sorted, string: ascii, ...node },
  },
  {
    ids: ['signature/numbers-rewritten'],
    form: 'whole numbers with .0',
    weight: 1.5,
    style: { ...compact, string: plain, number: asFloats },
  },
];

/** The text of a body, parsed and written again. Throws SyntaxError for bytes that are not JSON. */
export function serialise(text: string, style: JsonStyle): string {
  return writeJsonText(readJsonText(text), style);
}

/** Changes strings and numbers of a JSON text and nothing between them. */
export function rewrite(text: string, { string, number }: Partial<Pick<JsonStyle, 'string' | 'number'>>): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (raw) =>
    raw.startsWith('"') ? (string?.(raw) ?? raw) : (number?.(raw) ?? raw),
  );
}

/** Ways in which single strings and numbers are written otherwise, for {@link rewrite}. */
export const tokens = {
  nonAsciiEscaped: (raw: string) => raw.replaceAll(/[^\x20-\x7e]/gu, (found) => escape(found)),
  slashesEscaped: (raw: string) => raw.replaceAll(/(?<!\\)\//g, '\\/'),
  slashesUndone: (raw: string) => raw.replaceAll('\\/', '/'),
  unicodeUndone: (raw: string) =>
    raw.replaceAll(/(?:\\u[0-9a-fA-F]{4})+/g, (found) => {
      const text = JSON.parse(`"${found}"`) as string;
      return JSON.stringify(text) === `"${text}"` ? text : found;
    }),
  htmlEscaped: (raw: string) => raw.replaceAll(/[<>&]/g, (found) => escape(found)),
  numbersOfJavaScript: asJavaScript,
} as const;
