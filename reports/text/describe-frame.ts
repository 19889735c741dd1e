import { frameType } from '../../specs/frame-type.ts';
import type { CallFrameRecord } from '../../specs/generated/types.ts';
import { counted } from './wording.ts';
import type { JsonObject } from '../../specs/json-value.ts';
import { isJsonObject } from '../../specs/json-object.ts';

/** The speaker of a frame. The service sends prompts, keys and interruptions on behalf of the caller. */
export type CallSpeaker = 'service' | 'caller' | 'AI';

/** The most characters of a quoted string or of JSON in a line; longer ones are cut in the middle. */
const quotedCharacters = 240;
/** Share of a cut string before the cut: its beginning says most. */
const headShare = 0.7;
const namedAtMost = 8;
/** Frames of this many bytes are shown with their size. */
const largeBytes = 8_192;

/** Describes one frame. Contains outside text: escape it for the output format. */
export function describeFrame(record: CallFrameRecord): { who: CallSpeaker; what: string } {
  const { who, what } = record.from === 'service' ? describeServiceFrame(record) : describeAiFrame(record);
  const notes = [
    ...(record.binary ? ['in a binary frame'] : []),
    ...(record.bytes >= largeBytes ? [counted(record.bytes, 'byte')] : []),
  ];
  return { who, what: notes.length === 0 ? what : `${what} (${notes.join(', ')})` };
}

/** The AI's speech in a frame, which may be empty, and whether it closes the answer. */
export function speechOf(record: CallFrameRecord): { text: string; last: boolean } | undefined {
  const frame = record.from === 'ai' ? objectOf(record.text) : undefined;
  if (!frame || frameType(frame) !== 'text') return undefined;
  const text = frame['text'] ?? frame['token'];
  return typeof text === 'string' ? { text, last: frame['last'] === true } : undefined;
}

/** The string in quotation marks; a long one is cut in the middle. */
export function quoted(text: string): string {
  return `“${cutInTheMiddle(oneMark(text))}”`;
}

/** Merges the redaction marks of a secret that was sent in pieces. */
function oneMark(text: string): string {
  return text.replace(/(\[redacted: [^\]]*\])\1+/g, '$1');
}

function describeServiceFrame(record: CallFrameRecord): { who: CallSpeaker; what: string } {
  const frame = objectOf(record.text);
  const service = (what: string) => ({ who: 'service' as const, what });
  const caller = (what: string) => ({ who: 'caller' as const, what });
  if (!frame) return service(describeUnreadable(record));
  const further = formatFurtherFields(frame);
  switch (frame['type']) {
    case 'session.started':
      return service(describeStart(frame) + further);
    case 'prompt':
      return caller(`says ${formatValue(frame['text'])}${further}`);
    case 'dtmf':
      return caller(`presses ${formatName(frame['digit'])}${further}`);
    case 'interrupt': {
      const spoken = frame['spokenUntilInterrupt'];
      return caller(`interrupts ${spoken === '' ? 'before any speech' : `after ${formatValue(spoken)}`}${further}`);
    }
    case 'skill.result':
      return service(`reports the outcome of skill ${formatSkillOutcome(frame)}${further}`);
    case 'session.ended':
      return service(`ends the session${further}`);
    default:
      return service(describeUnknownFrame(frame));
  }
}

function describeAiFrame(record: CallFrameRecord): { who: CallSpeaker; what: string } {
  const frame = objectOf(record.text);
  const ai = (what: string) => ({ who: 'AI' as const, what });
  if (!frame) return ai(describeUnreadable(record));
  switch (frameType(frame)) {
    case 'text': {
      const speech = speechOf(record);
      if (!speech) return ai(`sends a text frame without speech: ${formatJsonValue(frame)}`);
      if (speech.text === '') return ai(speech.last ? 'closes the answer with an empty piece' : 'sends an empty piece');
      return ai(`says ${quoted(speech.text)}`);
    }
    case 'action':
      return ai(describeAction(frame));
    case 'skill': {
      const asked = frame['executeSkills'] ?? frame['key'];
      const skills = Array.isArray(asked) ? asked : [asked];
      return ai(`requests ${skills.length === 1 ? 'skill' : 'skills'} ${formatList(skills)}${formatNotes(frame)}`);
    }
    case undefined:
      return ai(describeUnknownFrame(frame));
  }
}

function describeStart(frame: JsonObject): string {
  const { from, to, language, contact, skills, resumed, resumedAfter } = frame;
  const parts = [
    `from ${formatName(from)} to ${formatName(to)}`,
    `in ${formatName(language)}`,
    isJsonObject(contact)
      ? `with contact ${contact['name'] === undefined ? 'without a name' : formatValue(contact['name'])} (${formatName(contact['id'])})`
      : 'without a contact',
    Array.isArray(skills) && skills.length > 0 ? `offering ${formatList(skills)}` : 'offering no skills',
    ...(resumed === undefined ? [] : [`resumed: ${formatName(resumed)}`]),
    ...(isJsonObject(resumedAfter) ? [`after skill ${formatSkillOutcome(resumedAfter)}`] : []),
  ];
  return `starts the session, ${parts.join(', ')}`;
}

function formatSkillOutcome({ key, ok, reason }: JsonObject): string {
  const said = ok === true ? 'done' : ok === false ? 'refused' : `ok ${formatJsonValue(ok)}`;
  return `${formatName(key)}: ${said}${reason === undefined || reason === null ? '' : ` (${formatName(reason)})`}`;
}

function describeAction(frame: JsonObject): string {
  const { action, text } = frame;
  const does =
    action === 'end'
      ? 'ends the call'
      : action === 'handover'
        ? 'hands over to the team'
        : `requests the unknown action ${formatValue(action)}`;
  return `${text === undefined || text === '' ? '' : `says ${formatValue(text)} and `}${does}${formatNotes(frame)}`;
}

function formatNotes({ note, announcement }: JsonObject): string {
  const said = (name: string, value: unknown) => (value === undefined ? '' : `, ${name} ${formatValue(value)}`);
  return said('note', note) + said('announcement', announcement);
}

function describeUnknownFrame(frame: JsonObject): string {
  const type = frame['type'];
  const which = type === undefined ? 'without a type' : `of the unknown type ${formatValue(type)}`;
  return `sends a frame ${which}: ${formatJsonValue(frame)}`;
}

function describeUnreadable({ text, bytes }: CallFrameRecord): string {
  if (text === '') return 'sends an empty frame';
  if (Buffer.byteLength(text) < bytes)
    return `sends a frame of ${counted(bytes, 'byte')}, which starts with ${quoted(text)}`;
  return isJson(text)
    ? `sends JSON that is not an object: ${cutInTheMiddle(text)}`
    : `sends text that is not JSON: ${quoted(text)}`;
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

/** Fields that the service sent in addition to those of the interface, to test how the AI handles them. */
function formatFurtherFields(frame: JsonObject): string {
  const known = fieldsOf[String(frame['type'])] ?? [];
  const further = Object.keys(frame).filter((name) => name !== 'type' && !known.includes(name));
  return further.length === 0 ? '' : `, with further fields ${formatList(further)}`;
}

function formatList(items: readonly unknown[]): string {
  const shown = items.slice(0, namedAtMost).map((item) => {
    if (!isJsonObject(item)) return formatName(item);
    return `${formatName(item['key'])}${item['kind'] === undefined ? '' : ` (${formatName(item['kind'])})`}`;
  });
  return [...shown, ...(items.length > namedAtMost ? [`${items.length - namedAtMost} more`] : [])].join(', ');
}

/** A string in quotation marks, anything else as JSON. */
function formatValue(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : formatJsonValue(value);
}

/** A name, a number or an id: a string without quotation marks, anything else as JSON. */
function formatName(value: unknown): string {
  return typeof value === 'string' && value !== '' ? cutInTheMiddle(value) : formatValue(value);
}

function formatJsonValue(value: unknown): string {
  return value === undefined ? '(missing)' : cutInTheMiddle(JSON.stringify(value));
}

function cutInTheMiddle(text: string): string {
  if (text.length <= quotedCharacters) return text;
  const head = Math.ceil(quotedCharacters * headShare);
  return `${text.slice(0, head)} … ${text.slice(head - quotedCharacters)}`;
}

function objectOf(text: string): JsonObject | undefined {
  const value = parsed(text);
  return isJsonObject(value) ? value : undefined;
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
