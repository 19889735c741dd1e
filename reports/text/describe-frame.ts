import { frameType } from '../../specs/frame-type.ts';
import type { CallFrameRecord } from '../../specs/generated/types.ts';
import { counted } from './wording.ts';

/** Whose doing a frame is: prompts, keys and interruptions are the caller's, whom the service speaks for. */
export type Speaker = 'service' | 'caller' | 'AI';

type Frame = Readonly<Record<string, unknown>>;

/** Characters of a text that a line quotes, and of JSON that it shows; what is longer is cut in the middle. */
const quotedCharacters = 240;
/** How much of a text that is cut stands before the cut: what it begins with tells most. */
const headShare = 0.7;
const namedAtMost = 8;
/** Bytes from which a frame's size is worth telling. */
const largeBytes = 8_192;

/** What one frame does, in words, with its speaker. Holds outside text as it is: escape it for where it goes. */
export function describeFrame(record: CallFrameRecord): { who: Speaker; what: string } {
  const { who, what } = record.from === 'service' ? serviceWords(record) : aiWords(record);
  const notes = [
    ...(record.binary ? ['in a binary frame'] : []),
    ...(record.bytes >= largeBytes ? [counted(record.bytes, 'byte')] : []),
  ];
  return { who, what: notes.length === 0 ? what : `${what} (${notes.join(', ')})` };
}

/** The text of a frame with speech of the AI, which may be empty, and whether it closes the answer. */
export function speechOf(record: CallFrameRecord): { text: string; last: boolean } | undefined {
  const frame = record.from === 'ai' ? objectOf(record.text) : undefined;
  if (!frame || frameType(frame) !== 'text') return undefined;
  const text = frame['text'] ?? frame['token'];
  return typeof text === 'string' ? { text, last: frame['last'] === true } : undefined;
}

/** The text in quotation marks, a long one cut in the middle. */
export function quoted(text: string): string {
  return `“${cutInTheMiddle(oneMark(text))}”`;
}

/** A secret that came in pieces has a mark in each of them; put together they are one. */
function oneMark(text: string): string {
  return text.replace(/(\[redacted: [^\]]*\])\1+/g, '$1');
}

function serviceWords(record: CallFrameRecord): { who: Speaker; what: string } {
  const frame = objectOf(record.text);
  const service = (what: string) => ({ who: 'service' as const, what });
  const caller = (what: string) => ({ who: 'caller' as const, what });
  if (!frame) return service(unread(record));
  const further = furtherWords(frame);
  switch (frame['type']) {
    case 'session.started':
      return service(startedWords(frame) + further);
    case 'prompt':
      return caller(`says ${valueWords(frame['text'])}${further}`);
    case 'dtmf':
      return caller(`presses ${nameWords(frame['digit'])}${further}`);
    case 'interrupt': {
      const spoken = frame['spokenUntilInterrupt'];
      return caller(
        `interrupts ${spoken === '' ? 'before a word was heard' : `after ${valueWords(spoken)}`}${further}`,
      );
    }
    case 'skill.result':
      return service(`tells the outcome of skill ${outcomeWords(frame)}${further}`);
    case 'session.ended':
      return service(`ends the session${further}`);
    default:
      return service(otherWords(frame));
  }
}

function aiWords(record: CallFrameRecord): { who: Speaker; what: string } {
  const frame = objectOf(record.text);
  const ai = (what: string) => ({ who: 'AI' as const, what });
  if (!frame) return ai(unread(record));
  switch (frameType(frame)) {
    case 'text': {
      const speech = speechOf(record);
      if (!speech) return ai(`sends a text frame without speech: ${jsonWords(frame)}`);
      if (speech.text === '') return ai(speech.last ? 'closes the answer with an empty piece' : 'sends an empty piece');
      return ai(`says ${quoted(speech.text)}`);
    }
    case 'action':
      return ai(actionWords(frame));
    case 'skill': {
      const asked = frame['executeSkills'] ?? frame['key'];
      const skills = Array.isArray(asked) ? asked : [asked];
      return ai(`asks for ${skills.length === 1 ? 'skill' : 'skills'} ${listWords(skills)}${sideWords(frame)}`);
    }
    case undefined:
      return ai(otherWords(frame));
  }
}

function startedWords(frame: Frame): string {
  const { from, to, language, contact, skills, resumed, resumedAfter } = frame;
  const parts = [
    `from ${nameWords(from)} to ${nameWords(to)}`,
    `in ${nameWords(language)}`,
    isObject(contact)
      ? `with contact ${contact['name'] === undefined ? 'without a name' : valueWords(contact['name'])} (${nameWords(contact['id'])})`
      : 'without a contact',
    Array.isArray(skills) && skills.length > 0 ? `offering ${listWords(skills)}` : 'offering no skills',
    ...(resumed === undefined ? [] : [`resumed: ${nameWords(resumed)}`]),
    ...(isObject(resumedAfter) ? [`after skill ${outcomeWords(resumedAfter)}`] : []),
  ];
  return `starts the session, ${parts.join(', ')}`;
}

function outcomeWords({ key, ok, reason }: Frame): string {
  const said = ok === true ? 'done' : ok === false ? 'refused' : `ok ${jsonWords(ok)}`;
  return `${nameWords(key)}: ${said}${reason === undefined || reason === null ? '' : ` (${nameWords(reason)})`}`;
}

function actionWords(frame: Frame): string {
  const { action, text } = frame;
  const does =
    action === 'end'
      ? 'ends the call'
      : action === 'handover'
        ? 'hands over to the team'
        : `asks for the unknown action ${valueWords(action)}`;
  return `${text === undefined || text === '' ? '' : `says ${valueWords(text)} and `}${does}${sideWords(frame)}`;
}

function sideWords({ note, announcement }: Frame): string {
  const said = (name: string, value: unknown) => (value === undefined ? '' : `, ${name} ${valueWords(value)}`);
  return said('note', note) + said('announcement', announcement);
}

function otherWords(frame: Frame): string {
  const type = frame['type'];
  const which = type === undefined ? 'without a type' : `of the unknown type ${valueWords(type)}`;
  return `sends a frame ${which}: ${jsonWords(frame)}`;
}

function unread({ text, bytes }: CallFrameRecord): string {
  if (text === '') return 'sends an empty frame';
  if (Buffer.byteLength(text) < bytes)
    return `sends a frame of ${counted(bytes, 'byte')}, which begins ${quoted(text)}`;
  return isJson(text)
    ? `sends JSON that is not an object: ${cutInTheMiddle(text)}`
    : `sends what is not JSON: ${quoted(text)}`;
}

const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  'session.started':
    'protocol callId callSid projectId workspaceId agentId from to language contact skills resumed resumedAfter'.split(
      ' ',
    ),
  prompt: ['text'],
  dtmf: ['digit'],
  interrupt: ['spokenUntilInterrupt'],
  'skill.result': ['key', 'ok', 'reason'],
};

/** What the service sent beyond the interface, to see what an AI does about it. */
function furtherWords(frame: Frame): string {
  const known = fieldsOf[String(frame['type'])] ?? [];
  const further = Object.keys(frame).filter((name) => name !== 'type' && !known.includes(name));
  return further.length === 0 ? '' : `, with further fields ${listWords(further)}`;
}

function listWords(items: readonly unknown[]): string {
  const shown = items.slice(0, namedAtMost).map((item) => {
    if (!isObject(item)) return nameWords(item);
    return `${nameWords(item['key'])}${item['kind'] === undefined ? '' : ` (${nameWords(item['kind'])})`}`;
  });
  return [...shown, ...(items.length > namedAtMost ? [`${items.length - namedAtMost} more`] : [])].join(', ');
}

/** A text in quotation marks, anything else as JSON. */
function valueWords(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : jsonWords(value);
}

/** A name, a number or an id: a text as it is, anything else as JSON. */
function nameWords(value: unknown): string {
  return typeof value === 'string' && value !== '' ? cutInTheMiddle(value) : valueWords(value);
}

function jsonWords(value: unknown): string {
  return value === undefined ? '(missing)' : cutInTheMiddle(JSON.stringify(value));
}

function cutInTheMiddle(text: string): string {
  if (text.length <= quotedCharacters) return text;
  const head = Math.ceil(quotedCharacters * headShare);
  return `${text.slice(0, head)} … ${text.slice(head - quotedCharacters)}`;
}

function objectOf(text: string): Frame | undefined {
  const value = parsed(text);
  return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is Frame {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isJson(text: string): boolean {
  return parsed(text) !== undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
