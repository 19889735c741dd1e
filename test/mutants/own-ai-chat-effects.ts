import { replyOnce, sentences, think, type ChatEvent, type ChatSeams } from '../proving/chat.ts';
import { setUp } from '../proving/endpoint.ts';
import { single } from '../proving/hooks.ts';
import { sign } from '../proving/signature.ts';
import type { Incoming } from '../proving/wire.ts';
import type { Mutant } from './mutant.ts';

/** Replies to a message before it is verified completely, and then answers as usual. */
function actingEarly(isActedOn: (request: Incoming) => boolean): Mutant['build'] {
  return () => {
    const replied = new Set<string>();
    return {
      chat: {
        isVerified: (request) => {
          const event = JSON.parse(request.body.toString('utf8')) as ChatEvent;
          if (event.type !== 'message.received' || event.data.message.text !== sentences.async) return true;
          if (replied.has(event.id) || !isActedOn(request)) return true;
          const thought = think(event);
          replied.add(event.id);
          if (thought) void replyOnce({ url: event.data.replyUrl, apiKey: setUp.apiKey, thought, event });
          return true;
        },
        // The reply has already been sent.
        reply: () => Promise.resolve(),
      },
    };
  };
}

/** Thinks until the team has had the conversation. */
function quietOnceTheTeamHadIt(thinkBefore: ChatSeams['think']): ChatSeams['think'] {
  const muted = new Set<number>();
  return (event) => {
    const { projectId, autoReply } = event.data;
    if (autoReply.state !== 'on') muted.add(projectId);
    return muted.has(projectId) ? undefined : thinkBefore(event);
  };
}

/** Does not answer a message whose key was seen before. */
function recognisingBy(keyOf: (event: ChatEvent) => string): Mutant['build'] {
  return () => {
    const known = new Set<string>();
    const read: ChatSeams['read'] = (event) => {
      const key = keyOf(event);
      if (known.has(key)) return { status: 204 };
      known.add(key);
      return undefined;
    };
    return { chat: { read } };
  };
}

const similar = 'own-ai-chat/answers-similar-messages';

/** Faults in the effects of chat events. */
export const chatEffectMutants: readonly Mutant[] = [
  {
    name: 'chat-reply-address-by-contact',
    breaks: 'own-ai-chat/keeps-conversations-apart',
    what: 'The replyUrl is stored with the contact at its first message.',
    build: () => {
      const addresses = new Map<unknown, string>();
      return {
        chat: {
          replyUrlOf: ({ data: { contact, replyUrl } }) => {
            const known = addresses.get(contact['id']) ?? replyUrl;
            addresses.set(contact['id'], known);
            return known;
          },
        },
      };
    },
  },
  {
    name: 'chat-stays-quiet-after-the-team',
    breaks: 'own-ai-chat/answers-after-hand-back',
    what: 'A conversation that the team once had is on a list of which nothing is ever removed.',
    build: () => ({ chat: { think: quietOnceTheTeamHadIt(think) } }),
  },
  {
    name: 'chat-gives-up-after-a-takeover',
    breaks: 'own-ai-chat/answers-after-hand-back',
    what: 'The AI hands no conversation over itself, and stays quiet forever in one that the team has taken over.',
    build: () => ({
      chat: {
        think: quietOnceTheTeamHadIt((event) => {
          const thought = think(event);
          return thought && { text: thought.text };
        }),
      },
    }),
  },
  {
    name: 'chat-acts-before-verifying',
    breaks: 'own-ai-chat/refused-message-has-no-effect',
    what: 'The AI starts with the message at once, and the signature is verified meanwhile; the 401 is correct.',
    build: actingEarly(() => true),
  },
  {
    name: 'chat-acts-before-reading-the-time',
    breaks: 'own-ai-chat/refused-message-has-no-effect',
    what: 'The signature is verified before the AI starts, and the age of the message only afterwards.',
    build: actingEarly(({ headers, body }) => {
      const [, t = '', v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(single(headers['x-svc-signature']) ?? '') ?? [];
      return v1 === sign(setUp.agentSecret, t, body);
    }),
  },
  {
    name: 'chat-stored-before-verifying',
    breaks: 'own-ai-chat/refused-message-has-no-effect',
    what: 'Every message is stored as it comes, and the signature is verified afterwards; the 401 is correct.',
    build: () => ({ chat: { arrived: (journal, body) => journal.add(`message ${body.length}`) } }),
  },
  {
    name: 'chat-known-by-text',
    breaks: similar,
    what: 'A message with the text and the time of an earlier one is regarded as the same event.',
    build: recognisingBy(({ data: { message } }) => `${message.text} ${message.receivedAt}`),
  },
  {
    name: 'chat-known-by-text-and-replied-late',
    breaks: similar,
    what: 'The same, but each message is answered 204, and the reply follows after 400 ms.',
    build: () => {
      const { chat } = recognisingBy(({ data: { message } }) => `${message.text} ${message.receivedAt}`)();
      return { chat: { ...chat, later: () => true, accepted: () => ({ status: 204 }), replyAfterMs: 400 } };
    },
    needsTheRest: 'An AI that answers 204 is waited for if it has replied to another message.',
  },
  {
    name: 'chat-known-by-contact',
    breaks: similar,
    what: 'A second message of a contact in the same second is regarded as the same event.',
    build: recognisingBy(({ data: { contact, message } }) => `${String(contact.id)} ${message.receivedAt}`),
  },
  {
    name: 'chat-known-by-project',
    breaks: similar,
    what: 'Each conversation is answered once.',
    build: recognisingBy(({ data: { projectId } }) => `${projectId}`),
  },
];
