import { namedSkills } from '../../harness/wire/frame-meaning.ts';
import { parseJson } from '../../harness/checks/json.ts';
import { isJsonObject, isJsonContainer } from '../../specs/json-object.ts';
import type { CallFrame, CallObservation } from '../../harness/wire/observation.ts';
import { shortJson } from '../../specs/explain-violations.ts';
import { frameType } from '../../specs/frame-type.ts';
import { limits } from '../../specs/limits.ts';
import type { Found } from '../outcome.ts';
import type { JsonObject } from '../../specs/json-value.ts';

/** A fault in the frames, and its effect on a call. */
export interface FrameFault extends Found {
  /** `silences`: the speech is never heard; `opens`: an answer is never closed; `ends` a call; `loses`: a lesser effect. */
  does: 'silences' | 'opens' | 'ends' | 'loses';
}

/** Quoted characters of AI output. */
const quoted = 60;

/**
 * Finds the faults in the frames of the AI, most severe first. All of them are observed facts.
 *
 * @param calls as many calls as there are
 */
export function frameFaults(calls: readonly CallObservation[]): FrameFault[] {
  const frames = calls.flatMap((call) => call.frames.filter(({ from }) => from === 'ai'));
  const faults: FrameFault[] = [];
  const add = (id: Found['id'], does: FrameFault['does'], text: string) => {
    const known = faults.findIndex((fault) => fault.id === id);
    if (known < 0) faults.push({ id, does, summary: text });
    else if (faults[known]?.does === 'loses' && does !== 'loses') faults[known] = { id, does, summary: text };
  };
  for (const frame of frames)
    if (frame.bytes > limits.phoneFrameBytes) add('phone/frame-too-large', 'ends', tooLarge(frame));
  for (const frame of frames) {
    if (frame.bytes > limits.phoneFrameBytes) continue;
    if (isJsonObject(frame.value)) for (const fault of faultsOf(frame.value)) add(...fault);
    else add(...notAnObject(frame));
  }
  const closing = closingField(calls);
  if (closing !== undefined) {
    const text = `The closing piece of your answers has "${closing}": true instead of "last": true.`;
    add('phone/last-under-another-field', 'opens', text);
  }
  const binary = frames.find((frame) => frame.binary === true && isJsonObject(frame.value));
  if (binary) add('phone/binary-frames', 'loses', 'Your endpoint sends its JSON in binary frames.');
  const order = ['ends', 'silences', 'opens', 'loses'];
  return faults.sort((one, other) => order.indexOf(one.does) - order.indexOf(other.does));
}

function tooLarge({ bytes }: CallFrame): string {
  return `Your endpoint sent a frame of ${bytes > 4 * limits.phoneFrameBytes ? 'more than ' : ''}${bytes} bytes; at most ${limits.phoneFrameBytes} are allowed.`;
}

/** Judges a frame that is not a JSON object. */
function notAnObject({ text, value, binary }: CallFrame): [Found['id'], FrameFault['does'], string] {
  if (typeof value === 'string' && isJsonObject(parsed(value))) {
    return [
      'phone/frames-double-encoded',
      'silences',
      'Your frames are JSON strings that contain JSON: they were encoded twice.',
    ];
  }
  if (Array.isArray(value)) {
    return [
      'phone/several-objects-in-a-frame',
      'silences',
      'Your endpoint sends a JSON list where one object is expected.',
    ];
  }
  const lines = text.split(/\r?\n|(?<=\})(?=\{)/).filter((line) => line.trim() !== '');
  if (lines.length > 1 && lines.every((line) => isJsonObject(parsed(line)))) {
    return [
      'phone/several-objects-in-a-frame',
      'silences',
      `Your endpoint sends ${lines.length} JSON objects in one frame.`,
    ];
  }
  if (binary === true && value === undefined) {
    return [
      'phone/sends-audio',
      'silences',
      'Your endpoint sends binary data that is not JSON, as if the service accepted audio.',
    ];
  }
  if (/^\W*(?:\w*error|\w*exception|traceback)\b/i.test(text)) {
    return [
      'phone/answers-with-an-error',
      'silences',
      `Your endpoint sends an error instead of a frame: ${shortened(text)}.`,
    ];
  }
  return [
    'phone/frames-not-json',
    hasProse(text) ? 'silences' : 'loses',
    `Your endpoint sends frames that are not JSON objects, such as ${shortened(text)}.`,
  ];
}

function* faultsOf(value: JsonObject): Generator<[Found['id'], FrameFault['does'], string]> {
  switch (frameType(value)) {
    case undefined:
      if (/error/i.test(typeof value.type === 'string' ? value.type : (Object.keys(value)[0] ?? ''))) {
        yield [
          'phone/answers-with-an-error',
          'silences',
          `Your endpoint sends an error frame: ${shortened(shortJson(value))}.`,
        ];
      } else yield ['phone/frame-type-unknown', hasProse(value) ? 'silences' : 'loses', describeType(value)];
      return;
    case 'text':
      yield* textFaults(value);
      return;
    case 'action':
      if (value.action !== 'end' && value.action !== 'handover') {
        yield [
          'phone/action-unknown',
          'loses',
          `Your endpoint sends the action ${shortened(shortJson(value.action))}, which is not known.`,
        ];
      }
      return;
    case 'skill':
      if (namedSkills(value).length === 0) {
        yield [
          'phone/skill-frame-empty',
          'loses',
          'Your endpoint sends a skill frame that names no skill in executeSkills or key.',
        ];
      }
  }
}

function* textFaults(value: JsonObject): Generator<[Found['id'], FrameFault['does'], string]> {
  const { text = value.token, last } = value;
  if (text === undefined || text === null) {
    const [name] =
      Object.entries(value).find(
        ([key, field]) => key !== 'type' && typeof field === 'string' && field.trim() !== '',
      ) ?? [];
    if (name !== undefined) {
      yield [
        'phone/words-under-another-field',
        'silences',
        `Your text frames have their text in "${name}" and not in "text".`,
      ];
    }
  } else if (typeof text !== 'string') {
    const kind = Array.isArray(text) ? 'a list' : typeof text === 'object' ? 'an object' : `a ${typeof text}`;
    yield ['phone/text-not-a-string', 'silences', `The text of your text frames is ${kind} and not a string.`];
  }
  if (last !== undefined && typeof last !== 'boolean') {
    // A value that means false does not close the answer in any case.
    const meansTrue = last === 1 || (typeof last === 'string' && /^(?:true|1|yes)$/i.test(last));
    yield [
      'phone/last-not-boolean',
      meansTrue ? 'opens' : 'loses',
      `"last" of your text frames is ${shortened(shortJson(last))} and not true or false.`,
    ];
  }
}

/** A field that is true only in the last piece of every answer, if none has `last: true`. */
function closingField(calls: readonly CallObservation[]): string | undefined {
  let candidates: Set<string> | undefined;
  for (const { frames, answers } of calls) {
    for (const [nth, { toFrame, outcome, pieces }] of answers.entries()) {
      if (pieces === 0 || outcome === 'action') continue;
      const until = answers[nth + 1]?.toFrame ?? frames.length;
      const texts = frames
        .slice(toFrame + 1, until)
        .flatMap(({ from, value }) =>
          from === 'ai' && isJsonObject(value) && frameType(value) === 'text' ? [value] : [],
        );
      const final = texts.at(-1);
      if (final === undefined || texts.some(({ last }) => last === true)) return undefined;
      const others = texts.slice(0, -1);
      const own = Object.keys(final).filter(
        (name) => final[name] === true && !others.some((other) => other[name] === true),
      );
      candidates = new Set(own.filter((name) => candidates?.has(name) ?? true));
    }
  }
  return candidates?.values().next().value;
}

function describeType({ type, ...fields }: JsonObject): string {
  if (typeof type === 'string')
    return `Your endpoint sends frames of the type ${shortened(shortJson(type))}, which is not known.`;
  return `Your endpoint sends frames without a type, with the fields ${shortened(Object.keys(fields).join(', '))}.`;
}

/** Whether a value contains several words, as speech does; a heartbeat or an id does not. */
function hasProse(value: unknown): boolean {
  // Iterative, since external input may be nested without limit.
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === 'string' && isProse(one)) return true;
    if (isJsonContainer(one)) for (const inner of Object.values(one)) left.push(inner);
  }
  return false;
}

/** Whether a string has two consecutive words. */
function isProse(text: string): boolean {
  const words = text.split(/\s+/).map((word) => /\p{L}/u.test(word));
  return words.some((isWord, at) => isWord && words[at + 1] === true);
}

function parsed(text: string): unknown {
  const result = parseJson(Buffer.from(text, 'utf8'));
  return 'error' in result ? undefined : result.value;
}

function shortened(text = ''): string {
  const characters = [...text];
  return characters.length <= quoted ? text : `${characters.slice(0, quoted).join('')}…`;
}
