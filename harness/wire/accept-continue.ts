import type { Socket } from 'node:net';

/** The start of an interim answer up to the last digit of its status; `x` matches any byte. */
const beginning = Buffer.from('HTTP/x.x 1xx');
const anything = 'x'.charCodeAt(0);
const endOfHead = Buffer.from('\r\n\r\n');

const heads = new WeakMap<Socket, InterimHeads>();

/**
 * Makes undici accept an unsolicited `100 Continue` on this connection. A client must accept interim answers that it
 * did not ask for (RFC 9110, 15.2), but undici closes the connection at a 100, and at no other: so it is rewritten to a
 * 102.
 */
export function acceptContinue(socket: Socket): void {
  const interim = new InterimHeads();
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  heads.set(socket, interim);
  socket.read = (size?: number) => {
    const chunk = read(size);
    if (chunk !== null) interim.rewrite(chunk);
    return chunk;
  };
}

/** Marks the start of an answer on this connection. */
export function expectAnswer(socket: Socket): void {
  heads.get(socket)?.expect();
}

/** Parses the heads of interim answers byte by byte, since a chunk may end anywhere in them. */
class InterimHeads {
  /** Bytes of the current head; `undefined` when no interim answer can follow. */
  #length: number | undefined;
  #status = '';
  /** Number of last bytes that match the end of a head. */
  #ending = 0;

  expect(): void {
    this.#length = 0;
    this.#status = '';
    this.#ending = 0;
  }

  rewrite(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && this.#length !== undefined; at++) {
      const byte = chunk[at] ?? 0;
      const place = this.#length++;
      if (place < beginning.length) {
        if (beginning[place] !== anything && beginning[place] !== byte) this.#length = undefined;
        if (place >= beginning.length - 3) this.#status += String.fromCharCode(byte);
        if (this.#status === '101') this.#length = undefined;
        if (this.#status === '100') chunk[at] = '2'.charCodeAt(0);
      } else {
        this.#ending = byte === endOfHead[this.#ending] ? this.#ending + 1 : Number(byte === endOfHead[0]);
        if (this.#ending === endOfHead.length) this.expect();
      }
    }
  }
}
