import { rewrite, serialise, serialisers, tokens } from './body-serialisers.ts';
import { inModelOrder } from './model-order.ts';
import { observedWeight, type Reading } from './reading.ts';
import { isJsonContainer } from '../../specs/json-object.ts';

/** The value that an endpoint signs as the body. */
export interface BodyReading extends Reading {
  /** Transformations of the body before this one. */
  after?: BodyReading;
  /** `undefined` where this reading makes nothing of such a body. */
  apply: (body: Uint8Array) => Uint8Array | undefined;
  /** Readings of a later stage can follow one of an earlier stage; a last one replaces the body. */
  stage: 'decoded' | 'parsed' | 'written' | 'replaced';
}

/** Applies a reading and its earlier transformations to a body. */
export function readBody({ after, apply }: BodyReading, body: Uint8Array): Uint8Array | undefined {
  const before = after ? readBody(after, body) : body;
  return before && apply(before);
}

/** The unchanged body. */
export const unchangedBody: BodyReading = { ids: [], weight: 1000, apply: (body) => body, stage: 'decoded' };

const utf8 = (text: string) => Buffer.from(text, 'utf8');
const textOf = (body: Uint8Array) => Buffer.from(body).toString('utf8');
const onText = (change: (text: string) => string) => (body: Uint8Array) => {
  try {
    return utf8(change(textOf(body)));
  } catch {
    return undefined;
  }
};
const windows1252 = new TextDecoder('windows-1252');

const decoded: readonly Omit<BodyReading, 'stage'>[] = [
  { ids: ['signature/body-as-latin-1'], weight: 10, apply: (body) => utf8(Buffer.from(body).toString('latin1')) },
  {
    ids: ['signature/body-as-latin-1'],
    form: 'as Windows-1252',
    weight: 2,
    apply: (body) => utf8(windows1252.decode(body)),
  },
  { ids: ['signature/body-as-ascii'], weight: 1, apply: (body) => Buffer.from(body).map((byte) => byte & 0x7f) },
  {
    ids: ['signature/body-as-ascii'],
    form: 'with ? for a character',
    weight: 1.5,
    apply: onText((text) => text.replaceAll(/[^\0-\x7f]/gu, '?')),
  },
  {
    ids: ['signature/body-as-ascii'],
    form: 'with ? for a byte',
    weight: 1,
    apply: (body) => Buffer.from(body).map((byte) => (byte > 0x7f ? 0x3f : byte)),
  },
  {
    ids: ['signature/body-as-ascii'],
    form: 'with U+FFFD for a byte',
    weight: 1,
    apply: (body) =>
      utf8(
        Buffer.from(body)
          .toString('latin1')
          .replaceAll(/[^\0-\x7f]/g, '\ufffd'),
      ),
  },
  {
    ids: ['signature/body-as-ascii'],
    form: 'each is omitted',
    weight: 1,
    apply: onText((text) => text.replaceAll(/[^\0-\x7f]/g, '')),
  },
  { ids: ['signature/body-trimmed'], weight: 6, apply: onText((text) => text.trim()) },
  { ids: ['signature/body-trimmed'], form: 'at its end', weight: 2, apply: onText((text) => text.trimEnd()) },
  { ids: ['signature/newline-lost'], weight: 4, apply: onText((text) => text.replace(/\r?\n$/, '')) },
  {
    ids: ['signature/newline-lost'],
    form: 'every one at the end',
    weight: 1,
    apply: onText((text) => text.replace(/[\r\n]+$/, '')),
  },
  {
    ids: ['signature/line-ends-changed'],
    form: 'CR LF becomes LF',
    weight: 3,
    apply: onText((text) => text.replaceAll('\r\n', '\n')),
  },
  {
    ids: ['signature/line-ends-changed'],
    form: 'LF becomes CR LF',
    weight: 1,
    apply: onText((text) => text.replaceAll(/\r?\n/g, '\r\n')),
  },
  {
    ids: ['signature/line-ends-changed'],
    form: 'line ends are omitted',
    weight: 1,
    apply: onText((text) => text.replaceAll(/[\r\n]/g, '')),
  },
  { ids: ['signature/body-normalised'], weight: 1, apply: onText((text) => text.normalize('NFC')) },
  {
    ids: ['signature/body-as-form'],
    form: 'percent signs decoded',
    weight: 0.5,
    apply: onText((text) => decodeURIComponent(text)),
  },
  {
    ids: ['signature/body-as-form'],
    form: 'percent signs and plus signs decoded',
    weight: 0.5,
    apply: onText((text) => decodeURIComponent(text.replaceAll('+', ' '))),
  },
];

const changedTokens: readonly Omit<BodyReading, 'stage'>[] = [
  {
    ids: ['signature/escapes-undone'],
    weight: 3,
    apply: onText((text) => rewrite(text, { string: (raw) => tokens.slashesUndone(tokens.unicodeUndone(raw)) })),
  },
  {
    ids: ['signature/escapes-undone'],
    form: '\\u only',
    weight: 3,
    apply: onText((text) => rewrite(text, { string: tokens.unicodeUndone })),
  },
  {
    ids: ['signature/escapes-undone'],
    form: '\\/ only',
    weight: 1.5,
    apply: onText((text) => rewrite(text, { string: tokens.slashesUndone })),
  },
  {
    ids: ['signature/non-ascii-escaped'],
    weight: 1,
    apply: onText((text) => rewrite(text, { string: tokens.nonAsciiEscaped })),
  },
  {
    ids: ['signature/slashes-escaped'],
    weight: 1,
    apply: onText((text) => rewrite(text, { string: tokens.slashesEscaped })),
  },
  {
    ids: ['signature/slashes-escaped', 'signature/non-ascii-escaped'],
    weight: 0.5,
    apply: onText((text) => rewrite(text, { string: (raw) => tokens.slashesEscaped(tokens.nonAsciiEscaped(raw)) })),
  },
  {
    ids: ['signature/html-escaped'],
    weight: 0.5,
    apply: onText((text) => rewrite(text, { string: tokens.htmlEscaped })),
  },
  {
    ids: ['signature/numbers-rewritten'],
    weight: 2,
    apply: onText((text) => rewrite(text, { number: tokens.numbersOfJavaScript })),
  },
];

const angleEntities = (text: string) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const written: readonly Omit<BodyReading, 'stage'>[] = [
  { ids: ['signature/body-with-bom'], weight: 2, apply: (body) => Buffer.concat([utf8('\ufeff'), body]) },
  { ids: ['signature/body-quoted'], weight: 4, apply: onText((text) => JSON.stringify(text)) },
  { ids: ['signature/newline-added'], weight: 3, apply: onText((text) => `${text}\n`) },
  { ids: ['signature/newline-added'], form: 'CR LF', weight: 0.5, apply: onText((text) => `${text}\r\n`) },
  {
    ids: ['signature/body-as-latin-1'],
    form: 'written as Latin-1',
    weight: 2,
    apply: (body) => Buffer.from(textOf(body), 'latin1'),
  },
  {
    ids: ['signature/body-as-latin-1'],
    form: 'written as Latin-1, with ? for what it has not',
    weight: 1,
    apply: (body) => Buffer.from(textOf(body).replaceAll(/[^\0-\xff]/gu, '?'), 'latin1'),
  },
  {
    ids: ['signature/body-as-form'],
    form: 'percent signs for all that is not a letter',
    weight: 1,
    apply: onText((text) => encodeURIComponent(text)),
  },
  {
    ids: ['signature/body-as-form'],
    form: 'one name without a value',
    weight: 2,
    apply: onText((text) => new URLSearchParams([[text, '']]).toString()),
  },
  {
    ids: ['signature/body-as-form'],
    form: 'one name without a value',
    weight: 1,
    apply: onText((text) => `${encodeURIComponent(text)}=`),
  },
  {
    ids: ['signature/html-escaped'],
    form: 'as HTML entities, with quotation marks',
    weight: observedWeight,
    apply: onText((text) => entities(text).replaceAll('"', '&quot;')),
  },
  { ids: ['signature/html-escaped'], form: 'as HTML entities', weight: 1, apply: onText(entities) },
  { ids: ['signature/html-escaped'], form: 'as HTML entities, < and >', weight: 0.5, apply: onText(angleEntities) },
  { ids: ['signature/body-object-as-text'], form: "b'…', as Python writes bytes", weight: 8, apply: pythonBytes },
  {
    ids: ['signature/body-object-as-text'],
    form: 'a Buffer as JSON',
    weight: 1,
    apply: (body) => utf8(JSON.stringify(Buffer.from(body))),
  },
];

const replaced: readonly Omit<BodyReading, 'stage'>[] = [
  {
    ids: ['signature/body-base64'],
    weight: observedWeight,
    apply: (body) => utf8(Buffer.from(body).toString('base64')),
  },
  {
    ids: ['signature/one-field-signed'],
    form: 'id',
    weight: observedWeight,
    apply: onText((text) => String(fieldOf(text, 'id'))),
  },
  {
    ids: ['signature/one-field-signed'],
    form: 'data',
    weight: observedWeight,
    apply: onText((text) => JSON.stringify(fieldOf(text, 'data'))),
  },
  ...[true, false].flatMap((dropsUnknown) =>
    [true, false].map((isDeep): Omit<BodyReading, 'stage'> => ({
      ids: ['signature/fields-reordered'],
      ...(dropsUnknown && { form: 'unknown fields are dropped' }),
      weight: isDeep ? 3 : 2,
      apply: onText((text) => inModelOrder(text, { dropsUnknown, isDeep })),
    })),
  ),
  { ids: ['signature/body-empty'], weight: 10, apply: () => new Uint8Array() },
  ...(
    [
      ['[object Object]', 10],
      ['{}', 3],
      ['undefined', 4],
      ['null', 2],
      ['None', 1],
      ['Array', 1],
    ] as const
  ).map(([word, weight]) => ({
    ids: ['signature/body-object-as-text'] as const,
    form: word,
    weight,
    apply: () => utf8(word),
  })),
  { ids: ['signature/body-object-as-text'], form: 'as Python writes a dict', weight: 3, apply: onText(pythonDict) },
  {
    ids: ['signature/body-as-form'],
    form: 'each field as a form field',
    weight: 2,
    apply: onText((text) => formOf(text, nested)),
  },
  {
    ids: ['signature/body-as-form'],
    form: 'each field as a form field, objects as JSON',
    weight: 1,
    apply: onText((text) =>
      formOf(text, (name, value) => [[name, typeof value === 'string' ? value : JSON.stringify(value)]]),
    ),
  },
  {
    ids: ['signature/body-as-form'],
    form: 'each field as a form field, objects as [object Object]',
    weight: 2,
    apply: onText((text) => formOf(text, (name, value) => [[name, String(value)]])),
  },
];

/** Every incorrect reading of a body. */
export const bodyReadings: readonly BodyReading[] = [
  ...decoded.map((reading) => ({ ...reading, stage: 'decoded' as const })),
  ...serialisers.map(({ style, ...reading }) => ({
    ...reading,
    stage: 'parsed' as const,
    apply: onText((text) => serialise(text, style)),
  })),
  ...changedTokens.map((reading) => ({ ...reading, stage: 'parsed' as const })),
  ...written.map((reading) => ({ ...reading, stage: 'written' as const })),
  ...replaced.map((reading) => ({ ...reading, stage: 'replaced' as const })),
];

/** Apostrophes have several entities; the bodies of the questions have none. */
function entities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A field of the body. Throws TypeError without it: this reading makes nothing of such a body. */
function fieldOf(text: string, name: string): unknown {
  const { [name]: value } = JSON.parse(text) as Record<string, unknown>;
  if (value === undefined) throw new TypeError(`no ${name}`);
  return value;
}

function pythonBytes(body: Uint8Array): Uint8Array {
  const text = Buffer.from(body).toString('latin1');
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replaceAll(/[^\x20-\x7e]/g, (found) => `\\x${found.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return utf8(`b'${escaped}'`);
}

/** Strings with an apostrophe would need other quotes; the bodies of the questions have none. */
function pythonDict(text: string): string {
  const write = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`;
    if (value === null) return 'None';
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    if (typeof value === 'object') {
      return `{${Object.entries(value)
        .map(([name, field]) => `'${name}': ${write(field)}`)
        .join(', ')}}`;
    }
    return typeof value === 'string' ? `'${value}'` : scalar(value);
  };
  return write(JSON.parse(text));
}

function formOf(text: string, fields: (name: string, value: unknown) => [string, string][]): string {
  const pairs = Object.entries(JSON.parse(text) as Record<string, unknown>).flatMap(([name, value]) =>
    fields(name, value),
  );
  return new URLSearchParams(pairs).toString();
}

function nested(name: string, value: unknown): [string, string][] {
  if (!isJsonContainer(value)) return value === null ? [] : [[name, scalar(value)]];
  return Object.entries(value).flatMap(([key, field]) => nested(`${name}[${key}]`, field));
}

/** Serialises a value that is not an object. */
function scalar(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
