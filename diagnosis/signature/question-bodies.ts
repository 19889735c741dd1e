import { readJsonText, writeJsonText, sorted } from './json-text.ts';

/** The notation of a body, which some transformations change and others do not. */
export interface BodyShape {
  spaces?: 'odd' | 'lines' | 'crlf';
  /** Fields are sorted by name. */
  sorted?: true;
  /** Non-ASCII characters, verbatim and as `\u` escapes. */
  nonAscii?: true;
  escapes?: true;
  /** `/`, verbatim and as `\/`. */
  slashes?: true;
  escapedSlashes?: true;
  /** `<`, `>` and `&`. */
  html?: true;
  /** Numbers in a notation other than that of JavaScript. */
  numbers?: true;
  /** Bytes as in URLs, with percent signs. */
  percent?: true;
  /** A letter with a combining mark. */
  decomposed?: true;
  before?: string;
  after?: string;
}

/** Unchanged by any re-serialisation, decoding or trimming. */
export const plainShape: BodyShape = { sorted: true };

/** Changed by each of them. */
export const richShape: BodyShape = {
  spaces: 'crlf',
  nonAscii: true,
  escapes: true,
  slashes: true,
  escapedSlashes: true,
  html: true,
  percent: true,
  numbers: true,
  decomposed: true,
  before: '\n ',
  after: ' \n\n',
};

/** Bodies that distinguish readings: each has some of the features, so that questions can bisect the rest. */
export const shapes: readonly BodyShape[] = [
  plainShape,
  richShape,
  {},
  { sorted: true, nonAscii: true },
  { sorted: true, spaces: 'odd' },
  { sorted: true, spaces: 'lines' },
  { sorted: true, spaces: 'crlf' },
  { sorted: true, after: '\n' },
  { sorted: true, after: ' \n\n' },
  { sorted: true, before: ' \n', after: ' ' },
  { sorted: true, slashes: true },
  { sorted: true, escapedSlashes: true },
  { sorted: true, escapes: true },
  { sorted: true, html: true },
  { sorted: true, percent: true },
  { sorted: true, numbers: true },
  { sorted: true, decomposed: true },
  { nonAscii: true, slashes: true, html: true },
  { spaces: 'odd', nonAscii: true, slashes: true, escapes: true, after: '\n' },
  { spaces: 'lines', html: true, numbers: true },
  { nonAscii: true, numbers: true, after: '\n' },
  { sorted: true, spaces: 'odd', escapes: true, escapedSlashes: true },
  { spaces: 'crlf', numbers: true, after: '\r\n' },
];

const escapedLetter = '\ue001';
const escapedSlash = '\ue000';
const wholeNumber = 4_194_304;
const fraction = 2.5;

/** Whether a shape requires our own string in the body. */
export function needsSentence(shape: BodyShape): boolean {
  const { nonAscii, escapes, slashes, escapedSlashes, html, percent, decomposed, numbers } = shape;
  return [nonAscii, escapes, slashes, escapedSlashes, html, percent, decomposed, numbers].includes(true);
}

/** A sentence with the features of a shape. */
export function sentenceFor(shape: BodyShape, sentence: string): string {
  return [
    sentence,
    shape.nonAscii && 'Gr\u00fc\u00dfe \u2013 5 \u20ac',
    shape.escapes && `caf${escapedLetter}`,
    shape.slashes && 'and/or',
    shape.escapedSlashes && `either${escapedSlash}or`,
    shape.html && '<3 & >2',
    shape.percent && 'na%C3%AFve',
    shape.decomposed && 'cre\u0300me',
  ]
    .filter((part) => typeof part === 'string')
    .join(' ');
}

/** Numbers of a shape, for a field that the endpoint may not know. */
export function numbersFor(shape: BodyShape): readonly number[] | undefined {
  return shape.numbers && [wholeNumber, fraction];
}

/** Writes an event in a shape. */
export function writeShape(event: unknown, shape: BodyShape): string {
  const between = { odd: ' ,  ', lines: ',\n', crlf: ',\r\n' };
  const text = writeJsonText(readJsonText(JSON.stringify(event)), {
    between: shape.spaces === undefined ? ',' : between[shape.spaces],
    afterName: shape.spaces === 'odd' ? ' :  ' : ':',
    ...(shape.sorted && { order: sorted }),
    string: (raw) => raw.replaceAll(escapedLetter, '\\u00e9').replaceAll(escapedSlash, '\\/'),
    number: (raw) => (raw === String(wholeNumber) ? `${raw}.0` : raw === String(fraction) ? `${raw}0` : raw),
  });
  return `${shape.before ?? ''}${text}${shape.after ?? ''}`;
}
