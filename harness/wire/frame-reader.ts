import { readBoundedJson } from '../../specs/bounded-json.ts';
import { withinBounds } from './frame-values.ts';
import type { CallFrame } from './observation.ts';

/** Characters of a frame's text that are kept; what is judged is its value. */
const keptCharacters = 8_000;
/** The same of all frames of one call together. */
const keptOfACall = 400_000;
/** Bytes of frames of one call whose whole values are kept; of later ones what is judged. */
const keptValuesOfACall = 50_000;

/** Reads the frames of one call, and keeps of their texts and values no more than one call may have. */
export class FrameReader {
  #room = keptOfACall;
  #valueRoom = keptValuesOfACall;

  /** @param atMs milliseconds since the call was dialled */
  read(from: CallFrame['from'], bytes: Buffer, atMs: number): CallFrame {
    const text = bytes.toString('utf8');
    // Not remembered: what a flood of frames leaves behind must be collected at once.
    const parsed = readBoundedJson(bytes);
    const room = Math.min(keptCharacters, this.#room);
    this.#room -= Math.min(text.length, room);
    // What we say ourselves is read again by the checks.
    const isWhole = from === 'service' || bytes.length <= this.#valueRoom;
    if (from === 'ai') this.#valueRoom -= bytes.length;
    return {
      from,
      atMs,
      text: text.length > room ? `${text.slice(0, room)}…` : text,
      bytes: bytes.length,
      value: 'error' in parsed ? undefined : withinBounds(parsed.value, isWhole ? bytes.length : Infinity),
      ...('error' in parsed && parsed.unread && { unread: parsed.error }),
    };
  }
}
