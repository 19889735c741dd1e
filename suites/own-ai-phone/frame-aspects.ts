import { namedSkills } from '../../harness/wire/frame-meaning.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { CallFrame } from '../../harness/wire/observation.ts';
import { frameType, hasUnknownType } from '../../specs/frame-type.ts';
import { shortJson } from '../../specs/explain-violations.ts';
import { limits, smallKilobytes } from '../../specs/limits.ts';
import type { Skill } from '../../specs/generated/types.ts';
import type { Aspect, Judgement } from '../judgement.ts';
import { documentedFrame } from '../documented-frame.ts';
import { skillRules } from '../skill-rules.ts';
import { undocumentedFieldsFinding } from '../undocumented-fields.ts';
import type { JsonObject } from '../../specs/json-value.ts';

/** One frame of the AI, with the skills that its call offers and those of the assistant. */
export interface FrameBody {
  frame: CallFrame;
  /** Index among all frames of its call. */
  index: number;
  offered: readonly Skill[];
  skills: readonly Skill[];
  /** Skills that earlier frames of the same answer named. */
  namedBefore: readonly (string | number)[];
}

/** Characters of a frame that a message quotes. */
const quotedCharacters = 120;
const types = ['text', 'action', 'skill'];
const actions = ['end', 'handover'];

/** Rules about all skills of one answer, in whichever frames they are named. */
const perAnswer = new Set<string>(['at-most-five-skills', 'at-most-one-forward', 'names-each-skill-once']);

const rules: readonly Aspect<FrameBody>[] = [
  {
    requirement: 'own-ai-phone/frame-is-json',
    title: 'each frame is a JSON object',
    needs: 'The AI sent no frame.',
    judge: ({ frame: { value, text, bytes } }) => {
      if (bytes > limits.phoneFrameBytes) return 'nothing';
      return (
        isJsonObject(value) || {
          expected: 'a JSON object as a frame',
          received: text.slice(0, quotedCharacters) || 'an empty frame',
        }
      );
    },
  },
  {
    requirement: 'own-ai-phone/frame-is-text',
    title: 'frames are sent as text',
    needs: 'The AI sent no frame.',
    judge: ({ frame: { binary } }) => binary !== true || { expected: 'a text frame', received: 'a binary frame' },
  },
  {
    requirement: 'own-ai-phone/frame-within-64-kb',
    title: `a frame has at most ${limits.phoneFrameBytes} bytes`,
    needs: 'The AI sent no frame.',
    judge: ({ frame: { bytes } }) =>
      bytes <= limits.phoneFrameBytes || {
        expected: `a frame of at most ${limits.phoneFrameBytes} bytes`,
        received: `${bytes}, which ends the connection`,
      },
  },
  {
    requirement: 'own-ai-phone/frame-within-64000-bytes',
    title: `a frame has at most ${smallKilobytes} bytes`,
    needs: 'The AI sent no frame of up to 64 KB.',
    judge: ({ frame: { bytes } }) => {
      if (bytes > limits.phoneFrameBytes) return 'nothing';
      return (
        bytes <= smallKilobytes || { expected: `a frame of at most ${smallKilobytes} bytes`, received: `${bytes}` }
      );
    },
  },
  {
    requirement: 'own-ai-phone/frame-type-is-known',
    title: 'the type of a frame, where it has one, is text, action or skill',
    needs: 'The AI sent no JSON object.',
    judge: ({ frame: { value } }) => {
      if (!isJsonObject(value) || undocumentedFieldsFinding(value, documentedFrame)) return 'nothing';
      return (
        !hasUnknownType(value) || {
          expected: `type to be one of ${types.join(', ')}`,
          received: value.type === undefined ? 'no type' : shortJson(value.type),
        }
      );
    },
  },
  {
    requirement: 'own-ai-phone/frame-has-a-documented-field',
    title: 'each frame has a field that the interface documents',
    needs: 'The AI sent no JSON object with fields.',
    judge: ({ frame: { value } }) => {
      if (!isJsonObject(value) || Object.keys(value).length === 0) return 'nothing';
      const finding = undocumentedFieldsFinding(value, documentedFrame);
      return finding === undefined || { ...finding, part: undefined };
    },
  },
  ofType('text', 'own-ai-phone/text-is-there', 'a text frame has text or token', ({ text, token }) => {
    return (text ?? token ?? undefined) !== undefined || { expected: 'text or token', received: 'neither' };
  }),
  ofType('text', 'own-ai-phone/text-is-a-string', 'text and token are strings', ({ text, token }) => {
    for (const [name, value] of Object.entries({ text, token })) {
      if (value === undefined || value === null || typeof value === 'string') continue;
      return { expected: `${name} to be a string`, received: shortJson(value) };
    }
    return typeof text === 'string' || typeof token === 'string' || 'nothing';
  }),
  ofType('text', 'own-ai-phone/last-is-a-boolean', 'last is true or false', ({ last }) => {
    if (last === undefined || last === null) return 'nothing';
    return typeof last === 'boolean' || { expected: 'last to be true or false', received: shortJson(last) };
  }),
  ofType(
    undefined,
    'own-ai-phone/text-within-4000-characters',
    'the text of a frame has at most 4000 characters',
    (frame) => {
      const text = frame.text ?? frame.token;
      if (typeof text !== 'string') return 'nothing';
      return atMost(text, limits.ownAiTextCharacters, 'text');
    },
  ),
  ofType('action', 'own-ai-phone/action-is-known', 'action is end or handover', ({ action }) => {
    return (
      actions.includes(action as string) || {
        expected: `action to be one of ${actions.join(', ')}`,
        received: action === undefined ? 'none' : shortJson(action),
      }
    );
  }),
  ofType(undefined, 'own-ai-phone/note-within-500-characters', 'a note has at most 500 characters', ({ note }) => {
    if (typeof note !== 'string') return 'nothing';
    return atMost(note, limits.ownAiNoteCharacters, 'note');
  }),
  ofType(
    undefined,
    'own-ai-phone/members-have-their-types',
    'text of an action, note and announcement are strings, executeSkills is a list of keys or ids',
    (frame) => {
      const texts = {
        note: frame.note,
        announcement: frame.announcement,
        ...(frameType(frame) === 'action' && { text: frame.text }),
      };
      let judged = false;
      for (const [name, value] of Object.entries(texts)) {
        if (value === undefined || value === null) continue;
        if (typeof value !== 'string') return { expected: `${name} to be a string`, received: shortJson(value) };
        judged = true;
      }
      if (frameType(frame) !== 'skill') return judged || 'nothing';
      const { executeSkills: named, key } = frame;
      if (named !== undefined && named !== null) {
        const isList =
          Array.isArray(named) && named.every((name) => typeof name === 'string' || Number.isInteger(name));
        if (!isList) return { expected: 'executeSkills to be a list of keys or ids', received: shortJson(named) };
        judged = true;
      }
      if (key !== undefined && key !== null) {
        // One key may also be an id: executeSkills takes both.
        if (typeof key !== 'string' && !Number.isInteger(key))
          return { expected: 'key to be a key', received: shortJson(key) };
        judged = true;
      }
      return judged || 'nothing';
    },
  ),
  ofType(undefined, 'own-ai-phone/no-null-members', 'fields without a value are omitted', (frame) => {
    const name = ['text', 'token', 'last', 'action', 'note', 'executeSkills', 'key', 'announcement'].find(
      (field) => frame[field] === null,
    );
    return name === undefined || { expected: `${name} with a value or omitted`, received: 'null' };
  }),
  ofType('skill', 'own-ai-phone/skill-frame-names-a-skill', 'a skill frame names a skill', (frame) => {
    // Skills that are not in a list are reported there.
    const { executeSkills: named } = frame;
    if (named !== undefined && named !== null && !Array.isArray(named)) return 'nothing';
    return (
      namedSkills(frame).length > 0 || {
        expected: 'executeSkills with a key or an id, or key',
        received: shortJson(frame),
      }
    );
  }),
  ...skillRules.map(({ slug, title, judge }): Aspect<FrameBody> => ({
    requirement: `own-ai-phone/${slug}`,
    title,
    needs: 'The AI asked for no skill. With stimuli.phone.skill in the config a sentence can make it do so.',
    judge: ({ frame: { value }, skills, offered, namedBefore }) => {
      if (!isJsonObject(value) || frameType(value) !== 'skill') return 'nothing';
      const named = namedSkills(value);
      if (named.length === 0) return 'nothing';
      const context = { skills: [...skills, ...offered], offered, where: 'session.started' };
      const alone = judge({ ...context, named });
      if (alone !== true || namedBefore.length === 0 || !perAnswer.has(slug)) return alone;
      const together = judge({ ...context, named: [...namedBefore, ...named] });
      if (typeof together !== 'object') return together;
      const { expected, received } = together;
      return { expected, received: `${received}, in several skill frames of one answer together` };
    },
  })),
];

/** Rules about each frame of the AI (interface: Own-AI phone frames, Skills as tools). A null field is read as missing. */
export const frameAspects: readonly Aspect<FrameBody>[] = rules.map((facet) => ({
  ...facet,
  judge: (body) => {
    const judgement = facet.judge(body);
    return typeof judgement === 'object' ? { ...judgement, frame: body.index } : judgement;
  },
}));

function ofType(
  type: 'text' | 'action' | 'skill' | undefined,
  requirement: Aspect<FrameBody>['requirement'],
  title: string,
  rule: (frame: JsonObject) => Judgement,
): Aspect<FrameBody> {
  const needs =
    type === undefined || type === 'text'
      ? 'The AI sent no frame to which this rule applies.'
      : `The AI sent no ${type} frame. With stimuli.phone in the config a sentence can make it do so.`;
  return {
    requirement,
    title,
    needs,
    judge: ({ frame: { value } }) => {
      const found = isJsonObject(value) ? frameType(value) : undefined;
      if (!isJsonObject(value) || found === undefined) return 'nothing';
      return type === undefined || found === type ? rule(value) : 'nothing';
    },
  };
}

function atMost(text: string, most: number, what: string): Judgement {
  const characters = [...text].length;
  return (
    characters <= most || {
      expected: `${what} of at most ${most} characters (Unicode code points)`,
      received: `${characters}`,
    }
  );
}
