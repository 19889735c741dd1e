import { limits } from '../../specs/limits.ts';
import { header } from '../wire/observation.ts';
import { parseJson } from '../checks/json.ts';
import type { CapturedBody } from './captured-exchange.ts';

/** The body of a message in a HAR: `postData` with `bodySize` of a request, `content` of a response. */
export interface HarBody {
  text: unknown;
  encoding: unknown;
  size: unknown;
  /** Bytes saved by the content coding. The sign differs between recorders. */
  compression?: unknown;
  /** Bytes as they were transferred. */
  bodySize?: unknown;
  comment?: unknown;
}

/** The message that a body belongs to. */
export type BodyOf = { isRequest: true; method: string } | { isRequest: false; status: number };

/**
 * Reads the body of a message in a HAR, and how far it can be trusted. HAR stores text, so the bytes are those sent
 * only if their number matches the size on the wire; truncated text, or text decoded differently, has another size.
 */
export function readBody(body: HarBody, headers: readonly (readonly [string, string])[], of: BodyOf): CapturedBody {
  const announced = lengthOf(header({ headers }, 'content-length'));
  const isCoded = !/^(identity)?$/i.test(header({ headers }, 'content-encoding') ?? '');
  const sizes = sizesOf(body, isCoded ? undefined : announced);
  const known = consistentSize(isCoded ? [...sizes, ...sumOf(body)] : sizes);
  const { text, encoding } = body;
  if (typeof text !== 'string' || text === '') return emptyOrMissing(known, sizes.length > 0, of);
  if (encoding === 'base64' && !isBase64(text)) return { bytes: new Uint8Array(), state: 'altered' };
  const bytes = encoding === 'base64' ? Buffer.from(text, 'base64') : Buffer.from(text, 'utf8');
  if ([...sizes, ...sumOf(body)].includes(bytes.length)) return { bytes, state: 'exact', size: bytes.length };
  if (sizes.length > 0) {
    return { bytes, state: bytes.length < Math.max(...sizes) ? 'cut' : 'altered', ...known };
  }
  // Without a size, complete JSON in plain ASCII has only one encoding.
  const isPlain = encoding === 'base64' || /^[\t\n\r\x20-\x7e]*$/.test(text);
  return { bytes, state: isPlain && !isCut(body) && 'value' in parseJson(bytes) ? 'readable' : 'altered' };
}

/** Sizes stated by the recorder. A size of 0 for a non-empty body is ignored. */
function sizesOf({ size, text }: HarBody, announced: number | undefined): number[] {
  const hasText = typeof text === 'string' && text !== '';
  const counted = [...(typeof size === 'number' ? [size] : []), ...(announced === undefined ? [] : [announced])];
  return counted.filter((bytes) => (hasText ? bytes > 0 : bytes >= 0));
}

/** The decoded size where `size` is the transferred one, as mitmproxy writes it. */
function sumOf({ size, compression }: HarBody): number[] {
  const isCounted = typeof size === 'number' && size > 0 && typeof compression === 'number' && compression !== 0;
  return isCounted ? [size + compression] : [];
}

/** If sizes contradict each other, only the smallest counts, and only if it exceeds the limit. */
function consistentSize(sizes: readonly number[]): { size?: number } {
  const least = Math.min(...sizes);
  const isKnown = new Set(sizes).size === 1 || (sizes.length > 0 && least > limits.ownAiAnswerBytes);
  return isKnown ? { size: least } : {};
}

function emptyOrMissing(known: { size?: number }, isCounted: boolean, of: BodyOf): CapturedBody {
  const bytes = new Uint8Array();
  // Without any size, only messages that cannot have a body are known to have none.
  const hasNone = of.isRequest ? /^(GET|HEAD|DELETE|OPTIONS)$/i.test(of.method) : of.status < 200 || of.status === 204;
  return known.size === 0 || (hasNone && !isCounted)
    ? { bytes, state: 'exact', size: 0 }
    : { bytes, state: 'missing', ...known };
}

/** Recorders mark truncated text in a comment. */
function isCut({ comment }: HarBody): boolean {
  return typeof comment === 'string' && /cut|truncat/i.test(comment);
}

function lengthOf(value: string | undefined): number | undefined {
  const length = value !== undefined && /^\d+$/.test(value.trim()) ? Number(value) : NaN;
  return Number.isSafeInteger(length) ? length : undefined;
}

/** Whitespace is ignored. It is removed first so that the time stays linear. */
function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text.replaceAll(/\s/g, ''));
}
