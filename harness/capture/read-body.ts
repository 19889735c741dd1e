import { limits } from '../../specs/limits.ts';
import { header } from '../wire/observation.ts';
import { parseJson } from '../checks/json.ts';
import type { CapturedBody } from './captured-exchange.ts';

/** What a HAR says of a body: `postData` with `bodySize` of a request, `content` of a response. */
export interface HarBody {
  text: unknown;
  encoding: unknown;
  size: unknown;
  /** Bytes that were saved by the content coding. Recorders count them from either side. */
  compression?: unknown;
  /** Bytes as they were transferred. */
  bodySize?: unknown;
  comment?: unknown;
}

/** Of which message a body is. */
export type BodyOf = { isRequest: true; method: string } | { isRequest: false; status: number };

/**
 * The body of a message in a HAR, and how far it can be trusted. HAR keeps text, so that bytes are the real ones only
 * where their number is the one that was counted on the wire; a text that was cut, or read in another encoding, differs.
 */
export function readBody(body: HarBody, headers: readonly (readonly [string, string])[], of: BodyOf): CapturedBody {
  const announced = lengthOf(header({ headers }, 'content-length'));
  const isCoded = !/^(identity)?$/i.test(header({ headers }, 'content-encoding') ?? '');
  const sizes = sizesOf(body, isCoded ? undefined : announced);
  const told = consistentSize(isCoded ? [...sizes, ...sumOf(body)] : sizes);
  const { text, encoding } = body;
  if (typeof text !== 'string' || text === '') return emptyOrMissing(told, sizes.length > 0, of);
  if (encoding === 'base64' && !isBase64(text)) return { bytes: new Uint8Array(), state: 'altered' };
  const bytes = encoding === 'base64' ? Buffer.from(text, 'base64') : Buffer.from(text, 'utf8');
  if ([...sizes, ...sumOf(body)].includes(bytes.length)) return { bytes, state: 'exact', size: bytes.length };
  if (sizes.length > 0) {
    return { bytes, state: bytes.length < Math.max(...sizes) ? 'cut' : 'altered', ...told };
  }
  // Without a size, text of plain ASCII that is whole JSON was written in one way only.
  const isPlain = encoding === 'base64' || /^[\t\n\r\x20-\x7e]*$/.test(text);
  return { bytes, state: isPlain && !isCut(body) && 'value' in parseJson(bytes) ? 'readable' : 'altered' };
}

/** Sizes that a recorder has counted. A size of 0 beside a text was not counted. */
function sizesOf({ size, text }: HarBody, announced: number | undefined): number[] {
  const hasText = typeof text === 'string' && text !== '';
  const counted = [...(typeof size === 'number' ? [size] : []), ...(announced === undefined ? [] : [announced])];
  return counted.filter((bytes) => (hasText ? bytes > 0 : bytes >= 0));
}

/** Where `size` counts what was transferred, as mitmproxy writes it, a body has this many bytes. */
function sumOf({ size, compression }: HarBody): number[] {
  const isCounted = typeof size === 'number' && size > 0 && typeof compression === 'number' && compression !== 0;
  return isCounted ? [size + compression] : [];
}

/** Where sizes contradict each other, only that all of them break the limit is known, and the least is told. */
function consistentSize(sizes: readonly number[]): { size?: number } {
  const least = Math.min(...sizes);
  const isKnown = new Set(sizes).size === 1 || (sizes.length > 0 && least > limits.ownAiAnswerBytes);
  return isKnown ? { size: least } : {};
}

function emptyOrMissing(told: { size?: number }, isCounted: boolean, of: BodyOf): CapturedBody {
  const bytes = new Uint8Array();
  // Without any size, only a message that has no body by its kind is known to have none.
  const hasNone = of.isRequest ? /^(GET|HEAD|DELETE|OPTIONS)$/i.test(of.method) : of.status < 200 || of.status === 204;
  return told.size === 0 || (hasNone && !isCounted)
    ? { bytes, state: 'exact', size: 0 }
    : { bytes, state: 'missing', ...told };
}

/** Recorders tell in a comment that they have cut a text. */
function isCut({ comment }: HarBody): boolean {
  return typeof comment === 'string' && /cut|truncat/i.test(comment);
}

function lengthOf(value: string | undefined): number | undefined {
  const length = value !== undefined && /^\d+$/.test(value.trim()) ? Number(value) : NaN;
  return Number.isSafeInteger(length) ? length : undefined;
}

/** Line breaks are not part of it. Looked for apart, so that long texts take no longer than they are long. */
function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text.replaceAll(/\s/g, ''));
}
