import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two parts of a body: an endpoint that is not busy reads them one after the other. */
const partsApartMs = 50;

/** A body in two parts: the bytes of its first character that has several are in both. */
export function dividedInside(body: Uint8Array): Readable {
  const at = body.findIndex((byte) => (byte & 0xc0) === 0x80);
  if (at < 0) throw new TypeError('No character of this body has several bytes.');
  const parts = async function* () {
    yield body.subarray(0, at);
    await delay(partsApartMs);
    yield body.subarray(at);
  };
  return Readable.from(parts(), { objectMode: false });
}
