import { limits } from '../../specs/limits.ts';
import type { ApiInteractionPlan } from './api-interaction.ts';

const [projectId, messageId] = [812, 90_018] as const;
const key = 'sales';
const idempotencyKey = '3f1c8a52-skill-9';

const answers = { name: 'the own AI answers the project', params: { projectId } } as const;
const itsSkill = { name: 'a skill is attached', params: { key, kind: 'forward' } } as const;
const on = { autoReply: { state: 'on' } } as const;
const off = { autoReply: { state: 'off' } } as const;

/** Actions of an own AI in a conversation (interface: API v1; Skills as tools). */
export const apiConversationInteractions = {
  'get-transcript/found': {
    operation: 'getTranscript',
    does: 'the transcript of a project is read',
    requirement: 'service/transcript-is-of-the-project',
    states: [{ name: 'the project has messages', params: { projectId } }],
    parameters: { id: projectId },
    answer: {
      status: 200,
      body: [{ role: 'customer', text: 'When does it arrive?', at: '2026-10-11T09:30:00' }],
    },
    notShown: ['project-resource', 'list-responses'],
  },
  'get-transcript/unknown-project': {
    operation: 'getTranscript',
    does: 'the transcript of a project that the inbox does not have is asked for',
    requirement: 'service/transcript-of-an-unknown-project-is-404',
    states: [{ name: 'no such project', params: { projectId } }],
    parameters: { id: projectId },
    answer: { problem: 'project_not_found' },
  },
  'send-agent-reply/sent': reply('the AI answers a conversation', 'service/reply-is-answered-202', {
    body: { text: 'It arrives on Monday.' },
    answer: { status: 202, body: { projectId, messageId, status: 'sent', ...on }, exact: ['/status', '/autoReply'] },
  }),
  'send-agent-reply/handed-over': reply(
    'the AI hands a conversation over with text and a note',
    'service/reply-status-tells-what-happened',
    {
      body: { text: 'A colleague will write to you.', action: 'handover', note: 'Wants another date.' },
      exact: ['/action'],
      answer: {
        status: 202,
        body: { projectId, messageId, status: 'handed_over', ...off },
        exact: ['/status', '/autoReply'],
      },
      notShown: ['status-after-two-actions'],
    },
  ),
  'send-agent-reply/handed-over-in-silence': reply(
    'the AI hands a conversation over without text',
    'service/reply-message-id-is-null-without-text',
    {
      body: { action: 'handover' },
      exact: ['/action'],
      answer: {
        status: 202,
        body: { projectId, messageId: null, status: 'handed_over', ...off },
        exact: ['/status', '/autoReply'],
      },
    },
  ),
  'send-agent-reply/request-done': reply(
    'the AI ends a request with text',
    'service/reply-status-tells-what-happened',
    {
      body: { text: 'You are welcome.', action: 'end' },
      exact: ['/action'],
      answer: { status: 202, body: { projectId, messageId, status: 'sent', ...on }, exact: ['/status'] },
    },
  ),
  'send-agent-reply/nothing-to-do': reply('the AI replies with nothing', 'service/reply-status-tells-what-happened', {
    body: { action: 'none' },
    exact: ['/action'],
    answer: { status: 202, body: { projectId, messageId: null, status: 'noop', ...on }, exact: ['/status'] },
  }),
  'send-agent-reply/with-skill': reply('the AI answers and uses a skill', 'service/reply-tells-skill-outcomes', {
    states: [answers, { name: 'a skill is attached', params: { key: 'urgent', kind: 'alert' } }],
    body: { text: 'I am telling the team.', executeSkills: ['urgent'], announcement: '' },
    exact: ['/executeSkills'],
    answer: {
      status: 202,
      body: { projectId, messageId, status: 'sent', ...on, skills: [{ key: 'urgent', ok: true }] },
      exact: ['/status'],
    },
  }),
  'send-agent-reply/while-the-team-has-it': reply(
    'the AI uses a skill while the team has the conversation',
    'service/reply-skills-are-not-allowed-while-not-on',
    {
      states: [{ name: 'auto-reply is off', params: { projectId } }],
      body: { executeSkills: [key] },
      exact: ['/executeSkills'],
      answer: {
        status: 202,
        body: {
          projectId,
          messageId: null,
          status: 'noop',
          ...off,
          skills: [{ key, ok: false, reason: 'not-allowed' }],
        },
        exact: ['/status', '/autoReply', '/skills/0/ok', '/skills/0/reason'],
      },
      notShown: ['agent-reply-conflict', 'skills-and-reply-status'],
    },
  ),
  'send-agent-reply/text-too-long': reply('a reply that is too long is refused', 'service/reply-invalid-is-400', {
    body: { text: 'x'.repeat(limits.ownAiTextCharacters + 1) },
    broken: true,
    answer: { problem: 'invalid_reply' },
  }),
  'send-agent-reply/unknown-action': reply(
    'a reply with an unknown action is refused',
    'service/reply-invalid-is-400',
    { body: { text: 'Bye.', action: 'hangup' }, broken: true, answer: { problem: 'invalid_reply' } },
  ),
  'send-agent-reply/unknown-project': reply(
    'a reply to a project that the inbox does not have is refused',
    'service/reply-unknown-project-is-404',
    {
      states: [{ name: 'no such project', params: { projectId } }],
      body: { text: 'It arrives on Monday.' },
      answer: { problem: 'project_not_found' },
    },
  ),
  'send-agent-reply/not-with-agent': reply(
    'a reply to a project that no own AI answers is refused',
    'service/reply-not-with-agent-is-409',
    {
      states: [{ name: 'no own AI answers the project', params: { projectId } }],
      body: { text: 'It arrives on Monday.' },
      answer: { problem: 'project_not_with_agent' },
    },
  ),
  'send-agent-reply/not-deliverable': reply(
    'a reply that cannot be delivered is refused',
    'service/reply-not-deliverable-is-422',
    {
      states: [answers, { name: 'the contact cannot be reached', params: { projectId } }],
      body: { text: 'It arrives on Monday.' },
      answer: { problem: 'not_deliverable' },
    },
  ),
  'run-skill/done': run('a skill is run in a conversation', {
    answer: { status: 200, body: { key, ok: true }, exact: ['/ok'] },
  }),
  'run-skill/with-note-and-announcement': run('a skill is run with a note and an announcement', {
    body: { note: 'Wants another date.', announcement: 'One moment, please.' },
    answer: { status: 200, body: { key, ok: true }, exact: ['/ok'] },
  }),
  'run-skill/with-idempotency-key': run('a skill is run with an Idempotency-Key', {
    requirement: 'service/api-idempotency-on-skills',
    idempotencyKey,
    answer: { status: 200, body: { key, ok: true }, exact: ['/ok'] },
  }),
  'run-skill/refused': run('a skill is run outside its hours', {
    requirement: 'service/skill-outside-hours-is-refused',
    states: [answers, { name: 'the skill is refused', params: { key, reason: 'outside-hours' } }],
    answer: { status: 200, body: { key, ok: false, reason: 'outside-hours' }, exact: ['/ok'] },
  }),
  'run-skill/waits-for-approval': run('a skill is run that the team has to approve', {
    requirement: 'service/skill-pending-approval-is-ok',
    states: [answers, { name: 'the skill waits for approval', params: { key } }],
    answer: { status: 200, body: { key, ok: true, reason: 'pending-approval' }, exact: ['/ok'] },
    notShown: ['skill-pending-approval'],
  }),
  'run-skill/unknown-skill': run('a skill is run that the assistant does not have', {
    requirement: 'service/skill-unknown-is-refused',
    states: [answers, { name: 'no such skill', params: { key: 'parking' } }],
    parameters: { id: projectId, key: 'parking' },
    answer: { status: 200, body: { key: 'parking', ok: false, reason: 'unknown-skill' }, exact: ['/ok', '/reason'] },
  }),
  'run-skill/while-the-team-has-it': run('a skill is run while the team has the conversation', {
    requirement: 'service/skill-run-while-not-on-is-409',
    states: [{ name: 'auto-reply is off', params: { projectId } }],
    answer: { problem: 'project_not_with_agent' },
  }),
  'run-skill/unknown-project': run('a skill is run in a project that the inbox does not have', {
    requirement: 'service/skill-run-unknown-project-is-404',
    states: [{ name: 'no such project', params: { projectId } }],
    answer: { problem: 'project_not_found' },
  }),
} as const satisfies Readonly<Record<string, ApiInteractionPlan>>;

function reply<const Plan extends Omit<ApiInteractionPlan, 'operation' | 'does' | 'requirement'>>(
  does: string,
  requirement: ApiInteractionPlan['requirement'],
  plan: Plan,
) {
  const fixed = { operation: 'sendAgentReply', does, requirement, parameters: { id: projectId } } as const;
  return { states: [answers], ...fixed, ...plan };
}

function run(
  does: string,
  plan: Partial<ApiInteractionPlan> & Pick<ApiInteractionPlan, 'answer'>,
): ApiInteractionPlan & { readonly operation: 'runSkill' } {
  return {
    requirement: 'service/skill-run-is-answered',
    states: [answers, itsSkill],
    parameters: { id: projectId, key },
    ...plan,
    operation: 'runSkill',
    does,
  };
}
