import { postReply, replyOnce, think, type ChatEvent, type ChatReply } from '../proving/chat.ts';
import { setUp } from '../proving/endpoint.ts';
import { send } from '../proving/outgoing.ts';
import { pause } from '../proving/wire.ts';
import type { Mutant } from './mutant.ts';

/** Maximum attempts at one reply. */
const tries = 3;
const betweenTriesMs = 50;
/** Messages that an answer quotes, and characters of each. */
const quotedMessages = 8;
const quotedCharacters = 60;
/** Milliseconds until a queue resends: longer than a check of the proof watches, shorter than the run. */
const queueMs = 1_500;
/** Milliseconds until the end of a worker has an effect: pending work still succeeds. */
const noticedAfterMs = 500;
/** Milliseconds from the first message without a worker until there is another one. */
const restartMs = 100;

function replying(reply: (reply: ChatReply) => Promise<unknown>): Mutant['build'] {
  return () => ({ chat: { reply: (what) => reply(what).then(() => undefined) } });
}

/** Sends all replies of a conversation that no 2xx has answered, oldest first, whenever there is a new one. */
function outbox({
  text,
  urlOf,
}: {
  /** The text of each reply; `undefined`: that of its message. */
  text: string | undefined;
  urlOf: (waiting: ChatReply, latest: ChatReply) => string;
}): Mutant['build'] {
  return () => {
    const waiting = new Map<number, ChatReply[]>();
    const reply = async (latest: ChatReply) => {
      const { projectId } = latest.event.data;
      const due = [...(waiting.get(projectId) ?? []), latest];
      waiting.set(projectId, []);
      for (const one of due) {
        const thought = text === undefined ? one.thought : { text };
        const status = await postReply(urlOf(one, latest), thought, keyed(one));
        if (status < 200 || status > 299) waiting.get(projectId)?.push(one);
      }
    };
    return { chat: { reply } };
  };
}

function keyed({ apiKey }: ChatReply): Record<string, string> {
  return { 'x-api-key': apiKey };
}

/** Faults in later replies. */
export const chatReplyMutants: readonly Mutant[] = [
  {
    name: 'reply-address-completed',
    breaks: 'own-ai-chat/reply-uses-the-address-given',
    what: 'A slash is appended to replyUrl.',
    build: replying((reply) => replyOnce({ ...reply, url: `${reply.url}/` })),
  },
  {
    name: 'reply-address-of-the-first-event',
    breaks: 'own-ai-chat/keeps-conversations-apart',
    what: 'replyUrl of the first event of an assistant is kept, and every later reply goes there.',
    build: () => {
      let first: string | undefined;
      return {
        chat: {
          read: ({ data }: ChatEvent) => {
            first ??= data.replyUrl;
            return undefined;
          },
          replyUrlOf: ({ data }) => first ?? data.replyUrl,
        },
      };
    },
  },
  {
    name: 'reply-by-put',
    breaks: 'own-ai-chat/reply-is-a-post',
    what: 'The reply is sent with PUT.',
    build: replying((reply) =>
      send({
        url: reply.url,
        method: 'PUT',
        headers: { 'content-type': 'application/json', ...keyed(reply) },
        body: JSON.stringify(reply.thought),
      }),
    ),
  },
  {
    name: 'reply-without-key',
    breaks: 'own-ai-chat/reply-carries-the-api-key',
    what: 'The reply is sent without the API key.',
    build: replying(({ url, thought }) => postReply(url, thought, {})),
  },
  {
    name: 'reply-with-the-signing-secret',
    breaks: 'own-ai-chat/reply-carries-the-api-key',
    what: 'The reply carries another credential in place of the API key.',
    build: replying(({ url, thought }) => postReply(url, thought, { authorization: 'Bearer svc_sk_of_another_inbox' })),
  },
  {
    name: 'reply-as-plain-text',
    breaks: 'own-ai-chat/reply-is-a-json-object',
    what: 'The reply is the bare text.',
    build: replying((reply) =>
      send({
        url: reply.url,
        method: 'POST',
        headers: { 'content-type': 'text/plain', ...keyed(reply) },
        body: String(reply.thought.text),
      }),
    ),
  },
  {
    name: 'reply-in-a-list',
    breaks: 'own-ai-chat/reply-is-a-json-object',
    what: 'The reply is wrapped into a list.',
    build: replying((reply) => postReply(reply.url, [reply.thought] as never, keyed(reply))),
  },
  {
    name: 'reply-sent-twice',
    breaks: 'own-ai-chat/same-text-sent-once',
    what: 'The reply is sent by two workers.',
    mayAlso: [
      { id: 'own-ai-chat/replayed-event-brings-no-second-reply', why: 'a second reply comes there as well' },
      { id: 'own-ai-chat/drops-the-reply-after-409', why: 'the second worker does not know of the refusal either' },
    ],
    build: replying((reply) => Promise.all([replyOnce(reply), pause(betweenTriesMs).then(() => replyOnce(reply))])),
  },
  {
    name: 'reply-repeats-the-answer',
    breaks: 'own-ai-chat/same-text-sent-once',
    what: 'A 200 answer is also sent to replyUrl.',
    build: () => ({
      chat: {
        now: (thought, event) => {
          void postReply(event.data.replyUrl, thought, { 'x-api-key': setUp.apiKey });
          return { status: 200, body: JSON.stringify(thought) };
        },
      },
    }),
  },
  {
    name: 'reply-to-a-replayed-event',
    breaks: 'own-ai-chat/replayed-event-brings-no-second-reply',
    what: 'A repeated event with the same id gets another reply.',
    build: () => ({ chat: { isReplay: () => false } }),
  },
  {
    name: 'reply-repeated-after-409',
    breaks: 'own-ai-chat/drops-the-reply-after-409',
    what: 'The reply is repeated after any status but 2xx.',
    build: replying(async (reply) => {
      for (let at = 0; at < tries; at++) {
        const status = await postReply(reply.url, reply.thought, keyed(reply));
        if (status >= 200 && status < 300) return;
        await pause(betweenTriesMs);
      }
    }),
  },
  {
    name: 'reply-refused-goes-out-as-a-message',
    breaks: 'own-ai-chat/drops-the-reply-after-409',
    what: 'The text of a reply that is refused with 409 is sent to the contact through POST /v1/messages instead.',
    build: replying(async ({ url, apiKey, thought, event }) => {
      const headers = { 'x-api-key': apiKey };
      if ((await postReply(url, thought, headers)) !== 409) return;
      const { id: contactId } = event.data.contact;
      await postReply(new URL('/v1/messages', url).href, { contactId, text: thought.text }, headers);
    }),
  },
  {
    name: 'reply-repeated-long-after-409',
    breaks: 'own-ai-chat/drops-the-reply-after-409',
    what: 'A queue sends the refused reply again after some seconds.',
    needsTheRest: 'the refused reply comes again while the rest of the run continues',
    build: replying(async (reply) => {
      const status = await postReply(reply.url, reply.thought, keyed(reply));
      if (status !== 409) return;
      await pause(queueMs);
      await postReply(reply.url, reply.thought, keyed(reply));
    }),
  },
  {
    name: 'reply-refused-stays-in-the-outbox',
    breaks: 'own-ai-chat/same-text-sent-once',
    what: 'A reply stays in the outbox of its conversation until it is accepted, and goes out with the next one.',
    needsTheRest: 'a check of another requirement refuses a reply, and then sends the next message',
    build: outbox({ text: 'The technician comes on Friday.', urlOf: (_, { url }) => url }),
  },
  {
    name: 'reply-refused-is-sent-before-the-next',
    breaks: 'own-ai-chat/drops-the-reply-after-409',
    what: 'The outbox of a conversation stores each reply with its own address.',
    build: outbox({ text: undefined, urlOf: ({ url }) => url }),
  },
  {
    name: 'reply-refused-ends-the-worker',
    breaks: 'own-ai-chat/stays-well-after-a-refused-reply',
    what: 'A refused reply ends the only worker, and later messages get a server error.',
    build: () => {
      let goneFrom = Infinity;
      let backFrom = Infinity;
      return {
        chat: {
          reply: async (reply) => {
            const status = await postReply(reply.url, reply.thought, keyed(reply));
            if (status === 404 || status === 409 || status === 422) {
              goneFrom = Math.min(goneFrom, performance.now() + noticedAfterMs);
            }
          },
          read: () => {
            const now = performance.now();
            if (now < goneFrom || now > backFrom) return undefined;
            backFrom = Math.min(backFrom, now + restartMs);
            return { status: 500 };
          },
        },
      };
    },
  },
  {
    name: 'reply-slow-holds-the-worker',
    breaks: 'own-ai-chat/stays-well-while-a-reply-is-slow',
    what: 'While a reply waits for its answer, no other message is answered.',
    build: () => {
      let sending: Promise<unknown> = Promise.resolve();
      return {
        chat: { reply: (reply) => (sending = replyOnce(reply)) },
        transport: {
          admit: async (request, work) => {
            if (request.path === '/chat') await sending;
            return work();
          },
        },
      };
    },
  },
  {
    name: 'chat-remembers-the-customer-before',
    breaks: 'own-ai-chat/keeps-conversations-apart',
    what: 'After each reply the name of the customer is kept in one variable, and the next conversation gets it.',
    build: () => {
      let before: string | undefined;
      return {
        chat: {
          think: (event: ChatEvent) => {
            const thought = think(event);
            if (before === undefined || typeof thought?.text !== 'string') return thought;
            return { ...thought, text: `${thought.text} ${before} asked for the same.` };
          },
          reply: async (reply: ChatReply) => {
            await replyOnce(reply);
            before = reply.event.data.contact.name as string;
          },
        },
      };
    },
  },
  {
    name: 'chat-keeps-the-latest-name',
    breaks: 'own-ai-chat/keeps-conversations-apart',
    what: 'The latest name is kept in one variable, so a customer without a name is addressed with that of another one.',
    build: () => {
      let latest: unknown;
      return {
        chat: {
          think: (event: ChatEvent) => {
            latest = event.data.contact.name ?? latest;
            const thought = think(event);
            return thought && { ...thought, text: `${String(latest)}, ${String(thought.text)}` };
          },
        },
      };
    },
  },
  {
    name: 'chat-knows-the-latest-name',
    breaks: 'own-ai-chat/keeps-conversations-apart',
    what: 'The latest name is kept in one variable, and an AI that is asked for the name of a customer without one replies with it.',
    build: () => {
      let latest: unknown;
      return {
        chat: {
          later: () => true,
          reply: (reply: ChatReply) => {
            const { contact, message } = reply.event.data;
            latest = contact.name ?? latest;
            const isAsked = message.text.endsWith('What is my name?');
            return replyOnce(isAsked ? { ...reply, thought: { text: `You are ${String(latest)}.` } } : reply);
          },
        },
      };
    },
  },
  {
    name: 'chat-one-list-of-messages',
    breaks: 'own-ai-chat/keeps-conversations-apart',
    what: 'The messages of all conversations are in one list, which the AI reads and quotes in its answer.',
    build: () => {
      const messages: string[] = [];
      return {
        chat: {
          think: (event: ChatEvent) => {
            messages.push(event.data.message.text.slice(0, quotedCharacters));
            const thought = think(event);
            if (typeof thought?.text !== 'string') return thought;
            return { ...thought, text: `${thought.text} You wrote: ${messages.slice(-quotedMessages).join(' ')}` };
          },
        },
      };
    },
  },
  {
    name: 'chat-greets-an-early-customer',
    breaks: 'own-ai-chat/keeps-conversations-apart',
    what: 'After twenty messages, every answer is for the customer of the first one.',
    needsTheRest: 'one check alone sends fewer messages',
    build: () => {
      let first: unknown;
      let messages = 0;
      return {
        chat: {
          think: (event: ChatEvent) => {
            first ??= event.data.contact.name;
            const thought = think(event);
            if (++messages <= 20 || typeof thought?.text !== 'string') return thought;
            return { ...thought, text: `${thought.text} Until then, ${String(first)}.` };
          },
        },
      };
    },
  },
  {
    name: 'reply-address-kept-globally',
    breaks: 'own-ai-chat/keeps-conversations-apart',
    what: 'replyUrl is stored in one variable, so the reply goes to the conversation with the latest message.',
    build: () => {
      let latest = '';
      return {
        chat: {
          read: ({ data }: ChatEvent) => {
            latest = data.replyUrl;
            return undefined;
          },
          replyAfterMs: 500,
          replyUrlOf: () => latest,
        },
      };
    },
  },
];
