import { frameType } from '../../specs/frame-type.ts';
import { interpretFrame } from '../../harness/wire/frame-meaning.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { CallEnd, CallObservation } from '../../harness/wire/observation.ts';
import type { Found } from '../outcome.ts';

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

/**
 * Milliseconds between the last sentence of the caller and the action or forward with which the AI ended the call as the
 * interface allows; `undefined` if it is unknown whether it did.
 */
export function ownEndMs({ frames, framesOmitted, end }: CallObservation): number | undefined {
  if (end === undefined || framesOmitted > 0) return undefined;
  const kinds = frames.map((frame) => (frame.from === 'ai' ? interpretFrame(frame).kind : undefined));
  if (kinds.includes('too-large')) return undefined;
  const action = kinds.indexOf('action');
  // After a skill, the service ends the call only if it is a successful forward.
  const at = action < 0 && end.by === 'service' ? kinds.lastIndexOf('skill') : action;
  const ending = frames[at];
  if (ending === undefined) return undefined;
  const said = frames.slice(0, at).findLast(({ from, value }) => {
    return from === 'service' && isJsonObject(value) && value.type === 'prompt';
  });
  return ending.atMs - (said?.atMs ?? 0);
}

/** Close code for a message that is too large to be processed. */
const tooLargeCode = 1009;
/** A skill may be a forward, which ends the call. */
const endsTheCall = new Set<string>(['action', 'too-large', 'skill']);

/** Whether the AI sent a frame that the service handles. */
export function hasReacted({ frames }: CallObservation): boolean {
  return frames.some(({ from, value }) => from === 'ai' && isJsonObject(value) && frameType(value) !== undefined);
}

/** What the close codes mean that libraries send on their own (RFC 6455, 7.4.1). */
const codeMeanings: Readonly<Record<number, string>> = {
  1000: 'normal end',
  1001: 'going away',
  1002: 'protocol error',
  1003: 'unsupported data',
  1007: 'invalid UTF-8',
  1008: 'policy violation',
  1009: 'message too large',
  1011: 'internal error',
};

/** The fix after a close because of a frame that was too large: nothing in the handler is wrong. */
export function fixForTooLarge({ code }: CallEnd): Pick<Found, 'remediation'> {
  if (code !== tooLargeCode) return {};
  return {
    remediation:
      'Code 1009 means that a frame is longer than the endpoint accepts: raise the maximum message size of its WebSocket library to 64 KB or more (maxPayload in ws, max_msg_size in aiohttp, max_size in websockets, SetReadLimit in Go).',
  };
}

/** Formats "with code 1011 (internal error)", or with the reason that was sent; 1006 is never sent. */
export function describeClose({ code, reason }: CallEnd): string {
  if (code === 1006) return 'without a WebSocket close frame, as when a process or a proxy drops the connection';
  const words = reason === '' ? '' : ` ("${reason.slice(0, 80)}")`;
  if (code === 1005) return `without a code${words}`;
  const meaning = codeMeanings[code];
  return `with code ${code}${meaning === undefined || reason !== '' ? '' : ` (${meaning})`}${words}`;
}
