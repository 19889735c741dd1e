import { postReply, sentences, think, type ChatEvent, type Thought } from '../proving/chat.ts';
import { setUp } from '../proving/endpoint.ts';
import { json } from '../proving/wire.ts';
import type { Mutant } from './mutant.ts';

/** Changes the answer of the AI to one of the sentences. */
function saying(sentence: string, change: (event: ChatEvent, thought: Thought) => Thought): Mutant['build'] {
  return () => ({
    chat: {
      think: (event) => {
        const thought = think(event);
        return thought && event.data.message.text === sentence ? change(event, thought) : thought;
      },
    },
  });
}

const answer = (over: Thought) => saying(sentences.answer, (_, thought) => ({ ...thought, ...over }));

/** Sends a message to a colleague, not to the customer. */
function informColleague({ id, data }: ChatEvent): Promise<number> {
  const body = { phone: '+4930231255001', text: `The event ${id} has come.` };
  const headers = { 'x-api-key': setUp.apiKey, 'idempotency-key': `inform-${id}` };
  return postReply(`${new URL(data.replyUrl).origin}/v1/messages`, body, headers);
}

/** Quotes what the customer wrote in every answer. */
function quoting(cut: (text: string) => string): Mutant['build'] {
  return () => ({
    chat: {
      think: (event) => {
        const thought = think(event);
        return thought && { ...thought, text: `You wrote: ${cut(event.data.message.text)}. ${String(thought.text)}` };
      },
    },
  });
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Faults in the content of an answer. */
export const chatAnswerMutants: readonly Mutant[] = [
  {
    name: 'chat-answer-as-plain-text',
    breaks: 'own-ai-chat/answer-is-a-json-object',
    what: 'The words of the AI are sent as plain text instead of JSON.',
    mayAlso: [
      { id: 'own-ai-chat/answers-any-valid-event', why: 'the answers to generated events are plain text as well' },
    ],
    build: () => ({ chat: { now: (thought) => ({ status: 200, body: String(thought.text) }) } }),
  },
  {
    name: 'chat-answer-in-a-fence',
    breaks: 'own-ai-chat/answer-is-a-json-object',
    what: 'The JSON of the AI is forwarded inside its Markdown code fence.',
    mayAlso: [{ id: 'own-ai-chat/answers-any-valid-event', why: 'the answers to generated events are fenced as well' }],
    build: () => ({
      chat: { now: (thought) => ({ status: 200, body: `\`\`\`json\n${JSON.stringify(thought)}\n\`\`\`` }) },
    }),
  },
  {
    name: 'chat-answer-as-reply',
    breaks: 'own-ai-chat/has-a-documented-field',
    what: 'The words are in the field reply.',
    build: () => ({ chat: { now: ({ text }) => json(200, { reply: text }) } }),
  },
  {
    name: 'chat-answer-in-data',
    breaks: 'own-ai-chat/has-a-documented-field',
    what: 'The answer is wrapped in data, as in other interfaces of the company.',
    build: () => ({ chat: { now: (thought) => json(200, { data: thought }) } }),
  },
  {
    name: 'chat-answer-in-pascal-case',
    breaks: 'own-ai-chat/has-a-documented-field',
    what: 'The serialiser writes every field with a capital.',
    build: () => ({
      chat: {
        now: (thought) =>
          json(200, Object.fromEntries(Object.entries(thought).map(([name, value]) => [capitalised(name), value]))),
      },
    }),
  },
  {
    name: 'chat-reply-as-message',
    breaks: 'own-ai-chat/has-a-documented-field',
    what: 'A later reply has the words in message.content.',
    build: () => ({
      chat: {
        reply: ({ url, apiKey, thought }) =>
          postReply(url, { message: { content: thought.text } }, { 'x-api-key': apiKey }).then(() => undefined),
      },
    }),
  },
  {
    name: 'chat-never-answers',
    breaks: 'own-ai-chat/answers-at-least-one-message',
    what: 'Every message is answered 204, and no reply follows.',
    build: () => ({ chat: { think: () => undefined } }),
  },
  {
    name: 'chat-200-without-body',
    breaks: 'own-ai-chat/answers-at-least-one-message',
    what: 'Every message is answered 200 without a body, and no reply follows.',
    build: () => ({ chat: { think: () => undefined, quiet: () => ({ status: 200 }) } }),
  },
  {
    name: 'chat-promises-only',
    breaks: 'own-ai-chat/answers-at-least-one-message',
    what: 'Every message is answered 202, and the reply is lost.',
    build: () => ({ chat: { later: () => true, reply: () => Promise.resolve() } }),
  },
  {
    name: 'chat-empty-object',
    breaks: 'own-ai-chat/answers-at-least-one-message',
    what: 'Every message is answered with an empty object or with empty text, which sends nothing.',
    build: () => ({
      chat: {
        later: () => false,
        think: ({ data }) => (data.history.length === 0 ? {} : { text: '', action: 'none' }),
      },
    }),
  },
  {
    name: 'chat-never-sends-text',
    breaks: 'own-ai-chat/sends-text-when-asked',
    what: 'The AI hands over when asked to, and otherwise answers with empty text.',
    build: () => ({
      chat: {
        think: ({ data }) =>
          data.message.text === sentences.handover ? { action: 'handover' } : { text: '', action: 'none' },
      },
    }),
  },
  {
    name: 'chat-text-as-reply-with-an-action',
    breaks: 'own-ai-chat/sends-text-when-asked',
    what: 'The words are in reply, next to the action; a message through API v1 informs a colleague of each event.',
    build: () => ({
      chat: {
        think: (event) => {
          void informColleague(event);
          const { text, ...thought } = think(event) ?? {};
          return { ...thought, reply: text };
        },
      },
    }),
  },
  {
    name: 'chat-answer-with-sources',
    breaks: 'own-ai-chat/answer-within-64-kb',
    what: 'The answer carries the sources of the AI and has 70,000 bytes.',
    build: answer({ sources: 's'.repeat(70_000) }),
  },
  {
    name: 'chat-handover-with-the-transcript',
    breaks: 'own-ai-chat/answer-within-64-kb',
    what: 'The answer that hands over carries the whole history, which may have more than 64 KB.',
    build: () => ({
      chat: {
        now: (thought, { data: { history } }) =>
          json(200, thought.action === 'handover' ? { ...thought, transcript: history } : thought),
      },
    }),
  },
  {
    name: 'chat-answer-of-65000-bytes',
    breaks: 'own-ai-chat/answer-within-64000-bytes',
    what: 'The answer has 65,000 bytes: within 64 KB of 1024 bytes, beyond 64 KB of 1000.',
    build: answer({ sources: 's'.repeat(64_900) }),
  },
  {
    name: 'chat-answer-in-202',
    breaks: 'own-ai-chat/answer-is-not-in-202-or-204',
    what: 'The answer is put into the body of the 202, where it is lost.',
    build: () => ({ chat: { accepted: (thought) => json(202, thought) } }),
  },
  {
    name: 'chat-action-of-its-own',
    breaks: 'own-ai-chat/action-is-known',
    what: 'A handover is requested with the action transfer.',
    build: saying(sentences.handover, (_, thought) => ({ ...thought, action: 'transfer' })),
  },
  {
    name: 'chat-action-capitalised',
    breaks: 'own-ai-chat/action-is-known',
    what: 'The action is written End.',
    build: saying(sentences.end, (_, thought) => ({ ...thought, action: 'End' })),
  },
  {
    name: 'chat-text-in-parts',
    breaks: 'own-ai-chat/text-is-a-string',
    what: 'The field text is the list of parts that the AI returns.',
    build: answer({ text: [{ type: 'text', text: 'Yes, at ten.' }] }),
  },
  {
    name: 'chat-text-of-4001',
    breaks: 'own-ai-chat/text-within-4000-characters',
    what: 'An answer is cut one character too late.',
    build: answer({ text: 'n'.repeat(4_001) }),
  },
  {
    name: 'chat-reply-text-of-4001',
    breaks: 'own-ai-chat/text-within-4000-characters',
    what: 'A later reply is cut one character too late.',
    build: saying(sentences.async, (_, thought) => ({ ...thought, text: 'n'.repeat(4_001) })),
  },
  {
    name: 'chat-text-of-4000-emoji',
    breaks: 'own-ai-chat/text-within-4000-utf-16-units',
    what: 'An answer is cut by code points and is longer in UTF-16 units.',
    build: answer({ text: '🌱'.repeat(4_000) }),
  },
  {
    name: 'chat-quote-of-60-bytes',
    breaks: 'own-ai-chat/keeps-characters-whole',
    what: 'An answer quotes the first 60 bytes of the message, where a character may be cut.',
    build: quoting((text) => Buffer.from(text).subarray(0, 60).toString()),
  },
  {
    name: 'chat-quote-of-61-bytes-in-replies',
    breaks: 'own-ai-chat/keeps-characters-whole',
    what: 'A later reply quotes the first 61 bytes of the message, where a character may be cut.',
    build: () => ({
      chat: { ...quoting((text) => Buffer.from(text).subarray(0, 61).toString())().chat, later: () => true },
    }),
  },
  {
    name: 'chat-quote-of-60-utf-16-units',
    breaks: 'own-ai-chat/keeps-characters-whole',
    what: 'An answer quotes the first 60 UTF-16 units of the message, which may end with half a pair.',
    build: quoting((text) => text.slice(0, 60)),
  },
  {
    name: 'chat-note-of-501',
    breaks: 'own-ai-chat/note-within-500-characters',
    what: 'The note to the team is the whole reasoning of the AI.',
    build: saying(sentences.handover, (_, thought) => ({ ...thought, note: 'n'.repeat(501) })),
  },
  {
    name: 'chat-note-of-500-emoji',
    breaks: 'own-ai-chat/note-within-500-utf-16-units',
    what: 'The note is cut by code points and is longer in UTF-16 units.',
    build: saying(sentences.handover, (_, thought) => ({ ...thought, note: '🌱'.repeat(500) })),
  },
  {
    name: 'chat-skill-without-a-list',
    breaks: 'own-ai-chat/members-have-their-types',
    what: 'A single skill is sent as a string instead of a list.',
    build: saying(sentences.skill, (_, thought) => ({ ...thought, executeSkills: 'urgent' })),
  },
  {
    name: 'chat-note-as-object',
    breaks: 'own-ai-chat/members-have-their-types',
    what: 'The note is an object.',
    build: saying(sentences.handover, (_, thought) => ({ ...thought, note: { reason: 'Wants a person.' } })),
  },
  {
    name: 'chat-answer-after-a-byte-order-mark',
    breaks: 'own-ai-chat/no-byte-order-mark',
    what: 'A file of the program was saved with a byte order mark, which precedes every answer.',
    build: () => ({ chat: { now: (thought) => ({ status: 200, body: `\ufeff${JSON.stringify(thought)}` }) } }),
  },
  {
    name: 'chat-greets-undefined',
    breaks: 'own-ai-chat/no-placeholder-for-a-missing-value',
    what: 'Customers without a name are greeted as "undefined".',
    needsTheRest: 'checks of other requirements send messages of contacts without a name',
    build: saying(sentences.answer, ({ data: { contact } }, thought) => ({
      ...thought,
      text: `Hello ${String((contact as { name?: string }).name)}. ${String(thought.text)}`,
    })),
  },
  {
    name: 'chat-nulls-written-out',
    breaks: 'own-ai-chat/no-null-members',
    what: 'Fields without a value are written as null.',
    build: answer({ note: null, executeSkills: null, announcement: null }),
  },
  {
    name: 'chat-six-skills',
    breaks: 'own-ai-chat/at-most-five-skills',
    what: 'Six skills are named, as many as the AI requested.',
    build: saying(sentences.skill, ({ data: { skills } }, thought) => {
      const forward = skills.find(({ kind }) => kind === 'forward');
      const wanted = skills.filter((skill) => skill.kind === 'alert' || skill === forward);
      return { ...thought, executeSkills: wanted.slice(0, 6).map(({ key }) => key) };
    }),
  },
  {
    name: 'chat-two-forwards',
    breaks: 'own-ai-chat/at-most-one-forward',
    what: 'Two forward skills are named in one answer, one by key and one by id.',
    build: saying(sentences.skill, ({ data: { skills } }, thought) => {
      const [one, other] = skills.filter(({ kind }) => kind === 'forward');
      return one && other ? { ...thought, executeSkills: [one.key, other.id] } : thought;
    }),
  },
  {
    name: 'chat-skill-made-up',
    breaks: 'own-ai-chat/names-known-skills',
    what: 'A skill is named that the assistant does not have.',
    build: saying(sentences.skill, (_, thought) => ({ ...thought, executeSkills: ['plumber'] })),
  },
  {
    name: 'chat-skill-not-offered',
    breaks: 'own-ai-chat/names-only-offered-skills',
    what: 'A skill is read from the configuration, whether the event offers it or not.',
    build: saying(sentences.skill, (_, thought) => ({ ...thought, executeSkills: ['urgent'] })),
  },
  {
    name: 'chat-skill-while-team-has-it',
    breaks: 'own-ai-chat/names-no-skill-while-not-on',
    what: 'A skill is named even while the team has the conversation.',
    build: () => ({
      chat: {
        think: (event) =>
          think(event) ??
          (event.data.message.text === sentences.skill ? { text: '', executeSkills: ['urgent'] } : undefined),
      },
    }),
  },
  {
    name: 'chat-skill-by-key-and-id',
    breaks: 'own-ai-chat/names-each-skill-once',
    what: 'The same skill is named by key and by id.',
    build: saying(sentences.skill, ({ data: { skills } }, thought) => {
      const [first] = skills;
      return first ? { ...thought, executeSkills: [first.key, first.id] } : thought;
    }),
  },
];
