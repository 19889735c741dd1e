import { isJsonObject } from '../../specs/json-object.ts';
import { shortJson } from '../../specs/explain-violations.ts';
import { limits } from '../../specs/limits.ts';
import type { Skill } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { chatFields, type AnswerFault } from './answer-fault.ts';
import { findMisplaced } from './find-misplaced.ts';

/** Context for judging a chat answer beyond its schema. */
export interface AnsweredMessage {
  /** The event that it answers. */
  event: Record<string, unknown>;
  /** The skills of the assistant; empty if unknown. */
  skills: readonly Skill[];
}

const actions = ['none', 'handover', 'end'];

/** Finds the faults in the object of a 200 answer or of a later reply (interface: Own-AI chat event, Skills as tools). */
export function chatFaults(answer: Record<string, unknown>, message: AnsweredMessage): AnswerFault[] {
  const { text, note, action } = answer;
  const faults: AnswerFault[] = [];
  const add = (id: AnswerFault['id'], sentence: string) => void faults.push({ id, summary: sentence });
  const elsewhere =
    findMisplaced(answer, chatFields, words) ??
    (saysNothing(answer) ? words(answer) : undefined) ??
    nextToEmptyText(answer);
  if (elsewhere) return [elsewhere];
  if (typeof text === 'string' && codePoints(text) > limits.ownAiTextCharacters) {
    add(
      'answer/text-too-long',
      `"text" of the answer has ${codePoints(text)} characters; ${limits.ownAiTextCharacters} are allowed.`,
    );
  }
  if (typeof action === 'string' && !actions.includes(action)) {
    const meant = actions.find((one) => one === action.trim().toLowerCase());
    const instead = meant === undefined ? 'none, handover and end are known' : `it is written ${meant}`;
    add('answer/unknown-action', `The action of the answer is ${shortJson(action)}; ${instead}.`);
  }
  for (const { pointer, expected, received, rule } of validate('chatAnswer', answer)) {
    const field = pointer.split('/')[1] ?? '';
    const isReported =
      (field === 'text' && typeof text === 'string') || (field === 'action' && typeof action === 'string');
    if (isReported || rule.keyword === 'maxItems') continue;
    add('answer/wrong-type', `The answer has ${received} at ${pointer}, where ${expected} is expected.`);
    break;
  }
  faults.push(...skillFaults(answer, message));
  if (typeof note === 'string' && codePoints(note) > limits.ownAiNoteCharacters) {
    add(
      'answer/note-too-long',
      `The note has ${codePoints(note)} characters and is cut after ${limits.ownAiNoteCharacters}.`,
    );
  }
  return faults;
}

function skillFaults({ executeSkills }: Record<string, unknown>, { event, skills }: AnsweredMessage): AnswerFault[] {
  if (!Array.isArray(executeSkills) || executeSkills.length === 0) return [];
  const faults: AnswerFault[] = [];
  if (executeSkills.length > limits.executeSkillsPerAnswer) {
    faults.push({
      id: 'answer/too-many-skills',
      summary: `The answer names ${executeSkills.length} skills; ${limits.executeSkillsPerAnswer} are allowed.`,
    });
  }
  const offered = offeredSkills(event);
  const known = [...skills, ...offered];
  const called = (named: unknown) => known.find(({ id, key }) => named === id || named === key);
  const forwards = new Set(executeSkills.map(called).filter((skill) => skill?.kind === 'forward'));
  if (forwards.size > limits.forwardsPerAnswer) {
    faults.push({
      id: 'answer/two-forwards',
      summary: `The answer names ${forwards.size} forward skills; ${limits.forwardsPerAnswer} is allowed.`,
    });
  }
  const strange: unknown = executeSkills.find((named) => !offered.some(({ id, key }) => named === id || named === key));
  if (strange !== undefined) {
    const among = offered.length === 0 ? 'it offers none' : `it offers ${offered.map(({ key }) => key).join(', ')}`;
    faults.push({
      id: 'answer/unknown-skill',
      summary: `The answer names the skill ${shortJson(strange)}, which the event does not offer: ${among}.`,
    });
  }
  return faults;
}

function offeredSkills(event: Record<string, unknown>): readonly Skill[] {
  const offered = isJsonObject(event.data) ? event.data.skills : undefined;
  return Array.isArray(offered) ? (offered as Skill[]) : [];
}

/** Field names under which chat libraries and models return text. */
const otherNames = new Set(
  [
    ...['message', 'reply', 'response', 'answer', 'content', 'output', 'output_text', 'result', 'completion', 'msg'],
    ...['body', 'data', 'generated_text', 'outputText', 'responseText', 'message_text', 'replyText', 'speech', 'say'],
  ].map((name) => name.toLowerCase()),
);

/** Some of them may hold a status instead, such as why nothing is sent. */
const statusNames = new Set(['result', 'data', 'body', 'msg']);

/** Whether the service does nothing with an answer: it has no text, action or skill. */
function saysNothing({ text, action, executeSkills }: Record<string, unknown>): boolean {
  const isIdle = action === undefined || action === null || action === 'none';
  return text === undefined && isIdle && (!Array.isArray(executeSkills) || executeSkills.length === 0);
}

/** Finds text next to an empty one, which sends nothing (interface: Own-AI chat event). */
function nextToEmptyText(answer: Record<string, unknown>): AnswerFault | undefined {
  if (answer.text !== '' || !saysNothing({ ...answer, text: undefined })) return undefined;
  const found = words(
    Object.fromEntries(Object.entries(answer).filter(([name]) => !statusNames.has(name.toLowerCase()))),
  );
  if (!found || found.doubt !== undefined) return undefined;
  return {
    ...found,
    doubt:
      'The field text is empty, so the customer receives nothing. If the AI is meant to stay silent, that is correct.',
  };
}

/** Finds text in an object in which the service reads none; `undefined` without any. */
function words(answer: Record<string, unknown>): AnswerFault | undefined {
  const isRead = (name: string) => chatFields.some((known) => known === name);
  const cased = Object.keys(answer).find((name) => !isRead(name) && isRead(camel(name)) && !isEmpty(answer[name]));
  if (cased !== undefined) {
    const summary = `The answer has ${cased}; the service reads this field only as ${camel(cased)}.`;
    return { id: 'answer/text-elsewhere', summary };
  }
  const [choice]: readonly unknown[] = Array.isArray(answer.choices) ? (answer.choices as unknown[]) : [];
  if (isJsonObject(choice)) {
    const inMessage = isJsonObject(choice.message) && typeof choice.message.content === 'string';
    if (inMessage) return elsewhereAt('choices[0].message.content');
    if (typeof choice.text === 'string') return elsewhereAt('choices[0].text');
  }
  const [piece]: readonly unknown[] = Array.isArray(answer.content) ? (answer.content as unknown[]) : [];
  if (isJsonObject(piece) && typeof piece.text === 'string') return elsewhereAt('content[0].text');
  const name = Object.keys(answer).find((key) => otherNames.has(key.toLowerCase()) && isProse(answer[key]));
  if (name === undefined) return undefined;
  const fault = elsewhereAt(name);
  if (!acknowledges.test(String(answer[name]).trim())) return fault;
  return { ...fault, doubt: 'It may be only a confirmation that the message arrived.' };
}

/** Machine-made confirmations of receipt. */
const acknowledges =
  /^\S*$|^.{0,24}\b(?:received|accepted|queued|processed|processing|acknowledged|delivered|stored|success(?:ful(?:ly)?)?)\b.{0,16}$/i;

function elsewhereAt(path: string): AnswerFault {
  return {
    id: 'answer/text-elsewhere',
    summary: `The text of the answer is in ${path}; the service reads only text, action, note, executeSkills and announcement at the top level.`,
  };
}

/** `Text`, `TEXT` and `execute_skills` as the interface writes them. */
function camel(name: string): string {
  const joined = name.replace(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase());
  return chatFields.find((known) => known.toLowerCase() === joined.toLowerCase()) ?? joined;
}

/** Whether a field with this value would change nothing under the right name either. */
function isEmpty(value: unknown): boolean {
  return value === '' || value === null || (Array.isArray(value) && value.length === 0);
}

function isProse(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
