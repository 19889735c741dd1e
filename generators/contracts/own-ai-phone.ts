import { schemas, type SchemaName } from '../../specs/schemas.ts';
import type { AsynchronousMessage, Contract, MessageInteraction, SynchronousMessage } from './contract.ts';
import { matchersFromSchema } from './matchers-from-schema.ts';
import { fromState, givenState, type ProviderStateName } from './provider-states.ts';
import type { JsonFields, JsonValue } from '../../specs/json-value.ts';

/** A sentence of the caller, by its key in `stimuli.phone` of the config. */
export type PhoneSentence = 'answer' | 'handover' | 'end' | 'skill' | 'long';

/** Course of the call up to the tested message, and the tested frame of the AI. */
export interface PhoneCue {
  /** The sentence of the caller; the AI's answer to it is checked. `none`: the AI speaks by itself. */
  readonly says: PhoneSentence | 'none';
  /**
   * `first`: the first frame of the expected type. `piece`: one that leaves the answer open. `closing`: the one that
   * closes it. `token`: one whose speech is in token.
   */
  readonly pick: 'first' | 'piece' | 'closing' | 'token';
  /** Optional behaviour of the AI, so silence proves nothing. */
  readonly mayBeSilent?: true;
}

/** A message of the phone contract, with the course of its call. */
export type PhoneInteraction = MessageInteraction & { readonly cue: PhoneCue };

const { examples: startedExamples = [] } = schemas.sessionStarted;
const [newCall, resumedCall] = startedExamples as readonly [JsonFields, JsonFields];

/** Start of an ordinary call. */
export const plainStart: JsonFields = newCall;

/** The call of a message, unless its own frame starts the call. */
export const exampleCallId = newCall['callId'] as string;

/** Sentences of the caller in examples, by their effect. */
export const exampleSentences: Readonly<Record<PhoneSentence, string>> = {
  answer: 'Are you open on Thursday?',
  handover: 'I want to speak to a person, please.',
  end: 'That was all, goodbye.',
  skill: 'Please put me through to sales.',
  long: 'Please tell me everything about your opening hours.',
};

const stateOf: Readonly<Record<PhoneSentence, ProviderStateName>> = {
  answer: 'the AI answers the caller',
  handover: 'the AI hands the call over',
  end: 'the AI ends the call',
  skill: 'the AI uses a skill in the call',
  long: 'the AI answers the caller at length',
};

function states(...said: readonly PhoneSentence[]) {
  return said.map((one) => givenState(stateOf[one], { sentence: exampleSentences[one] }));
}

const speech = matchersFromSchema('textFrame', { type: 'text', text: 'Yes, from nine to six.' });

/**
 * The caller says a sentence, and a frame of the AI answers it; the messages below test that an answer is sent at all.
 */
function spokenInteraction(
  says: PhoneSentence,
  description: string,
  requirement: SynchronousMessage['requirement'],
  response: SynchronousMessage['responses'][number],
): PhoneInteraction {
  const request = { type: 'prompt', text: fromState('sentence', exampleSentences[says]) };
  return {
    kind: 'synchronous',
    description,
    requirement,
    states: states(says),
    request,
    responses: [response],
    cue: { says, pick: 'first', mayBeSilent: true },
  };
}

/**
 * The service sends a frame that requires no answer; the answer to the caller's next sentence shows that it was
 * accepted.
 */
function acceptedInteraction(
  description: string,
  requirement: SynchronousMessage['requirement'],
  [schema, frame]: readonly [SchemaName, JsonFields],
  more: { afterSkill?: true } = {},
): PhoneInteraction {
  return {
    kind: 'synchronous',
    description,
    requirement,
    states: states(...(more.afterSkill ? (['skill', 'answer'] as const) : (['answer'] as const))),
    request: matchersFromSchema(schema, frame),
    responses: [speech],
    cue: { says: 'answer', pick: 'first' },
  };
}

/** The AI sends a frame that does not start an answer. */
function sentBy(
  state: readonly AsynchronousMessage['states'][number][],
  cue: PhoneCue,
  description: string,
  requirement: AsynchronousMessage['requirement'],
  content: AsynchronousMessage['content'],
): PhoneInteraction {
  return { kind: 'asynchronous', description, requirement, states: state, content, cue };
}

function textFrame(frame: JsonFields, exact: Readonly<Record<string, JsonValue>> = {}) {
  return matchersFromSchema('textFrame', { type: 'text', ...frame }, { instead: exact });
}

function actionFrame(action: 'end' | 'handover', more: JsonFields = {}) {
  return matchersFromSchema('actionFrame', { type: 'action', action, ...more }, { instead: { '/action': action } });
}

function skillFrame(frame: JsonFields) {
  return matchersFromSchema('skillFrame', { type: 'skill', ...frame });
}

const described = {
  id: 2,
  key: 'urgent',
  name: 'Urgent',
  description: 'Notifies the team at once.',
  kind: 'alert',
  announcement: 'One moment, please.',
};

const beginnings: readonly PhoneInteraction[] = [
  acceptedInteraction('a call begins, and the first sentence is answered', 'own-ai-phone/answers-a-prompt', [
    'sessionStarted',
    newCall,
  ]),
  acceptedInteraction('a call begins in English, and is answered', 'own-ai-phone/answers-in-each-language', [
    'sessionStarted',
    { ...newCall, language: 'en-US' },
  ]),
  acceptedInteraction(
    'a call begins with a skill that is described, and is answered',
    'own-ai-phone/accepts-any-call',
    ['sessionStarted', { ...newCall, skills: [described] }],
  ),
  acceptedInteraction('a call begins without skills, and is answered', 'own-ai-phone/accepts-call-without-skills', [
    'sessionStarted',
    { ...newCall, skills: [] },
  ]),
  acceptedInteraction(
    'a call continues after a failed takeover, and is answered',
    'own-ai-phone/goes-on-after-failed-takeover',
    ['sessionStarted', resumedCall],
  ),
];

const sentences: readonly PhoneInteraction[] = [
  spokenInteraction('answer', 'a sentence is answered with speech', 'own-ai-phone/text-is-a-string', speech),
  spokenInteraction(
    'answer',
    'a sentence is answered with a frame of a known type',
    'own-ai-phone/frame-type-is-known',
    speech,
  ),
  spokenInteraction(
    'answer',
    'a sentence is answered with a frame of at most 64 KB',
    'own-ai-phone/frame-within-64-kb',
    speech,
  ),
  spokenInteraction('end', 'a sentence ends the call', 'own-ai-phone/action-is-known', actionFrame('end')),
  spokenInteraction(
    'end',
    'a sentence ends the call with words',
    'own-ai-phone/members-have-their-types',
    actionFrame('end', { text: 'Goodbye!' }),
  ),
  spokenInteraction(
    'handover',
    'a sentence hands the call over',
    'own-ai-phone/action-is-known',
    actionFrame('handover'),
  ),
  spokenInteraction(
    'handover',
    'a sentence hands the call over with words',
    'own-ai-phone/members-have-their-types',
    actionFrame('handover', { text: 'A colleague will call you back.' }),
  ),
  spokenInteraction(
    'handover',
    'a sentence hands the call over with a note',
    'own-ai-phone/members-have-their-types',
    actionFrame('handover', { note: 'Wants another date.' }),
  ),
  spokenInteraction(
    'skill',
    'a sentence asks for skills by their keys',
    'own-ai-phone/members-have-their-types',
    skillFrame({ executeSkills: ['sales'] }),
  ),
  spokenInteraction(
    'skill',
    'a sentence asks for at most five skills',
    'own-ai-phone/at-most-five-skills',
    skillFrame({ executeSkills: ['sales', 'urgent'] }),
  ),
  spokenInteraction(
    'skill',
    'a sentence asks for skills by their ids',
    'own-ai-phone/members-have-their-types',
    skillFrame({ executeSkills: [1] }),
  ),
  spokenInteraction(
    'skill',
    'a sentence asks for one skill by its key',
    'own-ai-phone/members-have-their-types',
    skillFrame({ key: 'sales' }),
  ),
  spokenInteraction(
    'skill',
    'a sentence asks for one skill by its id',
    'own-ai-phone/members-have-their-types',
    skillFrame({ key: 1 }),
  ),
  spokenInteraction(
    'skill',
    'a sentence asks for a skill with a note',
    'own-ai-phone/members-have-their-types',
    skillFrame({ note: 'Water in the cellar.' }),
  ),
  spokenInteraction(
    'skill',
    'a sentence asks for a skill with an announcement',
    'own-ai-phone/members-have-their-types',
    skillFrame({ announcement: 'I am putting you through.' }),
  ),
];

const duringTheCall: readonly PhoneInteraction[] = [
  ...(['5', '*', '#'] as const).map((digit) =>
    acceptedInteraction(`the caller presses ${digit}, and the next sentence is answered`, 'own-ai-phone/takes-dtmf', [
      'dtmf',
      { type: 'dtmf', digit },
    ]),
  ),
  acceptedInteraction(
    'the caller speaks into an answer, and the new sentence is answered',
    'own-ai-phone/answers-after-interrupt',
    ['interrupt', { type: 'interrupt', spokenUntilInterrupt: 'We are open' }],
  ),
  acceptedInteraction('a skill is done, and the next sentence is answered', 'own-ai-phone/takes-skill-results', skillResult({ key: 'urgent', ok: true }), { afterSkill: true }), // prettier-ignore
  acceptedInteraction(
    'a skill waits for approval, and the next sentence is answered',
    'own-ai-phone/takes-skill-results',
    skillResult({ key: 'urgent', ok: true, reason: 'pending-approval' }),
    { afterSkill: true },
  ),
  acceptedInteraction(
    'a skill is refused, and the next sentence is answered',
    'own-ai-phone/goes-on-after-refused-skill',
    skillResult({ key: 'sales', ok: false, reason: 'outside-hours' }),
    { afterSkill: true },
  ),
];

const unprompted: readonly PhoneInteraction[] = [
  sentBy(
    states('long'),
    { says: 'long', pick: 'piece', mayBeSilent: true },
    'the AI speaks a piece and leaves the answer open',
    'own-ai-phone/last-is-a-boolean',
    textFrame({ text: 'From Monday to Friday ', last: false }),
  ),
  sentBy(
    states('long'),
    { says: 'long', pick: 'token', mayBeSilent: true },
    'the AI speaks a piece in token',
    'own-ai-phone/text-is-a-string',
    textFrame({ token: 'From Monday to Friday ' }),
  ),
  sentBy(
    states('answer'),
    { says: 'answer', pick: 'closing', mayBeSilent: true },
    'the AI closes its answer',
    'own-ai-phone/closes-each-answer',
    textFrame({ last: true }, { '/last': true }),
  ),
  sentBy(
    states('long'),
    { says: 'long', pick: 'closing', mayBeSilent: true },
    'the AI closes its answer with an empty piece',
    'own-ai-phone/closes-each-answer',
    textFrame({ text: '', last: true }, { '/text': '', '/last': true }),
  ),
  sentBy(
    [givenState('the AI speaks first after a failed takeover')],
    { says: 'none', pick: 'first', mayBeSilent: true },
    'the AI speaks first after a takeover that did not succeed',
    'own-ai-phone/text-is-a-string',
    textFrame({ text: 'I am back with you.' }),
  ),
];

/**
 * Contract of the service with an own AI on the phone (interface: Own-AI phone frames). A frame that the AI must answer
 * is a synchronous message. So is a frame that requires no answer, with the answer to the next sentence, since Pact has
 * no message without an answer. All other frames of the AI are asynchronous messages. The suites judge silence after
 * `session.ended` and the end of old speech: a contract cannot express absence.
 */
export const ownAiPhoneContract: Contract<PhoneInteraction> = {
  consumer: 'svc',
  provider: 'own-ai-phone',
  interactions: [...beginnings, ...sentences, ...duringTheCall, ...unprompted],
};

function skillResult(result: JsonFields): readonly [SchemaName, JsonFields] {
  return ['skillResult', { type: 'skill.result', ...result }];
}
