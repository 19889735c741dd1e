import type { IncomingMessage } from 'node:http';
import { limits } from '../../specs/limits.ts';
import { nextPiece } from './next-piece.ts';

/** Maximum bytes kept of one arriving body; four times the largest that the interface allows. */
const keptBytes = 4 * limits.ownAiAnswerBytes;
/** Bytes kept of each body regardless of their number: a typical body completely. */
const alwaysKeptBytes = 4_096;
/** Additional bytes kept of all bodies together: 64 of the largest bodies. */
const keptTogether = 64 * keptBytes;
/** A request whose body has not arrived completely. */
export interface Unfinished {
  method: string;
  /** Bytes of its body so far. */
  bodyBytes: number;
  /** Its connection has ended: nothing more arrives. */
  aborted?: true;
}

export interface ArrivedBody {
  /** The kept beginning. */
  body: Buffer;
  /** Bytes of the whole body. */
  bodyBytes: number;
  truncated: boolean;
}

/** Reads arriving bodies completely: keeps the beginning of each and counts the rest. */
export class ArrivingBodies {
  #room = keptTogether;

  /** Rejects when the connection ends before the body does. Updates `soFar` meanwhile. */
  async read(request: IncomingMessage, soFar: Unfinished): Promise<ArrivedBody> {
    const kept: Buffer[] = [];
    let length = 0;
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        soFar.bodyBytes += chunk.length;
        const part = chunk.subarray(0, Math.min(keptBytes - length, this.#allowed(length, chunk.length)));
        // Nothing is kept after a gap.
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

  /** Releases the memory budget of a body. */
  release({ body }: Pick<ArrivedBody, 'body'>): void {
    this.#room += spent(body.length);
  }

  #allowed(length: number, more: number): number {
    return Math.min(more, Math.max(0, alwaysKeptBytes - length) + this.#room);
  }
}

/** The share of the common budget that a body of this length uses. */
function spent(length: number): number {
  return Math.max(0, length - alwaysKeptBytes);
}
