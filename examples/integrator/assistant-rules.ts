import { cut } from './json.ts';
import type { OfferedSkill } from './offered-skills.ts';

/** Goes out as the answer to a chat event, as the body of an agent reply with the same fields, or as phone frames. */
export interface AssistantAnswer {
  text: string;
  action: 'none' | 'handover' | 'end';
  note?: string;
  executeSkills?: string[];
}

export interface Thought {
  answer: AssistantAnswer;
  /** The answer takes longer than a chat waits, so it has to follow later. */
  takesTime: boolean;
  /** Milliseconds between two pieces of it on the phone; a model would set its own pace. */
  pieceEveryMs: number;
}

/**
 * Answers a customer, in chat and on the phone alike.
 *
 * @param signal aborted when the caller interrupts or hangs up: a model can stop here, its answer will not be used
 */
export type Think = (message: string, skills: readonly OfferedSkill[], signal?: AbortSignal) => Promise<Thought>;

/** Maximum lengths of text and note (interface: Limits). UTF-16 units are never fewer than characters. */
const TEXT_UNITS = 4_000;
const NOTE_UNITS = 500;
const QUOTE_UNITS = 200;

const PIECE_EVERY_MS = 10;
/** Long answers are spoken slowly enough for a caller to interrupt them. */
const LONG_PIECE_EVERY_MS = 50;
const EVERYTHING = Array.from({ length: 40 }, (_, index) => `Topic ${index + 1}: we would be glad to help.`).join(' ');

/** Put your model here. This one knows seven sentences, enough to show every kind of answer. */
export const think: Think = async (message, skills) => {
  const thought = { takesTime: false, pieceEveryMs: PIECE_EVERY_MS };
  if (/come back to me/i.test(message)) {
    const answer = finish({ text: 'I have checked: everything is in order.', action: 'none' });
    return { ...thought, answer, takesTime: true };
  }
  if (/tell me everything/i.test(message)) {
    return { ...thought, answer: finish({ text: EVERYTHING, action: 'none' }), pieceEveryMs: LONG_PIECE_EVERY_MS };
  }
  return { ...thought, answer: finish(answerTo(message, skills)) };
};

function answerTo(message: string, skills: readonly OfferedSkill[]): AssistantAnswer {
  if (message.trim() === '') return { text: 'I did not get that. Could you say it again?', action: 'none' };
  const quote = cut(message, QUOTE_UNITS);
  if (/speak to a person/i.test(message)) {
    return { text: 'A colleague will take over.', action: 'handover', note: `Asked for a person: ${quote}` };
  }
  if (/that is all/i.test(message)) return { text: 'You are welcome. Goodbye!', action: 'end' };
  if (/urgent/i.test(message)) return alert(quote, skills);
  const target = /put me through to (?<target>[\p{L}\p{N}-]+)/iu.exec(message)?.groups?.['target'];
  if (target !== undefined) return forward(target, skills);
  return { text: `I understood: “${quote}”. I can answer, check something for you, or find a person.`, action: 'none' };
}

/** A skill that is not offered would be refused; without one, the answer hands over to a person. */
function alert(quote: string, skills: readonly OfferedSkill[]): AssistantAnswer {
  const note = `Urgent: ${quote}`;
  const skill = skills.find(({ kind }) => kind === 'alert');
  if (skill === undefined) return { text: 'I am passing this on at once.', action: 'handover', note };
  return { text: 'I am alerting the team.', action: 'none', note, executeSkills: [skill.key] };
}

function forward(target: string, skills: readonly OfferedSkill[]): AssistantAnswer {
  const wanted = target.toLowerCase();
  const skill = skills.find(
    ({ kind, key, name }) => kind === 'forward' && [key, name].some((word) => word.toLowerCase() === wanted),
  );
  if (skill === undefined) return { text: 'They cannot be reached right now. May I help you?', action: 'none' };
  return { text: 'I am putting you through.', action: 'none', executeSkills: [skill.key] };
}

/** Last check before sending: an answer whose text is too long would be refused as a whole. */
function finish(answer: AssistantAnswer): AssistantAnswer {
  const note = answer.note === undefined ? {} : { note: cut(answer.note, NOTE_UNITS) };
  return { ...answer, text: cut(answer.text, TEXT_UNITS), ...note };
}
