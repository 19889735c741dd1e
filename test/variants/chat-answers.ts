import { postReply, sentences, think, type ChatReply } from '../proving/chat.ts';
import { json, pause } from '../proving/wire.ts';
import type { Variant } from './variant.ts';

const chat = ['own-ai-chat'] as const;

/** Milliseconds of a slow worker for one reply: longer than a check waits for further replies without a suspicion. */
const workerMs = 700;

/** Words of replies that do not depend on the message. */
const sameWords = { text: 'The technician comes on Friday.' };
const question = { text: 'Are you satisfied with us?' };

/** Sends these parts and then the thought, until one is refused. */
async function replyInParts({ url, apiKey, thought }: ChatReply, before: readonly string[]): Promise<void> {
  for (const part of [...before.map((text) => ({ text })), thought]) {
    if ((await postReply(url, part, { 'x-api-key': apiKey })) !== 202) return;
  }
}

/** Correct but unusual ways to answer chat events. */
export const chatAnswerVariants: readonly Variant[] = [
  {
    name: 'reply-with-x-api-key',
    what: 'Answers every message 202 at once and replies with X-Api-Key.',
    surfaces: chat,
    build: () => ({ chat: { later: () => true } }),
  },
  {
    name: 'reply-with-bearer',
    what: 'Answers every message 204 and replies 200 ms later with Authorization: Bearer.',
    surfaces: chat,
    build: () => ({
      chat: {
        later: () => true,
        accepted: () => ({ status: 204 }),
        replyAfterMs: 200,
        reply: ({ url, apiKey, thought }) =>
          postReply(url, thought, { authorization: `Bearer ${apiKey}` }).then(() => undefined),
      },
    }),
  },
  {
    name: 'reply-to-the-listed-address',
    what: 'Answers 202 and replies to the address of agent-replies as the API lists it, below the base address.',
    surfaces: chat,
    build: () => ({
      chat: {
        later: () => true,
        reply: ({ url, apiKey, thought, event }) =>
          postReply(`${new URL(url).origin}/v1/projects/${event.data.projectId}/agent-replies`, thought, {
            'x-api-key': apiKey,
          }).then(() => undefined),
      },
    }),
  },
  {
    name: 'answers-by-messages',
    what: 'Answers 204 and sends the words to the customer as a message through API v1.',
    surfaces: chat,
    build: () => ({
      chat: {
        later: () => true,
        accepted: () => ({ status: 204 }),
        reply: ({ url, apiKey, thought, event }) => {
          const { id, phone } = event.data.contact;
          const target = typeof phone === 'string' ? { phone } : { contactId: id };
          return postReply(
            `${new URL(url).origin}/v1/messages`,
            { ...target, text: thought.text },
            { 'x-api-key': apiKey, 'idempotency-key': `answer-${event.id}` },
          ).then(() => undefined);
        },
      },
    }),
  },
  {
    name: 'reply-in-two-texts',
    what: 'Answers 202 with a custom body and sends two different replies.',
    surfaces: chat,
    build: () => ({
      chat: {
        accepted: () => json(202, { accepted: true, jobId: 7 }),
        reply: (reply) => replyInParts(reply, ['One moment, please.']),
      },
    }),
  },
  {
    name: 'reply-in-four-texts-by-one-worker',
    what: 'One worker, which takes the latest message first, answers in four replies each, so all replies to one message come long before any to another.',
    surfaces: chat,
    build: () => {
      const waiting: ChatReply[] = [];
      let isBusy = false;
      const workThrough = async () => {
        isBusy = true;
        for (let reply = waiting.pop(); reply !== undefined; reply = waiting.pop()) {
          await pause(workerMs);
          await replyInParts(reply, ['One moment, please.', 'I open the calendar.', 'Anything else?']);
        }
        isBusy = false;
      };
      return {
        chat: {
          reply: async (reply) => {
            waiting.push(reply);
            if (!isBusy) await workThrough();
          },
        },
      };
    },
  },
  {
    name: 'reply-address-of-the-conversation',
    what: 'Replies with the same words to every message, and stores replyUrl with the project at its first message.',
    surfaces: chat,
    build: () => {
      const addresses = new Map<number, string>();
      return {
        chat: {
          replyUrlOf: ({ data: { projectId, replyUrl } }) => {
            const known = addresses.get(projectId) ?? replyUrl;
            addresses.set(projectId, known);
            return known;
          },
          reply: (reply) => replyInParts({ ...reply, thought: sameWords }, []),
        },
      };
    },
  },
  {
    name: 'reply-asks-who-wrote-before',
    what: 'Replies with the same words to every message, and asks a question in a second reply if the customer wrote before.',
    surfaces: chat,
    build: () => {
      const projects = new Set<number>();
      return {
        chat: {
          reply: (reply) => {
            const hasWritten = projects.size === projects.add(reply.event.data.projectId).size;
            const [before, thought] = hasWritten ? [[sameWords.text], question] : [[], sameWords];
            return replyInParts({ ...reply, thought }, before);
          },
        },
      };
    },
  },
  {
    name: 'chat-addresses-contacts',
    what: 'Has a name that customers have too, and addresses each contact by the name last known for its id, if there is one.',
    surfaces: chat,
    build: () => {
      const names = new Map<unknown, string>();
      return {
        chat: {
          think: (event) => {
            const { id, name } = event.data.contact;
            if (typeof name === 'string') names.set(id, name);
            const thought = think(event);
            return (
              thought && {
                ...thought,
                text: `${names.get(id) ?? 'Dear customer'}, this is Mara. ${String(thought.text)}`,
              }
            );
          },
        },
      };
    },
  },
  {
    name: 'chat-refuses-repeated-events',
    what: 'An event that comes again is answered 422, since the service sends each event once.',
    surfaces: chat,
    build: () => {
      const known = new Set<string>();
      return {
        chat: { read: ({ id }) => (known.size === known.add(id).size ? { status: 422 } : undefined) },
      };
    },
  },
  {
    name: 'chat-stores-messages',
    what: 'Stores every accepted message where its state shows it.',
    surfaces: chat,
    build: () => ({ chat: { taken: (journal, { id }) => journal.add(`message ${id}`) } }),
  },
  {
    name: 'repeats-after-404',
    what: 'Repeats a reply once after 404; the interface forbids that only after 409.',
    surfaces: chat,
    build: () => ({
      chat: {
        reply: async ({ url, apiKey, thought }) => {
          const status = await postReply(url, thought, { 'x-api-key': apiKey });
          if (status === 404) await postReply(url, thought, { 'x-api-key': apiKey });
        },
      },
    }),
  },
  {
    name: 'chat-answers-one-sentence',
    what: 'Answers one sentence, and every other message 200 without a body.',
    surfaces: chat,
    build: () => ({
      chat: {
        think: (event) => (event.data.message.text === sentences.end ? { text: 'Good bye.' } : undefined),
        quiet: () => ({ status: 200 }),
      },
    }),
  },
  {
    name: 'chat-replaces-astral-characters',
    what: 'A database column holds three bytes for a character, and quotes have U+FFFD in the place of each longer one.',
    surfaces: chat,
    build: () => ({
      chat: {
        think: (event) => {
          const quote = event.data.message.text.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd').slice(0, 60);
          const thought = think(event);
          return thought && { ...thought, text: `You wrote: ${quote}. ${String(thought.text)}` };
        },
      },
    }),
  },
  {
    name: 'chat-quotes-characters',
    what: 'Quotes the first 60 code points of every message in its answer, whatever they are.',
    surfaces: chat,
    build: () => ({
      chat: {
        think: (event) => {
          const quote = [...event.data.message.text].slice(0, 60).join('');
          const thought = think(event);
          return thought && { ...thought, text: `You wrote: ${quote}. ${String(thought.text)}` };
        },
      },
    }),
  },
  {
    name: 'chat-empty-text',
    what: 'Answers with an empty object, with an empty text and the action none, which sends nothing, or with an action alone, and with text once in a while.',
    surfaces: chat,
    build: () => ({
      chat: {
        think: ({ data: { message, history } }) => {
          if (message.text === sentences.handover) return { action: 'handover' };
          if (message.text === sentences.skill) return {};
          return history.length === 0 ? { text: 'Welcome!' } : { text: '', action: 'none' };
        },
      },
    }),
  },
  {
    name: 'chat-documented-and-other-fields',
    what: 'Answers with documented fields among many others, also with a field that looks like another one.',
    surfaces: chat,
    build: () => ({
      chat: { now: (thought) => json(200, { reply: thought.text, data: thought, model: 'm', ...thought }) },
    }),
  },
  {
    name: 'chat-text-alone',
    what: 'Answers with text and nothing else, even while the team has the conversation.',
    surfaces: chat,
    build: () => ({ chat: { think: () => ({ text: 'Yes.' }), later: () => false } }),
  },
  {
    name: 'chat-skills-by-id',
    what: 'Names skills by id, as many as allowed with one forward, with a suppressed announcement and unknown fields.',
    surfaces: chat,
    build: () => ({
      chat: {
        think: (event) => {
          const thought = think(event);
          if (thought === undefined || event.data.message.text !== sentences.skill) return thought;
          const { skills } = event.data;
          const forward = skills.find(({ kind }) => kind === 'forward');
          const named = [...skills.filter(({ kind }) => kind === 'alert').slice(0, 4), ...(forward ? [forward] : [])];
          return { ...thought, executeSkills: named.map(({ id }) => id), announcement: '', confidence: 0.9 };
        },
      },
    }),
  },
  {
    name: 'chat-text-of-4000-astral-characters',
    what: 'The text has 4000 characters, each of two UTF-16 units: the interface does not say how it counts.',
    surfaces: chat,
    advised: ['own-ai-chat/text-within-4000-utf-16-units'],
    build: () => ({ chat: { think: (event) => think(event) && { text: '🌱'.repeat(4_000) } } }),
  },
  {
    name: 'chat-answer-of-exactly-64-kb',
    what: 'The answer has exactly 65,536 bytes, text and note are as long as they may be.',
    surfaces: chat,
    advised: ['own-ai-chat/answer-within-64000-bytes'],
    build: () => ({
      chat: {
        later: () => false,
        think: (event) => think(event) && { text: 't'.repeat(4_000), note: 'n'.repeat(500) },
        now: (thought) => {
          const padding = 65_536 - JSON.stringify({ ...thought, padding: '' }).length;
          return json(200, { ...thought, padding: 'p'.repeat(padding) });
        },
      },
    }),
  },
];
