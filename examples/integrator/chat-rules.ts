import { cut } from './json.ts';

/** A skill that the event offers. Only what is allowed right now is listed there. */
export interface OfferedSkill {
  key: string;
  name: string;
  kind: string;
}

/** Goes out as the answer to the event or, with the same members, as the body of an agent reply. */
export interface ChatAnswer {
  text: string;
  action: 'none' | 'handover' | 'end';
  note?: string;
  executeSkills?: string[];
}

export interface Thought {
  answer: ChatAnswer;
  /** The answer takes longer than the service waits, so it has to follow later. */
  takesTime: boolean;
}

/** Most that a text and a note may have (interface: Limits). UTF-16 units are never fewer than characters. */
const TEXT_UNITS = 4_000;
const NOTE_UNITS = 500;
const QUOTE_UNITS = 200;

/** Put your model here. This one knows six sentences, which is enough to see every kind of answer. */
export function think(message: string, skills: readonly OfferedSkill[]): Thought {
  if (/come back to me/i.test(message)) {
    return { answer: finish({ text: 'I have checked: everything is in order.', action: 'none' }), takesTime: true };
  }
  return { answer: finish(answerTo(message, skills)), takesTime: false };
}

function answerTo(message: string, skills: readonly OfferedSkill[]): ChatAnswer {
  const quote = cut(message, QUOTE_UNITS);
  if (/speak to a person/i.test(message)) {
    return { text: 'A colleague will take over.', action: 'handover', note: `Asked for a person: ${quote}` };
  }
  if (/that is all/i.test(message)) return { text: 'You are welcome. Goodbye!', action: 'end' };
  if (/urgent/i.test(message)) return alert(quote, skills);
  const target = /put me through to (?<target>[\p{L}\p{N}-]+)/iu.exec(message)?.groups?.['target'];
  if (target !== undefined) return forward(target, skills);
  return { text: `You wrote: “${quote}”. I can answer, check something for you, or find a person.`, action: 'none' };
}

/** A skill that the event does not offer would be refused, so without one a person is asked instead. */
function alert(quote: string, skills: readonly OfferedSkill[]): ChatAnswer {
  const note = `Urgent: ${quote}`;
  const skill = skills.find(({ kind }) => kind === 'alert');
  if (skill === undefined) return { text: 'I am passing this on at once.', action: 'handover', note };
  return { text: 'I have alerted the team.', action: 'none', note, executeSkills: [skill.key] };
}

function forward(target: string, skills: readonly OfferedSkill[]): ChatAnswer {
  const wanted = target.toLowerCase();
  const skill = skills.find(
    ({ kind, key, name }) => kind === 'forward' && [key, name].some((word) => word.toLowerCase() === wanted),
  );
  if (skill === undefined) return { text: 'They cannot be reached right now. May I help you?', action: 'none' };
  return { text: 'I am putting you through.', action: 'none', executeSkills: [skill.key] };
}

/** The last look before anything leaves: a text that is too long would be refused as a whole. */
function finish(answer: ChatAnswer): ChatAnswer {
  const note = answer.note === undefined ? {} : { note: cut(answer.note, NOTE_UNITS) };
  return { ...answer, text: cut(answer.text, TEXT_UNITS), ...note };
}
