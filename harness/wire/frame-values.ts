import { limits } from '../../specs/limits.ts';
import { isJsonObject, isJsonContainer } from '../../specs/json-object.ts';
import type { CallFrame, CallObservation } from './observation.ts';

/** Fields of frames that checks judge (interface: Own-AI phone frames). */
const judged = new Set(['type', 'text', 'token', 'last', 'action', 'note', 'executeSkills', 'key', 'announcement']);

/** Maximum bytes and values of a frame that is kept unchanged: parsed JSON takes many times its bytes. */
const smallFrameBytes = 4_096;
const smallFrameValues = 100;
/** Maximum entries kept of a list; more than five skills are too many already. */
const keptEntries = 50;
/** Levels, and fields in each, whose names are kept of a frame without a judged field, and characters of a name. */
const namedLevels = 5;
const keptNames = 10;
const keptNameCharacters = 80;
/** Frames at either end of a call whose usual speech is kept: more than evidence shows. */
const keptAtEnds = 60;
/** Memory overhead of a frame in bytes, and memory of a reference to one. */
const frameCost = 200;
const referenceCost = 8;

/** The judged fields of a frame's value, so that large frames do not exhaust the memory. */
export function withinBounds(value: unknown, bytes: number): unknown {
  if (bytes <= smallFrameBytes && hasFewValues(value)) return value;
  if (!isJsonObject(value)) return Array.isArray(value) ? [] : value;
  const fields = Object.entries(value).filter(([name]) => judged.has(name));
  if (fields.length === 0) return fieldNames(value, 1);
  return Object.fromEntries(fields.map(([name, field]) => [name, outlined(field)]));
}

/** The names of the first fields, without their values: a frame without a judged field is reported by its names. */
function fieldNames(value: unknown, level: number): unknown {
  if (Array.isArray(value))
    return level < namedLevels ? value.slice(0, 1).map((one) => fieldNames(one, level + 1)) : [];
  if (!isJsonObject(value)) return '';
  if (level === namedLevels) return {};
  const fields = Object.entries(value).slice(0, keptNames);
  return Object.fromEntries(
    fields.map(([name, field]) => [name.slice(0, keptNameCharacters), fieldNames(field, level + 1)]),
  );
}

/** Placeholder for usual speech, about which there is nothing to judge. */
const usualSpeech: CallFrame = {
  from: 'ai',
  atMs: 0,
  text: '{"type":"text","text":"…","last":false}',
  bytes: 41,
  value: { type: 'text', text: '…', last: false },
};

/** Replaces usual speech within a long call by one shared frame; every other frame keeps its index. */
export function withoutUsualSpeech(call: CallObservation): CallObservation {
  const isWithin = (at: number) => at >= keptAtEnds && at < call.frames.length - keptAtEnds;
  if (!call.frames.some((frame, at) => isWithin(at) && isUsualSpeech(frame))) return call;
  return {
    ...call,
    frames: call.frames.map((frame, at) => (isWithin(at) && isUsualSpeech(frame) ? usualSpeech : frame)),
  };
}

/** Approximate memory of a kept frame in bytes. */
export function costOf(frame: CallFrame): number {
  return frame === usualSpeech ? referenceCost : frame.text.length + frame.bytes + frameCost;
}

function isUsualSpeech({ from, value, bytes, binary, unread }: CallFrame): boolean {
  if (from !== 'ai' || binary === true || unread !== undefined || !isJsonObject(value)) return false;
  const { type, text, last = false, ...others } = value;
  return (
    type === 'text' &&
    typeof text === 'string' &&
    typeof last === 'boolean' &&
    bytes <= limits.ownAiTextCharacters &&
    Object.keys(others).every((name) => !judged.has(name))
  );
}

function hasFewValues(value: unknown): boolean {
  const left = [value];
  for (let count = 0; count <= smallFrameValues; count++) {
    if (left.length === 0) return true;
    const one = left.pop();
    if (!isJsonContainer(one)) continue;
    const inner: unknown[] = Object.values(one);
    if (inner.length > smallFrameValues) return false;
    left.push(...inner);
  }
  return false;
}

/** Keeps scalars and flat lists; replaces anything deeper by an empty object. */
function outlined(field: unknown): unknown {
  if (Array.isArray(field)) return field.slice(0, keptEntries).map((entry: unknown) => (isFlat(entry) ? entry : {}));
  return isFlat(field) ? field : {};
}

function isFlat(value: unknown): boolean {
  return !isJsonContainer(value);
}
