import type { IncomingMessage } from 'node:http';
import { nextPiece } from './counting-pace.ts';

/** Bytes of one arriving body that are kept; four times the largest that the interface allows. */
const keptBytes = 262_144;
/** Bytes of each body that are kept however many there are: all of a usual one. */
const alwaysKeptBytes = 4_096;
/** Bytes beyond these of all bodies together: 64 of the largest that are kept of one. */
const keptTogether = 64 * keptBytes;
/** A request whose body has not arrived whole so far. */
export interface Unfinished {
  method: string;
  /** Bytes of its body up to now. */
  bodyBytes: number;
}

/** What arrived of a body. */
export interface ArrivedBody {
  /** The beginning, as far as it is kept. */
  body: Buffer;
  /** Bytes of the whole body. */
  bodyBytes: number;
  truncated: boolean;
}

/** Reads arriving bodies to their ends: keeps a beginning of each and counts the rest. */
export class ArrivingBodies {
  #room = keptTogether;

  /** Rejects when the connection ends before the body does. `soFar` is kept up to date meanwhile. */
  async read(request: IncomingMessage, soFar: Unfinished): Promise<ArrivedBody> {
    const kept: Buffer[] = [];
    let length = 0;
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        soFar.bodyBytes += chunk.length;
        const part = chunk.subarray(0, Math.min(keptBytes - length, this.#allowed(length, chunk.length)));
        // Once something is missing nothing that follows it is kept.
        const isBeginning = length === soFar.bodyBytes - chunk.length;
        if (isBeginning && part.length > 0) {
          kept.push(part);
          this.#room -= spent(length + part.length) - spent(length);
          length += part.length;
        }
        if (length < soFar.bodyBytes) await nextPiece();
      }
    } catch (error) {
      this.#room += spent(length);
      throw error;
    }
    const { bodyBytes } = soFar;
    return { body: Buffer.concat(kept), bodyBytes, truncated: bodyBytes > length };
  }

  /** The body is not kept any more. */
  release({ body }: Pick<ArrivedBody, 'body'>): void {
    this.#room += spent(body.length);
  }

  #allowed(length: number, more: number): number {
    return Math.min(more, Math.max(0, alwaysKeptBytes - length) + this.#room);
  }
}

/** How much of the common room a body of this length takes. */
function spent(length: number): number {
  return Math.max(0, length - alwaysKeptBytes);
}
