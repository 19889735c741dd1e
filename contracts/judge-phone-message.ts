import { exampleOf } from '../generators/contracts/matchers-from-schema.ts';
import type { PhoneInteraction } from '../generators/contracts/own-ai-phone.ts';
import { interpretFrame } from '../harness/wire/frame-meaning.ts';
import { isJsonObject } from '../specs/json-object.ts';
import type { CallFrame, CallObservation } from '../harness/wire/observation.ts';
import { shortJson } from '../specs/explain-violations.ts';
import { frameType } from '../specs/frame-type.ts';
import { limits } from '../specs/limits.ts';
import { phoneFrameFaults, type PhoneFrameFault } from './phone-frame-faults.ts';
import { describeFault, describeReceived } from './describe-received.ts';
import type { JsonFields, JsonValue } from '../specs/json-value.ts';

/** The result of a call for one message of the contract. */
export type PhoneMessageOutcome =
  /**
   * The AI's frame as the service reads it: `type` where it had none, `token` as `text` where the message is about
   * text.
   */
  | {
      readonly outcome: 'frame';
      readonly frame: JsonFields;
      /** The fault of the frame, if it breaks the requirement of the message. */
      readonly fault?: Pick<PhoneFrameFault, 'expected' | 'received'>;
    }
  /** The AI behaved in a permitted way that does not show the message. */
  | { readonly outcome: 'not-there'; readonly reason: string }
  /** A required answer that the service understands is missing. `reason`: what was received. */
  | { readonly outcome: 'silent'; readonly expected: string; readonly reason: string };

/** The AI's frame of a message, as in the contract. */
export function expectedOf(interaction: PhoneInteraction): JsonFields {
  return exampleOf(
    interaction.kind === 'synchronous' ? (interaction.responses[0] ?? null) : interaction.content,
  ) as JsonFields;
}

/**
 * The frame of a call that shows a message, or the reason why there is none. A frame that breaks the requirement of the
 * message has priority; one that breaks another requirement is judged by the message of that requirement only.
 *
 * @param after index of the frame that the AI answers
 */
export function judgeMessage(call: CallObservation, after: number, interaction: PhoneInteraction): PhoneMessageOutcome {
  const expected = expectedOf(interaction);
  const ofAi = call.frames.slice(after + 1).filter(({ from }) => from === 'ai');
  for (const frame of ofAi) {
    const fault = phoneFrameFaults(frame).find(
      (one) => one.requirement === interaction.requirement && concerns(one, frame, expected),
    );
    if (fault) return withFault(frame, fault, expected);
  }
  const answers = framesAfter(call, after);
  const picked = pick(call, after, interaction, expected);
  if (picked === undefined) {
    if (answers.some((frame) => isUnderstood(frame)) && interaction.cue.pick !== 'first') {
      return notObserved(`no frame of the AI ${wanted[interaction.cue.pick]}`);
    }
    return silence(call, after, interaction);
  }
  const fault = faultOf(picked, expected);
  if (fault && interaction.requirement !== 'own-ai-phone/closes-each-answer') {
    const isAnswered = answers.some((frame) => isUnderstood(frame));
    if (!isAnswered && !interaction.cue.mayBeSilent) return silence(call, after, interaction);
    return notObserved(`the AI's frame ${describeFault(fault)}`);
  }
  const frame = asServiceReads(picked, expected);
  const other = describeOtherContent(frame, expected);
  return other === undefined ? { outcome: 'frame', frame } : notObserved(other);
}

/** Frames of the AI after a given frame, as far as the service reads them. */
export function framesAfter({ frames }: CallObservation, index: number): JsonFields[] {
  return frames
    .slice(index + 1)
    .flatMap(({ from, value, bytes }) =>
      from === 'ai' && bytes <= limits.phoneFrameBytes && isFrame(value) ? [value] : [],
    );
}

function silence(call: CallObservation, after: number, { cue }: PhoneInteraction): PhoneMessageOutcome {
  // Ended, handed over or put through before the sentence: no one can answer it.
  const before = call.frames.slice(0, after + 1).some((frame) => frame.from === 'ai' && endsCall(frame));
  if (before) return notObserved('the AI had ended the call');
  const reason = describeReceived(call, after);
  const isTooLarge = call.frames.slice(after + 1).some((frame) => interpretFrame(frame).kind === 'too-large');
  if (isTooLarge || cue.mayBeSilent) return notObserved(`received ${reason}`);
  const prompt = call.frames[after]?.value;
  // A call that is already over gets no sentence.
  const said = isJsonObject(prompt) && typeof prompt.text === 'string' ? `“${prompt.text}”` : 'what the caller says';
  return { outcome: 'silent', expected: `speech, an action or a skill in answer to ${said}`, reason };
}

function endsCall(frame: CallFrame): boolean {
  const { kind } = interpretFrame(frame);
  return kind === 'action' || kind === 'skill';
}

/** Whether a fault concerns a field of the message. */
function concerns({ field }: PhoneFrameFault, { value }: Pick<CallFrame, 'value'>, expected: JsonFields): boolean {
  if (field === undefined || field === 'type') return true;
  if (!isFrame(value) || frameType(value) !== expected['type']) return false;
  if (field === 'token') return 'token' in expected || 'text' in expected;
  if (!(field in expected)) return false;
  // A value that is not a list of keys may still be a list of ids.
  return !isOfOtherKind(value[field], expected[field]);
}

function isOfOtherKind(value: JsonValue | undefined, expected: JsonValue | undefined): boolean {
  if (!Array.isArray(expected)) return false;
  const kinds = new Set([value ?? null].flat().map((one) => typeof one));
  const other = typeof expected[0] === 'string' ? 'number' : 'string';
  return kinds.size === 1 && kinds.has(other);
}

function withFault(frame: CallFrame, fault: PhoneFrameFault, expected: JsonFields): PhoneMessageOutcome {
  const { expected: wish, received, field } = fault;
  // Cut because it is too large, or of a type that the service does not know: nothing is left for Pact to compare.
  if (field === undefined) return { outcome: 'silent', expected: wish, reason: received };
  const value = frame.value as JsonFields;
  const words = { expected: wish, received };
  if (field === 'type') return { outcome: 'frame', frame: value, fault: words };
  const read = asServiceReads(value, expected);
  const said = field === 'token' && 'text' in expected ? { ...read, text: value['token'] ?? null } : read;
  return { outcome: 'frame', frame: said, fault: words };
}

/** A fault of another requirement in a field of the message. An omitted type is judged by its own message. */
function faultOf(frame: JsonFields, expected: JsonFields): PhoneFrameFault | undefined {
  return phoneFrameFaults({ bytes: 0, value: frame }).find(
    (one) => one.field !== 'type' && concerns(one, { value: frame }, expected),
  );
}

const wanted = {
  first: 'answers',
  piece: 'leaves the answer open by last: false',
  closing: 'closes it so',
  token: 'speaks in token',
} as const;

function pick(
  call: CallObservation,
  after: number,
  { cue }: PhoneInteraction,
  expected: JsonFields,
): JsonFields | undefined {
  const frames = framesAfter(call, after);
  const texts = frames.filter((frame) => frameType(frame) === 'text');
  switch (cue.pick) {
    case 'first':
      return first(frames, expected);
    case 'piece':
      return texts.find(({ last, text }) => last === false && text !== undefined);
    case 'token':
      return texts.find(({ token }) => token !== undefined && token !== null);
    case 'closing':
      return closing(texts, expected);
  }
}

/** The first valid frame of the expected type, else an invalid one, else another valid one. */
function first(frames: readonly JsonFields[], expected: JsonFields): JsonFields | undefined {
  const alike = frames.filter((frame) => frameType(frame) === expected['type']);
  const right = alike.filter((frame) => faultOf(frame, expected) === undefined);
  if (expected['type'] !== 'text') return right[0] ?? alike[0] ?? frames[0];
  return (
    right.find((frame) => isUnderstood(frame)) ??
    alike.find((frame) => faultOf(frame, expected) !== undefined) ??
    frames.find((frame) => frameType(frame) !== 'text' && isUnderstood(frame)) ??
    frames.find((frame) => frameType(frame) !== 'text')
  );
}

/** The piece that closes an answer with speech, or the one that should have. */
function closing(texts: readonly JsonFields[], expected: JsonFields): JsonFields | undefined {
  if (!texts.some((frame) => isUnderstood(frame))) return undefined;
  const closed = texts.filter(({ last }) => last === true);
  if (!('text' in expected)) return closed[0] ?? texts.at(-1);
  // An answer whose last piece has speech needs no empty piece.
  const isEmpty = (frame: JsonFields) => (frame['text'] ?? frame['token']) === '';
  const meant = texts.filter(({ last }) => last !== undefined && last !== null && last !== false);
  return closed.length > 0 ? closed.find(isEmpty) : meant.find(isEmpty);
}

/** Whether the frame has speech, an action or a skill request. */
function isUnderstood(value: JsonFields): boolean {
  const meaning = interpretFrame({ from: 'ai', atMs: 0, text: '', bytes: 0, value });
  return meaning.kind === 'speech' ? meaning.text !== '' : meaning.kind !== 'ignored';
}

function isFrame(value: unknown): value is JsonFields {
  return isJsonObject(value) && frameType(value) !== undefined;
}

function asServiceReads(frame: JsonFields, expected: JsonFields): JsonFields {
  const type = frameType(frame) as string;
  const { token, ...rest } = frame;
  const text = rest['text'] ?? token;
  return 'text' in expected && text !== undefined ? { ...rest, type, text } : { ...frame, type };
}

/** Description of a permitted frame that shows something else. `undefined`: it is the one to judge. */
function describeOtherContent(frame: JsonFields, expected: JsonFields): string | undefined {
  const type = frameType(frame);
  if (type !== expected['type']) return `the AI answered with a frame of the type ${type}`;
  const absent = Object.keys(expected).find((name) => name !== 'last' && (frame[name] ?? null) === null);
  if (absent !== undefined) return `the AI's frame has no ${absent}`;
  const differing = Object.entries(expected).find(
    ([name, value]) => name !== 'last' && isOther(name, frame[name], value),
  );
  return differing && `the AI's frame has ${differing[0]} ${shortJson(frame[differing[0]])}`;
}

/**
 * Another action, another kind of skill name, or speech in the closing piece: permitted, but not the subject of the
 * message.
 */
function isOther(name: string, value: JsonValue | undefined, expected: JsonValue): boolean {
  if (name === 'action' || expected === '') return value !== expected;
  if (Array.isArray(expected)) {
    return !Array.isArray(value) || value.length === 0 || value.some((one) => typeof one !== typeof expected[0]);
  }
  return typeof value !== typeof expected;
}

function notObserved(reason: string): PhoneMessageOutcome {
  return { outcome: 'not-there', reason };
}
