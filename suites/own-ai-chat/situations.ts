import type { CheckKit } from '../../harness/checks/check.ts';
import { deviating } from '../../harness/wire/documented-traffic.ts';
import type { ChatData } from '../../harness/checks/samples.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import { limits } from '../../specs/limits.ts';
import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import { once } from '../once.ts';
import { longReplies } from './long-histories.ts';
import { messageWithText, say } from './typical-answers.ts';

type History = ChatData['history'];

/** A message that varies one thing that the interface allows: it is accepted, and in time, like any other. */
export interface Situation {
  /** Names the message. */
  name: string;
  /** The requirement to accept it. */
  requirement: RequirementId;
  /** Title of the check that it is accepted. */
  title: string;
  over: (kit: CheckKit) => Partial<ChatData>;
}

const channels = ['whatsapp', 'webchat', 'telegram', 'chat'] as const;
const roles = ['customer', 'agent', 'team', 'system'] as const;
const states = ['on', 'paused', 'off'] as const;

/** Orders of the roles in histories of several turns: they need not alternate, nor begin with the customer. */
const orders: readonly [what: string, order: readonly (typeof roles)[number][]][] = [
  ['several turns of the same role in a row', ['customer', 'customer', 'agent', 'agent', 'team', 'team', 'customer']],
  ['turns that begin with the team and end with the AI', ['team', 'system', 'customer', 'team', 'customer', 'agent']],
  ['turns that begin with the system and without the customer', ['system', 'agent', 'system', 'team', 'system']],
];

/** An ideograph and an emoji, of four bytes and two UTF-16 units each. */
export const quotedPair = '𠮷🙂';
/** Pairs in a message: most programs that quote it cut it before its end. */
const pairs = 150;

/**
 * Messages of these pairs, after nothing and after one byte: a cut after any number of bytes divides a character of one of
 * them, a cut after any number of units likewise.
 */
export const messagesToQuote: readonly Situation[] = (
  [
    ['a long message of emojis and ideographs', ''],
    ['a long message of emojis and ideographs after a letter', 'A'],
  ] as const
).map(([name, start]) => ({
  name,
  requirement: 'own-ai-chat/answers-any-valid-event',
  title: `${name} is answered`,
  over: (kit) => messageWithText(kit, start + quotedPair.repeat(pairs)),
}));

export const situations: readonly Situation[] = [
  ...messagesToQuote,
  {
    name: 'a first message',
    requirement: 'own-ai-chat/accepts-empty-history',
    title: 'a first message, with no history, is answered',
    over: () => ({ history: [] }),
  },
  {
    name: 'a message after 30 turns',
    requirement: 'own-ai-chat/accepts-30-turns',
    title: 'a message after 30 turns is answered',
    over: ({ sample }) => ({ history: sample.history(limits.historyTurns) }),
  },
  {
    name: 'a message after 30 turns with the longest replies',
    requirement: 'own-ai-chat/accepts-long-replies-in-history',
    title: `a message after 30 turns, half of them replies of ${limits.ownAiTextCharacters} characters, is answered`,
    over: (kit) => ({ history: longReplies(kit) }),
  },
  {
    name: 'a message after a skill was refused',
    requirement: 'own-ai-chat/accepts-refused-skill-turn',
    title: 'a system turn about a refused skill is understood',
    over: ({ sample }) => {
      const [first, second] = sample.history(2);
      const turn = {
        role: 'system' as const,
        text: 'Skill [sales] was not carried out (outside-hours)',
        at: second?.at ?? '',
      };
      return { history: first ? [first, turn] : [turn] };
    },
  },
  {
    name: 'a message of a contact of which only the id is known',
    requirement: 'own-ai-chat/accepts-missing-contact-members',
    title: 'a contact of which only the id is known is answered',
    over: ({ ids }) => ({ contact: { id: ids.integer() } }),
  },
  {
    name: 'a message of a contact without a name',
    requirement: 'own-ai-chat/accepts-missing-contact-members',
    title: 'a contact without a name is answered',
    over: ({ ids }) => ({ contact: { id: ids.integer(), phone: '+4915228817386', email: 'erika@example.com' } }),
  },
  {
    name: 'a message of a contact without a phone number',
    requirement: 'own-ai-chat/accepts-missing-contact-members',
    title: 'a contact without a phone number is answered',
    // A unique name: only such a name shows that a later answer to a contact without a name contains it.
    over: ({ sample }) => {
      const { id, name } = sample.newCustomer();
      return { contact: { id, name, email: 'erika@example.com' } };
    },
  },
  {
    name: 'a message on a channel that came later',
    requirement: 'own-ai-chat/accepts-unknown-channel',
    title: 'a message on a channel that came later is answered',
    over: () => deviating({ channel: 'rcs' as ChatData['channel'] }, '/channel'),
  },
  ...roles.map((role): Situation => ({
    name: `a message after a turn of the role ${role}`,
    requirement: 'own-ai-chat/accepts-every-role',
    title: `a history with a turn of the role ${role} is understood`,
    over: ({ sample }) => ({ history: sample.history(1).map((turn) => ({ ...turn, role })) }),
  })),
  ...orders.map(([what, order]): Situation => ({
    name: `a message after ${what}`,
    requirement: 'own-ai-chat/accepts-every-role',
    title: `a history with ${what} is understood`,
    over: (kit) => ({ history: inOrder(kit, order) }),
  })),
  ...channels.map((channel): Situation => ({
    name: `a message on ${channel}`,
    requirement: 'own-ai-chat/accepts-every-channel',
    title: `a message on ${channel} is answered`,
    over: () => ({ channel }),
  })),
  ...states.map((state): Situation => ({
    name: `a message while auto-reply is ${state}`,
    requirement: 'own-ai-chat/accepts-every-auto-reply-state',
    title: `a message while auto-reply is ${state} is answered`,
    over: ({ sample }) => ({
      autoReply: sample.autoReplies().find((one) => one.state === state) ?? { state: 'on' },
      ...(state === 'on' ? {} : { skills: [] }),
    }),
  })),
];

/** Sends the message of a situation, once in a run. */
export function sayIn(kit: CheckKit, { name, over }: Situation): Promise<ChatObservation> {
  return once(kit.session, `chat situation ${name}`, () => say(kit, name, over(kit)));
}

/** Turns of these roles, oldest first. */
function inOrder({ sample }: CheckKit, order: readonly (typeof roles)[number][]): History {
  return sample.history(order.length).map((turn, at) => ({ ...turn, role: order[at] ?? turn.role }));
}
