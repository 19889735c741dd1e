import { brotliDecompressSync, constants, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { nextPiece } from './next-piece.ts';
import { header, type Answered } from './observation.ts';

/**
 * Maximum bytes read of one answer: far more than any answer of the interface, and few enough that an endless answer
 * takes a second and not the whole timeout.
 */
export const mostBodyBytes = 268_435_456;

/** Bytes of one body that are read at full speed: 64 of the largest that the interface allows. */
const fullSpeedBytes = 4_194_304;

/** Maximum bytes kept of one compressed body; a larger one is only counted. */
const keptCompressedBytes = 262_144;

/**
 * Maximum output of one decoder. A decompression bomb only needs to be detected, and decoding uses memory faster than
 * it is collected.
 */
export const mostDecodedBytes = 1_048_576;

/** A decoder of zstd supports windows of 8 MiB (RFC 8878, 3.1.1.1.2) and may reject larger ones. */
const zstdWindowLog = 23;

const maxOutputLength = mostDecodedBytes;

/**
 * Synchronous decoders: streaming ones run on all threads of the pool, each of which keeps the memory of its largest
 * window.
 */
const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength }),
  'x-gzip': (bytes) => gunzipSync(bytes, { maxOutputLength }),
  deflate: (bytes) => inflateSync(bytes, { maxOutputLength }),
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength }),
  zstd: (bytes) =>
    zstdDecompressSync(bytes, { maxOutputLength, params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLog } }),
};

/** A complete body: the part that was kept, decoded, and its full size. */
export type DecodedBody = Pick<Answered, 'body' | 'bodyBytes' | 'truncated'> | { error: string };

/**
 * Reads the body of one answer as it arrives: keeps the first `maxBytes` bytes and counts the others. Decodes its
 * content coding (RFC 9110, 8.4): we never request one, but an endpoint behind a compressing proxy may send one.
 */
export class AnswerBody {
  /** Bytes that arrived, before decoding. */
  received = 0;
  readonly #maxBytes: number;
  /** Content codings in decoding order. */
  readonly #codings: readonly string[];
  readonly #kept: Buffer[] = [];
  #room: number;
  readonly #onDrain: () => void;

  /** `onDrain` is called when reading can continue after `accept` returned `false`. */
  constructor(headers: Answered['headers'], maxBytes: number, onDrain: () => void) {
    this.#maxBytes = maxBytes;
    this.#onDrain = onDrain;
    this.#codings = (header({ headers }, 'content-encoding') ?? '')
      .toLowerCase()
      .split(',')
      .map((coding) => coding.trim())
      .filter((coding) => coding !== '' && coding !== 'identity')
      .reverse();
    this.#room = this.#codings.length > 0 ? keptCompressedBytes : maxBytes;
  }

  /** Accepts the next bytes; `false` pauses reading. */
  accept(chunk: Buffer): boolean {
    this.received += chunk.length;
    if (this.#room > 0) this.#kept.push(chunk.subarray(0, this.#room));
    this.#room -= chunk.length;
    if (this.received <= fullSpeedBytes) return true;
    if (this.received < mostBodyBytes) void nextPiece().then(this.#onDrain);
    return false;
  }

  /** Ends the body and decodes it. */
  end(): DecodedBody {
    let body: Buffer = Buffer.concat(this.#kept);
    if (this.#codings.length === 0 || body.length === 0) {
      return { body, bodyBytes: this.received, truncated: this.received > body.length };
    }
    if (this.received > body.length) return unread(this.received);
    for (const coding of this.#codings) {
      const decode = decoders[coding];
      if (!decode) return { error: `content-encoding ${coding} is not supported` };
      try {
        body = decode(body);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return unread(mostDecodedBytes);
        return { error: `the body does not match content-encoding ${coding}: ${(error as Error).message}` };
      }
    }
    const beginning = Buffer.from(body.subarray(0, this.#maxBytes));
    return { body: beginning, bodyBytes: body.length, truncated: body.length > beginning.length };
  }
}

/** A compressed body that is too large to decode: at least this many bytes. */
function unread(bodyBytes: number): DecodedBody {
  return { body: Buffer.alloc(0), bodyBytes, truncated: true };
}
