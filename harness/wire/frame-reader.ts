import { readBoundedJson } from '../../specs/bounded-json.ts';
import { withinBounds } from './frame-values.ts';
import type { CallFrame } from './observation.ts';

/** Maximum characters kept of a frame's text; checks judge its value. */
const keptCharacters = 8_000;
/** The same of all frames of one call together. */
const keptOfACall = 400_000;
/** Bytes of frames of one call whose complete values are kept; of later ones only the judged fields. */
const keptValuesOfACall = 50_000;

/** Reads the frames of one call within a budget for strings and values. */
export class FrameReader {
  #room = keptOfACall;
  #valueRoom = keptValuesOfACall;

  /** @param atMs milliseconds since the call was dialled */
  read(from: CallFrame['from'], bytes: Buffer, atMs: number): CallFrame {
    const text = bytes.toString('utf8');
    // Not cached: the memory of a flood of frames must be collected at once.
    const parsed = readBoundedJson(bytes);
    const room = Math.min(keptCharacters, this.#room);
    this.#room -= Math.min(text.length, room);
    // Checks read our own frames completely.
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
