import { answerFields, documentedAnswer } from './answer-fields.ts';
import { shortJson } from '../../specs/explain-violations.ts';
import { limits } from '../../specs/limits.ts';
import type { Skill } from '../../specs/generated/types.ts';
import type { Aspect } from '../judgement.ts';
import { judgePlaceholders } from '../placeholders.ts';
import { skillRules } from '../skill-rules.ts';
import { undocumentedFieldsFinding } from '../undocumented-fields.ts';

/** The parsed body of a 200 answer or of a later reply, with the event that it answers and the assistant's skills. */
export interface ReplyBody {
  value: Record<string, unknown>;
  event: Record<string, unknown>;
  skills: readonly Skill[];
}

const actions = ['none', 'handover', 'end'];

/**
 * Rules about the content of an own AI's answers, for the body of a 200 answer and of a later reply alike (interface:
 * Own-AI chat event, Skills as tools). A field that is null is read as missing.
 */
export const chatAnswerAspects: readonly Aspect<ReplyBody>[] = [
  {
    requirement: 'own-ai-chat/has-a-documented-field',
    title: 'at least one field is one that the interface documents',
    needs: 'No answer had a body with fields.',
    judge: ({ value }) => {
      if (Object.keys(value).length === 0) return 'nothing';
      return undocumentedFieldsFinding(value, documentedAnswer) ?? true;
    },
  },
  {
    requirement: 'own-ai-chat/action-is-known',
    title: 'action is none, handover or end',
    needs: 'No answer had an action.',
    judge: ({ value: { action } }) => {
      if (action === undefined || action === null) return 'nothing';
      return (
        actions.includes(action as string) || {
          expected: `action to be one of ${actions.join(', ')}`,
          received: shortJson(action),
          part: { body: ['action'] },
        }
      );
    },
  },
  {
    requirement: 'own-ai-chat/text-is-a-string',
    title: 'text is a string',
    needs: 'No answer had text.',
    judge: ({ value: { text } }) => {
      if (text === undefined || text === null) return 'nothing';
      return (
        typeof text === 'string' || {
          expected: 'text to be a string',
          received: shortJson(text),
          part: { body: ['text'] },
        }
      );
    },
  },
  within(
    'own-ai-chat/text-within-4000-characters',
    'text',
    limits.ownAiTextCharacters,
    'characters (Unicode code points)',
    codePoints,
  ),
  within('own-ai-chat/text-within-4000-utf-16-units', 'text', limits.ownAiTextCharacters, 'UTF-16 units', utf16Units),
  within(
    'own-ai-chat/note-within-500-characters',
    'note',
    limits.ownAiNoteCharacters,
    'characters (Unicode code points), or it is cut',
    codePoints,
  ),
  within('own-ai-chat/note-within-500-utf-16-units', 'note', limits.ownAiNoteCharacters, 'UTF-16 units', utf16Units),
  {
    requirement: 'own-ai-chat/members-have-their-types',
    title: 'note and announcement are strings and executeSkills is a list of keys or ids',
    needs: 'No answer had a note, an announcement or skills.',
    judge: ({ value }) => {
      let judged = false;
      for (const name of ['note', 'announcement']) {
        if (value[name] === undefined || value[name] === null) continue;
        judged = true;
        if (typeof value[name] !== 'string') {
          return { expected: `${name} to be a string`, received: shortJson(value[name]), part: { body: [name] } };
        }
      }
      const { executeSkills: named } = value;
      if (named === undefined || named === null) return judged ? true : 'nothing';
      const isList =
        Array.isArray(named) && named.every((skill) => typeof skill === 'string' || Number.isInteger(skill));
      return (
        isList || {
          expected: 'executeSkills to be a list of keys or ids',
          received: shortJson(named),
          part: { body: ['executeSkills'] },
        }
      );
    },
  },
  {
    requirement: 'own-ai-chat/no-null-members',
    title: 'fields without a value are omitted',
    needs: 'No answer had a documented field.',
    judge: ({ value }) => {
      const fields = answerFields.filter((field) => field in value);
      if (fields.length === 0) return 'nothing';
      const name = fields.find((field) => value[field] === null);
      return (
        name === undefined || {
          expected: `${name} with a value or omitted`,
          received: 'null',
          part: { body: [name] },
        }
      );
    },
  },
  {
    requirement: 'own-ai-chat/no-placeholder-for-a-missing-value',
    title: 'text, note and announcement contain no placeholder for a missing value',
    needs: 'No answer had text, a note or an announcement.',
    judge: ({ value: { text, note, announcement }, event }) => judgePlaceholders({ text, note, announcement }, event),
  },
  ...skillRules.map(({ slug, title, judge }): Aspect<ReplyBody> => ({
    requirement: `own-ai-chat/${slug}`,
    title,
    needs: 'No answer used a skill, or the config lists no skills.',
    judge: ({ value, skills, event }) => {
      const named = skillsOf(value);
      const { skills: offered = [], autoReply } = event.data as {
        skills?: readonly Skill[];
        autoReply?: { state?: string };
      };
      if (named.length === 0) return 'nothing';
      return judge({
        named,
        // Skills that the event offers are known too, even if the config does not contain them.
        skills: [...skills, ...offered],
        offered: autoReply?.state === 'on' ? offered : undefined,
        where: 'data.skills',
      });
    },
  })),
  {
    requirement: 'own-ai-chat/names-no-skill-while-not-on',
    title: 'no skill is named while auto-reply is not on',
    needs: 'No message was answered with content while auto-reply was not on.',
    judge: ({ value, event }) => {
      if (!answerFields.some((field) => field in value)) return 'nothing';
      const { autoReply } = event.data as { autoReply?: { state?: string } };
      if (autoReply?.state === undefined || autoReply.state === 'on') return 'nothing';
      const named = skillsOf(value);
      return (
        named.length === 0 || {
          expected: `no skill while auto-reply is ${autoReply.state}`,
          received: shortJson(named),
          part: { body: ['executeSkills'] },
        }
      );
    },
  },
];

function within(
  requirement: Aspect<ReplyBody>['requirement'],
  field: 'text' | 'note',
  most: number,
  unit: string,
  count: (text: string) => number,
): Aspect<ReplyBody> {
  return {
    requirement,
    title: `${field} has at most ${most} ${unit.split(/[ ,(]/)[0] === 'UTF-16' ? 'UTF-16 units' : 'characters'}`,
    needs: `No answer had the field ${field}.`,
    judge: ({ value }) => {
      const text = value[field];
      if (typeof text !== 'string') return 'nothing';
      // Text over the limit in code points is reported there, once.
      if (count === utf16Units && codePoints(text) > most) return 'nothing';
      return (
        count(text) <= most || {
          expected: `${field} of at most ${most} ${unit}`,
          received: `${count(text)}`,
          part: { body: [field] },
        }
      );
    },
  };
}

function skillsOf({ executeSkills }: Record<string, unknown>): unknown[] {
  return Array.isArray(executeSkills) ? executeSkills : [];
}

function codePoints(text: string): number {
  return [...text].length;
}

function utf16Units(text: string): number {
  return text.length;
}
