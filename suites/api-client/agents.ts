import { isJsonObject } from '../../specs/json-object.ts';
import { shortJson } from '../../specs/explain-violations.ts';
import { limits } from '../../specs/limits.ts';
import { jsonObjectOf } from '../json-object.ts';
import { skillRules } from '../skill-rules.ts';
import { each, type ClientRule } from './rules.ts';
import type { ClientRequest } from './traffic.ts';

const actions = ['none', 'handover', 'end'];
const noSkills = 'No agent reply named a skill.';

/** Rules about agent replies and skills (interface: API v1, Limits, Skills as tools). */
export const agentRules: readonly ClientRule[] = [
  {
    requirement: 'api-client/action-is-listed',
    title: 'action is none, handover or end',
    needs: 'No agent reply had an action.',
    judge: each(({ operation, body }) => {
      const action = operation === 'sendAgentReply' ? body?.action : undefined;
      if (typeof action !== 'string') return 'nothing';
      return (
        actions.includes(action) || {
          expected: `action to be one of ${actions.join(', ')}`,
          received: shortJson(action),
          part: { body: ['action'] },
        }
      );
    }),
  },
  within('reply-within-4000-characters', 'text', limits.ownAiTextCharacters, 'characters (Unicode code points)'),
  within('reply-within-4000-utf-16-units', 'text', limits.ownAiTextCharacters, 'UTF-16 units'),
  within('note-within-500-characters', 'note', limits.ownAiNoteCharacters, 'characters (Unicode code points)'),
  within('note-within-500-utf-16-units', 'note', limits.ownAiNoteCharacters, 'UTF-16 units'),
  ...skillRules.flatMap(({ slug, title, judge }): ClientRule[] =>
    slug === 'names-only-offered-skills'
      ? []
      : [
          {
            requirement: `api-client/${slug}`,
            title,
            needs: noSkills,
            judge: each((request, { skills }) => {
              const named =
                slug === 'names-known-skills' ? [...skillsOf(request), ...keyInPath(request)] : skillsOf(request);
              // Without the list it is not known which skills exist.
              if (named.length === 0 || (skills.length === 0 && slug === 'names-known-skills')) return 'nothing';
              const isInPath = request.operation === 'runSkill';
              const judgement = judge({
                named,
                skills,
                offered: undefined,
                where: 'GET /v1/agents',
                ...(isInPath && { what: 'the key in the path to name a skill' }),
              });
              return isInPath && typeof judgement === 'object' ? { ...judgement, part: undefined } : judgement;
            }),
          },
        ],
  ),
  {
    requirement: 'api-client/asks-for-no-skill-while-not-on',
    title: 'no skill is asked for once auto-reply is said to be off',
    needs: 'No agent reply named a skill after a response with the state of auto-reply.',
    judge: ({ requests }) => {
      const states = new Map<string, { state: string; exchange: ClientRequest['exchange'] }>();
      return requests.flatMap((request) => {
        const { exchange, operation, parameters } = request;
        if (operation !== 'sendAgentReply') return [];
        const conversation = `${exchange.round} ${parameters.id}`;
        const before = states.get(conversation);
        const now = exchange.ended === 'answered' ? stateIn(exchange.response) : undefined;
        if (now !== undefined) states.set(conversation, { state: now, exchange });
        // A pause ends by itself, and the team may have handed back in between: then the response says so.
        const isOpen = before === undefined || before.state === 'paused' || before.exchange.endedAt > exchange.at;
        if (skillsOf(request).length === 0 || isOpen || (before.state === 'off' && now === 'on')) return [];
        if (before.state !== 'off') return [{ exchange }];
        // Only the service knows whether the team had handed back in between.
        if (!wasNotAllowed(request)) return [];
        return [
          {
            exchange,
            beside: before.exchange,
            finding: {
              expected: 'no executeSkills after autoReply.state off',
              received: shortJson(request.body?.executeSkills),
              part: { body: ['executeSkills'] },
            },
          },
        ];
      });
    },
  },
];

function within(
  slug:
    | 'reply-within-4000-characters'
    | 'reply-within-4000-utf-16-units'
    | 'note-within-500-characters'
    | 'note-within-500-utf-16-units',
  field: 'text' | 'note',
  most: number,
  unit: string,
): ClientRule {
  const isUtf16 = slug.endsWith('utf-16-units');
  return {
    requirement: `api-client/${slug}`,
    title: `${field} has at most ${most} ${isUtf16 ? 'UTF-16 units' : 'characters'}`,
    needs: `No agent reply${field === 'note' ? ' or skill' : ''} had the field ${field}.`,
    judge: each(({ operation, body }) => {
      if (operation !== 'sendAgentReply' && (operation !== 'runSkill' || field !== 'note')) return 'nothing';
      const text = body?.[field];
      if (typeof text !== 'string') return 'nothing';
      const characters = [...text].length;
      // A value over the limit in code points is reported there, once.
      if (isUtf16 && characters > most) return 'nothing';
      const length = isUtf16 ? text.length : characters;
      return (
        length <= most || {
          expected: `${field} of at most ${most} ${unit}`,
          received: `${length}`,
          part: { body: [field] },
        }
      );
    }),
  };
}

function skillsOf({ operation, body }: ClientRequest): unknown[] {
  const named = operation === 'sendAgentReply' ? body?.executeSkills : undefined;
  return Array.isArray(named) ? (named as unknown[]) : [];
}

function keyInPath({ operation, parameters }: ClientRequest): string[] {
  return operation === 'runSkill' && parameters.key !== undefined ? [parameters.key] : [];
}

/** Whether the answer says that auto-reply was not on when the skills were asked for. */
function wasNotAllowed({ exchange: { ended, trouble, response } }: ClientRequest): boolean {
  if (ended !== 'answered' || trouble !== undefined) return false;
  const answer = jsonObjectOf(Buffer.from(response.body));
  if (response.status === 409) return answer?.title === 'project_not_with_agent';
  const outcomes: unknown = answer?.skills;
  return Array.isArray(outcomes) && outcomes.some((one) => isJsonObject(one) && one.reason === 'not-allowed');
}

function stateIn({ status, body }: { status: number; body: string }): string | undefined {
  if (status >= 300) return undefined;
  const state = (jsonObjectOf(Buffer.from(body))?.autoReply as { state?: unknown } | undefined)?.state;
  return typeof state === 'string' ? state : undefined;
}
