import { limits } from '../../specs/limits.ts';
import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import type { AutoReply, HistoryTurn, Ping } from '../../specs/generated/types.ts';
import { wholeAnswer } from './contract.ts';
import type { Contract, HttpInteraction, Matched, ShownField } from './contract.ts';
import {
  exampleSkills,
  exampleUnknownCaller,
  historyExample,
  messageExample,
  pingExample,
  type ChatExample,
} from './example-events.ts';
import { equalTo, like, matchersFromSchema, regex, stringUpTo, type MatcherOptions } from './matchers-from-schema.ts';
import { fromState, givenState, type ProviderStateName } from './provider-states.ts';
import { chatRequest } from './service-request.ts';
import type { JsonValue } from '../../specs/json-value.ts';

type ChatRequirement = Extract<RequirementId, `own-ai-chat/${string}`>;

/** Accepted answers, immediate or later (interface: Own-AI chat event). */
const wellAnswered = { status: { example: 204, of: 'success' } } as const;
/** The service follows no redirect, so a redirect is a refusal too. */
const redirects = [300, 301, 302, 303, 304, 307, 308];

function message(over: ChatExample = {}, instead: Readonly<Record<string, Matched>> = {}): Matched {
  return matchersFromSchema('messageReceived', messageExample(over) as unknown as JsonValue, { instead });
}

/** A message that must get any permitted answer. */
function answered(
  description: string,
  requirement: ChatRequirement,
  body: Matched,
  more: Partial<HttpInteraction> = {},
): HttpInteraction {
  return {
    kind: 'http',
    description,
    requirement,
    states: [],
    request: chatRequest(body),
    response: wellAnswered,
    ...more,
  };
}

const channels = ['whatsapp', 'webchat', 'telegram', 'chat'] as const;

const contact = { id: 4711 };
const contacts = {
  'a contact of whom only the id is known': contact,
  'a contact with a name': { ...contact, name: 'Erika Mustermann' },
  'a contact with a phone number': { ...contact, phone: exampleUnknownCaller },
  'a contact with an email address': { ...contact, email: 'erika@example.com' },
  'a contact with name, phone number and email address': {
    ...contact,
    name: 'Erika Mustermann',
    phone: exampleUnknownCaller,
    email: 'erika@example.com',
  },
};

const [firstTurn] = historyExample(1) as [HistoryTurn];
const refusedSkill: HistoryTurn = { ...firstTurn, text: 'Skill [sales] was not carried out (outside-hours)' };

const autoReplies: readonly AutoReply[] = [
  { state: 'on' },
  { state: 'paused', pausedUntil: '2026-10-11T10:00:00' },
  { state: 'off' },
];

const messages: readonly HttpInteraction[] = [
  answered('a ping', 'own-ai-chat/answers-ping', matchersFromSchema('ping', pingExample() satisfies Ping as never)),
  answered('a message', 'own-ai-chat/answers-messages', message()),
  answered(
    'a message is answered with a status that is listed',
    'own-ai-chat/answers-with-a-listed-status',
    message(),
    {
      response: { status: { example: 204, of: [200, 202, 204] } },
    },
  ),
  ...channels.map((channel) =>
    answered(
      `a message on ${channel}`,
      'own-ai-chat/accepts-every-channel',
      message({ channel }, { '/data/channel': channel }),
    ),
  ),
  ...Object.entries(contacts).map(([description, of]) =>
    answered(`a message of ${description}`, 'own-ai-chat/accepts-missing-contact-members', message({ contact: of })),
  ),
  answered('a first message', 'own-ai-chat/accepts-empty-history', message({ history: [] })),
  answered(
    `a message after ${limits.historyTurns} turns`,
    'own-ai-chat/accepts-30-turns',
    message({ history: historyExample(limits.historyTurns) }),
  ),
  ...(['customer', 'agent', 'team', 'system'] as const).map((role) =>
    answered(
      `a message after a turn of the role ${role}`,
      'own-ai-chat/accepts-every-role',
      message({ history: [{ ...firstTurn, role }] }, { '/data/history/0/role': equalTo(role) }),
    ),
  ),
  answered(
    'a message after a skill was refused',
    'own-ai-chat/accepts-refused-skill-turn',
    message({ history: [refusedSkill] }),
  ),
  ...autoReplies.map((autoReply) =>
    answered(
      `a message while auto-reply is ${autoReply.state}`,
      'own-ai-chat/accepts-every-auto-reply-state',
      message({ autoReply, ...(autoReply.state !== 'on' && { skills: [] }) }),
      { states: [givenState(`auto-reply is ${autoReply.state}`)] },
    ),
  ),
  answered('a message without skills', 'own-ai-chat/answers-any-valid-event', message({ skills: [] })),
  answered(
    'a message with a skill that is described and announced',
    'own-ai-chat/answers-any-valid-event',
    message({ skills: exampleSkills.slice(1) }),
  ),
];

const later: readonly HttpInteraction[] = [
  answered(
    'a message on a channel that came later',
    'own-ai-chat/accepts-unknown-channel',
    message({}, { '/data/channel': 'rcs' }),
  ),
  answered(
    'a message of a protocol revision that came later',
    'own-ai-chat/accepts-unknown-protocol-revision',
    message({}, { '/protocol': '2027-03-01' }),
  ),
  answered('a message with fields that came later', 'own-ai-chat/accepts-unknown-members', withLaterFields()),
  ...Object.entries({
    'a turn of a role that came later': { '/data/history/0/role': equalTo('supervisor') },
    'a skill of a kind that came later': { '/data/skills/0/kind': equalTo('survey') },
    'an auto-reply state that came later': { '/data/autoReply/state': 'scheduled' },
  }).map(([what, value]) =>
    // One turn and one skill: a rule of a list applies to all of its items.
    answered(`a message with ${what}`, 'own-ai-chat/accepts-unknown-values', message({ history: [firstTurn] }, value)),
  ),
  answered(
    'an event of a type that came later',
    'own-ai-chat/accepts-unknown-event-type',
    message({}, { '/type': 'message.edited' }),
  ),
];

const signatures: readonly HttpInteraction[] = (
  [
    ['a message without a signature', 'own-ai-chat/refuses-missing-signature', 'none'],
    ['a message signed with another secret', 'own-ai-chat/refuses-other-secret', 'wrong'],
  ] as const
).flatMap(([description, requirement, credentials]): HttpInteraction[] => {
  const refused = { request: chatRequest(message(), credentials), credentials };
  return [
    {
      ...answered(`${description} is refused`, requirement, message(), refused),
      response: { status: { example: 401, of: 'error' } },
      otherwise: redirects,
    },
    credentials === 'none'
      ? {
          ...answered(
            `${description} is answered 4xx`,
            'own-ai-chat/refuses-with-4xx-if-unreadable',
            message(),
            refused,
          ),
          response: { status: { example: 401, of: 'clientError' } },
        }
      : {
          ...answered(`${description} is answered 401`, 'own-ai-chat/refuses-with-401', message(), refused),
          response: { status: 401 },
        },
  ];
});

const asked = {
  'the chat answers at once': 'When are you open?',
  'the chat hands over': 'I want to speak to a person.',
  'the chat ends the request': 'That is all, goodbye.',
  'the chat uses a skill': 'Please put me through to sales.',
  'the chat answers later': 'Please check and come back to me.',
} as const satisfies Partial<Record<ProviderStateName, string>>;

function question(state: keyof typeof asked): Pick<HttpInteraction, 'states' | 'request'> {
  const instead = { '/data/message/text': fromState('sentence', asked[state]) };
  return {
    states: [givenState(state, { sentence: asked[state] })],
    request: chatRequest(message({ skills: exampleSkills }, instead)),
  };
}

interface Match extends MatcherOptions {
  /** Fields that show that the endpoint is in the state; default: those of the body. */
  readonly shows?: readonly ShownField[];
}

/** The endpoint answers at once with a field that shows that it is in that state. */
function answerInteraction(
  state: keyof typeof asked,
  description: string,
  requirement: ChatRequirement,
  body: Readonly<Record<string, JsonValue>>,
  { shows = Object.keys(body).map((name) => ({ pointer: `/${name}` })), ...match }: Match = {},
): HttpInteraction {
  return answered(description, requirement, message(), {
    ...question(state),
    response: { status: 200, body: matchersFromSchema('chatAnswer', body, match) },
    otherwise: [202, 204],
    shows,
  });
}

/** The endpoint answers with this action. Another known one is valid too; an unknown one is not. */
function acts(state: keyof typeof asked, description: string, action: Action): HttpInteraction {
  const others = actions.filter((one) => one !== action);
  return answerInteraction(
    state,
    description,
    'own-ai-chat/action-is-known',
    { action },
    { instead: { '/action': equalTo(action) }, shows: [{ pointer: '/action', value: action, others }] },
  );
}

/** A handover with a note; other interactions judge the action. */
function handsOverWithNote(
  description: string,
  requirement: ChatRequirement,
  {
    instead = {},
    note: shown = {},
  }: { instead?: Readonly<Record<string, Matched>>; note?: Pick<ShownField, 'type'> } = {},
): HttpInteraction {
  return answerInteraction(
    'the chat hands over',
    description,
    requirement,
    { action: 'handover', note },
    {
      instead: { '/action': equalTo('handover'), ...instead },
      shows: [
        { pointer: '/action', value: 'handover' },
        { pointer: '/note', ...shown },
      ],
    },
  );
}

const actions = ['none', 'handover', 'end'] as const;
type Action = (typeof actions)[number];

const text = { text: 'From nine to six.' };
const note = 'Wants another date.';

/**
 * Keys or ids; Pact cannot require an item to be a string or a number, only that it is neither a list nor an object.
 */
const keysOrIds: Matched = {
  'pact:matcher:type': 'type',
  min: 1,
  max: limits.executeSkillsPerAnswer,
  value: [regex('^[^\\[{][\\s\\S]*$', 'sales')],
};

const answers: readonly HttpInteraction[] = [
  answered('a message is answered with a JSON object', 'own-ai-chat/answer-is-a-json-object', message(), {
    response: { status: 200, body: like({}) },
    otherwise: [202, 204],
    shows: [wholeAnswer],
  }),
  ...(Object.keys(asked) as (keyof typeof asked)[]).map((state) =>
    answered(`a message to which ${state}`, 'own-ai-chat/answers-messages', message(), {
      ...question(state),
      ...(state === 'the chat answers later' && { later: true }),
    }),
  ),
  answerInteraction(
    'the chat answers at once',
    'a message is answered with text',
    'own-ai-chat/text-is-a-string',
    text,
  ),
  answerInteraction(
    'the chat answers at once',
    `a message is answered with text of at most ${limits.ownAiTextCharacters} characters`,
    'own-ai-chat/text-within-4000-characters',
    text,
    { lengths: true, shows: [{ pointer: '/text', type: 'text' }] },
  ),
  answerInteraction('the chat answers at once', 'a message is answered with an action', 'own-ai-chat/action-is-known', {
    action: 'none',
  }),
  acts('the chat hands over', 'a message is answered with a handover', 'handover'),
  handsOverWithNote('a handover comes with a note', 'own-ai-chat/members-have-their-types'),
  handsOverWithNote(
    `a handover comes with a note of at most ${limits.ownAiNoteCharacters} characters`,
    'own-ai-chat/note-within-500-characters',
    { instead: { '/note': stringUpTo(limits.ownAiNoteCharacters, note) }, note: { type: 'text' } },
  ),
  acts('the chat ends the request', 'a message is answered with an end', 'end'),
  answerInteraction(
    'the chat uses a skill',
    `a message is answered with at most ${limits.executeSkillsPerAnswer} skills`,
    'own-ai-chat/at-most-five-skills',
    { executeSkills: ['sales'] },
    { instead: { '/executeSkills': keysOrIds }, shows: [{ pointer: '/executeSkills', type: 'list' }] },
  ),
  answerInteraction(
    'the chat uses a skill',
    'a skill comes with an announcement',
    'own-ai-chat/members-have-their-types',
    {
      announcement: 'I am putting you through.',
    },
  ),
];

function withLaterFields(): Matched {
  const event = message() as Readonly<Record<string, Matched>>;
  const data = event['data'] as Readonly<Record<string, Matched>>;
  const cameLater = { since: 2027, tags: ['a', null] };
  return { ...event, cameLater, data: { ...data, cameLater } };
}

/**
 * Contract of the service with an own AI in chats (interface: Own-AI chat event). The suites judge times, later replies
 * and invalid signatures: a contract is one request and its answer, and has no bytes.
 */
export const ownAiChatContract: Contract<HttpInteraction> = {
  consumer: 'svc',
  provider: 'own-ai-chat',
  interactions: [...messages, ...later, ...signatures, ...answers],
};
