import { header } from '../observation.ts';
import { parseJson } from '../json.ts';
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
  const { text, encoding } = body;
  if (typeof text !== 'string' || text === '') return emptyOrMissing(sizes, of);
  if (encoding === 'base64' && !isBase64(text)) return { bytes: new Uint8Array(), state: 'altered' };
  const bytes = encoding === 'base64' ? Buffer.from(text, 'base64') : Buffer.from(text, 'utf8');
  const [size] = sizes;
  if (size !== undefined && sizes.includes(bytes.length)) return { bytes, state: 'exact', size: bytes.length };
  if (size !== undefined) {
    const largest = Math.max(...sizes);
    return { bytes, state: bytes.length < largest ? 'cut' : 'altered', size: largest };
  }
  // Without a size, text of plain ASCII that is whole JSON was written in one way only.
  const isPlain = encoding === 'base64' || /^[\t\n\r\x20-\x7e]*$/.test(text);
  return { bytes, state: isPlain && !isCut(body) && 'value' in parseJson(bytes) ? 'readable' : 'altered' };
}

/** Sizes that a recorder may have counted. A size of 0 beside a text was not counted. */
function sizesOf({ size, compression, text }: HarBody, announced: number | undefined): number[] {
  const hasText = typeof text === 'string' && text !== '';
  const counted = [
    ...(typeof size === 'number' && size >= 0 ? [size] : []),
    ...(typeof size === 'number' && size > 0 && typeof compression === 'number' && compression !== 0
      ? [size + compression]
      : []),
    ...(announced === undefined ? [] : [announced]),
  ];
  return hasText ? counted.filter((bytes) => bytes > 0) : counted;
}

function emptyOrMissing(sizes: readonly number[], of: BodyOf): CapturedBody {
  const bytes = new Uint8Array();
  const largest = sizes.length === 0 ? undefined : Math.max(...sizes);
  if (largest !== undefined && largest > 0) return { bytes, state: 'missing', size: largest };
  // Without any size, only a message that has no body by its kind is known to have none.
  const hasNone = of.isRequest ? /^(GET|HEAD|DELETE|OPTIONS)$/i.test(of.method) : of.status < 200 || of.status === 204;
  return largest === 0 || hasNone ? { bytes, state: 'exact', size: 0 } : { bytes, state: 'missing' };
}

/** Recorders tell in a comment that they have cut a text. */
function isCut({ comment }: HarBody): boolean {
  return typeof comment === 'string' && /cut|truncat/i.test(comment);
}

function lengthOf(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+$/.test(value.trim()) ? Number(value) : undefined;
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text);
}
