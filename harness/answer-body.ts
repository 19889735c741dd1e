import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { nextPiece } from './counting-pace.ts';
import { header, type Answered } from './observation.ts';

/**
 * Bytes of one answer that are read or decoded at most: far more than any answer of the interface, and few enough that
 * an endless answer or a decompression bomb costs a second and not the whole time limit.
 */
export const mostBodyBytes = 268_435_456;

/** Bytes of one body up to which it is read at full speed: more than any endpoint answers in earnest. */
const fullSpeedBytes = 4_194_304;

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** A complete body: as much of it as was kept, decoded, and its true size. */
export type ReadBody = Pick<Answered, 'body' | 'bodyBytes' | 'truncated'> | { error: string };

/**
 * Reads the body of one answer while it arrives: keeps the first `maxBytes` bytes and counts the others. Undoes its
 * content coding (RFC 9110, 8.4): we never ask for one, but an endpoint behind a compressing proxy may send one.
 */
export class AnswerBody {
  /** Bytes that arrived, before decoding. */
  received = 0;
  readonly #maxBytes: number;
  readonly #chain: Transform[] = [];
  readonly #kept: Buffer[] = [];
  readonly #decoded = Promise.withResolvers<void>();
  /** Bytes of the body, decoded, up to {@link mostBodyBytes}. */
  #bytes = 0;
  /** Bytes that left any decoder: with several, those in between can be far more than the result. */
  #work = 0;
  #error: string | undefined;
  /** Nothing is decoded any more. */
  #isOver = false;
  readonly #onDrain: () => void;

  /** `onDrain` is called when reading can continue after `accept` returned `false`. */
  constructor(headers: Answered['headers'], maxBytes: number, onDrain: () => void) {
    this.#maxBytes = maxBytes;
    this.#onDrain = onDrain;
    const codings = (header({ headers }, 'content-encoding') ?? '')
      .toLowerCase()
      .split(',')
      .map((coding) => coding.trim())
      .filter((coding) => coding !== '' && coding !== 'identity');
    for (const coding of codings.reverse()) {
      const create = decoders[coding];
      if (!create) {
        this.#stop(`content-encoding ${coding} is not one that we can read`);
        break;
      }
      this.#append(create(), coding);
    }
    this.#chain[0]?.on('drain', onDrain);
    this.#chain.at(-1)?.on('data', (chunk: Buffer) => this.#count(chunk));
    this.#chain.at(-1)?.on('end', () => this.#decoded.resolve());
  }

  /** Accepts the next bytes; `false` when no more can be read for now. */
  accept(chunk: Buffer): boolean {
    this.received += chunk.length;
    if (this.#isOver || this.#error !== undefined) return this.received < mostBodyBytes;
    const [first] = this.#chain;
    if (first) return first.write(chunk);
    this.#count(chunk);
    if (this.#bytes <= fullSpeedBytes) return true;
    if (this.#bytes < mostBodyBytes) void nextPiece().then(this.#onDrain);
    return false;
  }

  /** The body is complete. Resolves once it is decoded. */
  async end(): Promise<ReadBody> {
    if (this.received > 0) {
      this.#chain[0]?.end();
      if (this.#chain.length > 0) await this.#decoded.promise;
      if (this.#error !== undefined) return { error: this.#error };
    }
    this.discard();
    const body = Buffer.concat(this.#kept);
    return { body, bodyBytes: this.#bytes, truncated: this.#bytes > body.length };
  }

  /** Frees the decoders: the body is not needed any more. */
  discard(): void {
    for (const decoder of this.#chain) decoder.destroy();
  }

  #append(decoder: Transform, coding: string): void {
    this.#chain.at(-1)?.pipe(decoder);
    this.#chain.push(decoder);
    decoder.on('error', (error) => {
      this.#stop(`the body is not what content-encoding ${coding} says: ${error.message}`);
    });
    decoder.on('data', (chunk: Buffer) => {
      this.#work += chunk.length;
      if (this.#work >= mostBodyBytes) this.#stop();
    });
  }

  #count(chunk: Buffer): void {
    const room = this.#maxBytes - this.#bytes;
    this.#bytes += chunk.length;
    if (room > 0) this.#kept.push(chunk.subarray(0, room));
  }

  #stop(error?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#error = error;
    this.discard();
    this.#decoded.resolve();
    this.#onDrain();
  }
}
