import { frameType } from '../../specs/frame-type.ts';
import { interpretFrame } from '../../harness/wire/frame-meaning.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { CallEnd, CallObservation } from '../../harness/wire/observation.ts';

/** How the AI ended a call unexpectedly; `undefined` while it is up, and after an action or `session.ended`. */
export function unexpectedEnd({ frames, framesOmitted, end }: CallObservation): CallEnd | undefined {
  if (end?.by !== 'ai' || framesOmitted > 0) return undefined;
  const mayEnd = frames.some((frame) =>
    frame.from === 'service'
      ? isJsonObject(frame.value) && frame.value.type === 'session.ended'
      : endsTheCall.has(interpretFrame(frame).kind),
  );
  return mayEnd ? undefined : end;
}

/** A skill may be a forward, which ends the call. */
const endsTheCall = new Set<string>(['action', 'too-large', 'skill']);

/** Whether the AI sent a frame that the service handles. */
export function hasReacted({ frames }: CallObservation): boolean {
  return frames.some(({ from, value }) => from === 'ai' && isJsonObject(value) && frameType(value) !== undefined);
}

/** Formats "with code 1011 (reason)"; 1006 is never sent. */
export function describeClose({ code, reason }: CallEnd): string {
  if (code === 1006) return 'without a WebSocket close frame, as when a process or a proxy drops the connection';
  const words = reason === '' ? '' : ` ("${reason.slice(0, 80)}")`;
  return code === 1005 ? `without a code${words}` : `with code ${code}${words}`;
}
