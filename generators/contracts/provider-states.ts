import type { Matched, ProviderState } from './contract.ts';
import type { JsonValue } from '../../specs/json-value.ts';

/** Fields of `stimuli` in the config that establish a state. */
export type StimulusPath =
  | 'knownCaller'
  | `chat.${'answer' | 'handover' | 'end' | 'skill' | 'async'}`
  | `phone.${'answer' | 'handover' | 'end' | 'skill' | 'long'}`;

/** Meaning of a state, and who establishes it. */
export interface StateMeaning {
  /** The state of the endpoint, described for the person who sets it up. */
  readonly meaning: string;
  /**
   * `request`: the request itself establishes it. `endpoint`: the endpoint must be set up, by the stimulus or by its
   * own provider states.
   */
  readonly by: 'request' | 'endpoint';
  /** Stimulus of the config that can replace it, if any. */
  readonly stimulus?: StimulusPath;
  /** Name under which the set-up of the state returns the value for the request (`fromProviderState`). */
  readonly gives?: 'caller' | 'sentence';
}

/** Every state that a contract of the service requires, with its meaning. */
export const providerStates = {
  'a known caller': {
    meaning:
      'Your system knows the customer with the phone number `caller`, and answers lookups at once with the customer id, both names and crmAiInfo.',
    by: 'endpoint',
    stimulus: 'knownCaller',
    gives: 'caller',
  },
  'an unknown caller': { meaning: 'No customer of your system has the phone number `caller`.', by: 'request' },
  'a conversation with a case number': {
    meaning: 'Your system files the finished conversation and answers at once with its case number.',
    by: 'endpoint',
  },
  'auto-reply is on': { meaning: 'The AI answers the conversation.', by: 'request' },
  'auto-reply is paused': { meaning: 'The team muted the conversation for a while.', by: 'request' },
  'auto-reply is off': { meaning: 'The team handles the conversation.', by: 'request' },
  'the chat answers at once': {
    meaning: 'Your AI answers the message `sentence` in the response, with text.',
    by: 'endpoint',
    stimulus: 'chat.answer',
    gives: 'sentence',
  },
  'the chat hands over': {
    meaning: 'Your AI answers the message `sentence` in the response, with the action handover.',
    by: 'endpoint',
    stimulus: 'chat.handover',
    gives: 'sentence',
  },
  'the chat ends the request': {
    meaning: 'Your AI answers the message `sentence` in the response, with the action end.',
    by: 'endpoint',
    stimulus: 'chat.end',
    gives: 'sentence',
  },
  'the chat uses a skill': {
    meaning: 'Your AI answers the message `sentence` in the response, with executeSkills.',
    by: 'endpoint',
    stimulus: 'chat.skill',
    gives: 'sentence',
  },
  'the chat answers later': {
    meaning: 'Your AI answers the message `sentence` 202, 204 or 200 without a body, and posts to replyUrl afterwards.',
    by: 'endpoint',
    stimulus: 'chat.async',
    gives: 'sentence',
  },
  'the AI answers the caller': {
    meaning: 'Your AI answers the spoken `sentence` with text.',
    by: 'endpoint',
    stimulus: 'phone.answer',
    gives: 'sentence',
  },
  'the AI hands the call over': {
    meaning: 'Your AI answers the spoken `sentence` with the action handover.',
    by: 'endpoint',
    stimulus: 'phone.handover',
    gives: 'sentence',
  },
  'the AI ends the call': {
    meaning: 'Your AI answers the spoken `sentence` with the action end.',
    by: 'endpoint',
    stimulus: 'phone.end',
    gives: 'sentence',
  },
  'the AI uses a skill in the call': {
    meaning: 'Your AI answers the spoken `sentence` with a skill frame.',
    by: 'endpoint',
    stimulus: 'phone.skill',
    gives: 'sentence',
  },
  'the AI answers the caller at length': {
    meaning: 'Your AI answers the spoken `sentence` with several pieces of text.',
    by: 'endpoint',
    stimulus: 'phone.long',
    gives: 'sentence',
  },
  'the AI speaks first after a failed takeover': {
    meaning: 'Your AI speaks before the caller does, when session.started has resumed: handover_failed.',
    by: 'endpoint',
  },
} as const satisfies Readonly<Record<string, StateMeaning>>;

export type ProviderStateName = keyof typeof providerStates;

/** A state by its name; a typo does not compile. */
export function givenState(name: ProviderStateName, params?: Readonly<Record<string, JsonValue>>): ProviderState {
  return { name, ...(params && { params }) };
}

/** The meaning of a state; `undefined` for a name that is not one of our states. */
export function meaningOf(name: string): StateMeaning | undefined {
  return Object.hasOwn(providerStates, name) ? providerStates[name as ProviderStateName] : undefined;
}

/** A string of the request that the set-up of the state provides; `example` is its placeholder. */
export function fromState(gives: 'caller' | 'sentence', example: string): Matched {
  return {
    'pact:matcher:type': 'type',
    'pact:generator:type': 'ProviderState',
    expression: `\${${gives}}`,
    value: example,
  };
}
