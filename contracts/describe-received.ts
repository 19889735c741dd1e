import { interpretFrame } from '../harness/wire/frame-meaning.ts';
import { isJsonObject } from '../specs/json-object.ts';
import type { CallFrame, CallObservation } from '../harness/wire/observation.ts';
import { shortJson } from '../specs/explain-violations.ts';
import { cutText } from './cut-text.ts';
import { phoneFrameFaults, type PhoneFrameFault } from './phone-frame-faults.ts';

/** Characters of a quoted frame. */
const quotedCharacters = 80;

/**
 * Describes the frames of a call after a frame of the service, where they are not an answer. Follows "received".
 *
 * @param after index of the frame among all frames of the call
 */
export function describeReceived({ frames, end, answers }: CallObservation, after: number): string {
  const came = frames.slice(after + 1).filter(({ from }) => from === 'ai');
  const closed = end?.by === 'ai' ? `the AI closed the connection (code ${end.code})` : undefined;
  const [first] = came;
  if (first === undefined) {
    const waitedMs = answers.findLast(({ toFrame }) => toFrame === after)?.waitedMs ?? 0;
    return closed ?? `nothing in ${Math.round(waitedMs / 1000)} s`;
  }
  const wordless =
    came.some((frame) => isClosing(frame)) && came.every((frame) => phoneFrameFaults(frame).length === 0);
  if (wordless) return 'an answer that was closed without speech';
  const odd = came.find((frame) => describeFrame(frame) !== undefined) ?? first;
  return [describeFrame(odd) ?? `a frame without speech: ${cutText(odd.text, quotedCharacters)}`, closed]
    .filter((part) => part !== undefined)
    .join('; then ');
}

/** Description of a fault where the frame is judged by another message. */
export function describeFault({ requirement, expected, received }: PhoneFrameFault): string {
  return `breaks ${requirement} (expected ${expected}, received ${received})`;
}

function isClosing(frame: CallFrame): boolean {
  const meaning = interpretFrame(frame);
  return meaning.kind === 'speech' && meaning.last && meaning.text === '';
}

/** Describes the fault of one frame; `undefined` for one that the service accepts. */
function describeFrame(frame: CallFrame): string | undefined {
  const { value, text } = frame;
  const [fault] = phoneFrameFaults(frame);
  if (fault?.requirement === 'own-ai-phone/frame-within-64-kb') {
    return `a frame of ${frame.bytes} bytes, which ends the connection; at most 64 KB are allowed`;
  }
  if (value === undefined) return `text that is not JSON: ${cutText(text, quotedCharacters)}`;
  if (!isJsonObject(value)) return `JSON that is not an object: ${cutText(text, quotedCharacters)}`;
  const meaning = interpretFrame(frame);
  if (meaning.kind === 'ignored' && fault?.field === 'type') {
    return value.type === undefined
      ? `a frame without a type: ${cutText(text, quotedCharacters)}`
      : `a frame of the unknown type ${shortJson(value.type)}`;
  }
  if (fault === undefined) return undefined;
  const kind = meaning.kind === 'speech' ? 'a text frame' : meaning.kind === 'skill' ? 'a skill frame' : 'an action';
  return `${kind} that ${describeFault(fault)}`;
}
