import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { header, type Answered } from './observation.ts';

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer;

const decoders: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/**
 * Undoes the content coding of an answer (RFC 9110, 8.4). We never ask for one; an endpoint behind a compressing proxy
 * may send one all the same, so it is read, up to `maxBytes` bytes: what unpacks to more is `truncated` and not shown.
 */
export function decodeBody(
  bytes: Buffer,
  headers: Answered['headers'],
  maxBytes: number,
): { body: Buffer; truncated: boolean } | { error: string } {
  const codings = (header({ headers }, 'content-encoding') ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  let body = bytes;
  if (bytes.length === 0) return { body, truncated: false };
  for (const coding of codings.reverse()) {
    const decode = decoders[coding];
    if (!decode) return { error: `content-encoding ${coding} is not one that we can read` };
    try {
      body = decode(body, { maxOutputLength: maxBytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
        return { body: Buffer.alloc(0), truncated: true };
      return { error: `the body is not what content-encoding ${coding} says: ${(error as Error).message}` };
    }
  }
  return { body, truncated: false };
}
