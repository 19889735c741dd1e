import { isClosing, isText, withoutClosing, phone, reshaping, thinking } from '../proving/phone-behaviour.ts';
import { callerSentences, soon, speak } from '../proving/phone.ts';
import type { PhoneCall } from '../proving/phone-call.ts';
import type { Mutant } from './mutant.ts';
import { callClosed, closesAt, unanswered, dialogues, isThinking, wordless } from './phone-faults.ts';

/** Milliseconds beyond the waiting time of the proof, 2 s, but within the timeout of a run. */
const tooLongMs = 2_700;
/** Milliseconds of the caller's silence after which an impatient AI closes. */
const idleMs = 1_200;
/** Milliseconds within which frames of one packet are read. */
const onePacketMs = 1;

/** Closes a call in which the caller says nothing for `silenceMs` milliseconds. */
function closesAfterSilence(silenceMs: number): Mutant['build'] {
  return phone((right) => {
    const idle = new WeakMap<PhoneCall, NodeJS.Timeout>();
    const watch = (call: PhoneCall) => {
      clearTimeout(idle.get(call));
      const close = () => (call.isTalking ? watch(call) : call.socket.close(1000, 'idle'));
      idle.set(call, setTimeout(close, silenceMs));
    };
    return {
      connected: watch,
      hear(frame, call) {
        right.hear(frame, call);
        watch(call);
      },
      closed: (call) => clearTimeout(idle.get(call)),
    };
  });
}

/** Stops answering after this many sentences. */
const fewSentences = 9;

const silentMutants: readonly Mutant[] = [
  {
    name: 'phone-never-answers',
    breaks: 'own-ai-phone/answers-a-prompt',
    what: 'Sentences are accepted, but never answered.',
    mayAlso: [{ id: 'own-ai-phone/first-piece-within-timeout', why: 'no first piece ever comes' }],
    build: unanswered(() => true),
  },
  {
    name: 'phone-answers-are-empty',
    breaks: 'own-ai-phone/answers-a-prompt',
    what: 'Every answer is an empty piece with last true: the words of the model are read from a field it lacks.',
    build: wordless(() => true),
  },
  {
    name: 'phone-first-sentence-lost',
    breaks: 'own-ai-phone/answers-the-first-prompt',
    what: 'The first sentence of each call is lost while the AI is set up.',
    build: unanswered((_, { prompts }) => prompts === 1),
  },
  {
    name: 'phone-acts-without-a-word',
    breaks: 'own-ai-phone/speaks-to-the-caller',
    what: 'Every sentence leads to a handover without words, so the caller never hears the AI.',
    build: phone(() => ({
      started: () => undefined,
      think: () => [soon({ type: 'action', action: 'handover' })],
    })),
  },
  {
    name: 'phone-answers-late',
    breaks: 'own-ai-phone/first-piece-within-timeout',
    what: `The first piece of the third answer of a call comes after ${tooLongMs / 1000} s, because the dialogue is summarised first.`,
    build: thinking((steps, text, { prompts }) =>
      // One late answer in each call is enough, and the run stays short.
      text === callerSentences.answer && prompts === 3
        ? speak('On Thursday, yes.', { firstAfterMs: tooLongMs })
        : steps,
    ),
  },
  {
    name: 'phone-second-sentence-unanswered',
    breaks: 'own-ai-phone/answers-later-prompts',
    what: 'The listener for sentences is called only once, so the second sentence of a call is not answered.',
    stopsTheRest: 'What comes after anything else is said in a second sentence.',
    build: unanswered((_, { prompts }) => prompts > 1),
  },
  {
    name: 'phone-third-sentence-closed-without-a-word',
    breaks: 'own-ai-phone/answers-later-prompts',
    what: 'From the third sentence of a call on, the answer is only an empty closing piece.',
    stopsTheRest: 'What comes after anything else may be said in a third sentence.',
    build: wordless((_, { prompts }) => prompts > 2),
  },
  {
    name: 'phone-tenth-sentence-unanswered',
    breaks: 'own-ai-phone/answers-later-prompts',
    what: 'Each answer leaves a listener behind, and the tenth sentence reaches their limit.',
    mayAlso: [
      dialogues,
      { id: 'own-ai-phone/survives-any-sentence', why: 'many sentences may be tried in one call' },
      { id: 'own-ai-phone/takes-dtmf', why: 'many keys may be tried in one call, each with a sentence' },
      { id: 'own-ai-phone/takes-skill-results', why: 'many results may be tried in one call, each with a sentence' },
    ],
    build: unanswered((_, { prompts }) => prompts > fewSentences),
  },
];

const closingMutants: readonly Mutant[] = [
  {
    name: 'phone-pieces-of-equal-bytes',
    breaks: 'own-ai-phone/pieces-hold-whole-characters',
    what: 'The text of an answer is divided after a number of bytes, and each piece is decoded alone.',
    build: thinking((steps) => {
      const spoken = steps.flatMap(({ frame }) => (isText(frame) ? [String(frame.text)] : []));
      const bytes = Buffer.from(spoken.join('').replaceAll(/[aeiou]/g, (vowel) => `${vowel}\u0301`.normalize()));
      const size = Math.ceil(bytes.length / Math.max(spoken.length, 1));
      let at = 0;
      return steps.map((step) => {
        if (!isText(step.frame)) return step;
        const text = bytes.subarray(at * size, ++at * size).toString();
        return { ...step, frame: { ...step.frame, text } };
      });
    }),
  },
  {
    name: 'phone-no-last',
    breaks: 'own-ai-phone/closes-each-answer',
    what: 'No piece has last.',
    stopsTheRest: 'No answer ends.',
    build: reshaping(({ last: _, ...frame }) => frame),
  },
  {
    name: 'phone-fifth-answer-left-open',
    breaks: 'own-ai-phone/closes-each-answer',
    what: 'The fifth answer of each call ends without last true.',
    mayAlso: [
      dialogues,
      { id: 'own-ai-phone/answers-later-prompts', why: 'a later answer does not end' },
      { id: 'own-ai-phone/survives-any-sentence', why: 'many sentences may be tried in one call' },
      { id: 'own-ai-phone/takes-dtmf', why: 'many keys may be tried in one call, each with a sentence' },
      { id: 'own-ai-phone/takes-skill-results', why: 'many results may be tried in one call, each with a sentence' },
    ],
    build: thinking((steps, _, { prompts }) => (prompts === 5 ? withoutClosing(steps) : steps)),
  },
  {
    name: 'phone-second-utterance-left-open',
    breaks: 'own-ai-phone/closes-each-answer',
    what: 'An answer begins with an utterance that is closed; its second one, a moment later, is not.',
    build: thinking((steps, text) =>
      text === callerSentences.answer
        ? [...speak('One moment, please.', { pieces: 1 }), ...withoutClosing(steps)]
        : steps,
    ),
  },
  {
    name: 'phone-closes-after-the-first-answer',
    breaks: 'own-ai-phone/keeps-the-call-open',
    what: 'The connection is closed after the first answer, as after a request.',
    stopsTheRest: 'No call continues after its first sentence.',
    build: phone(() => ({
      write(frame, { socket }) {
        if (isClosing(frame)) setTimeout(() => socket.close(1000), 20);
        return [frame];
      },
    })),
  },
  ...(
    [
      ['interrupt', 'An interrupt', 'own-ai-phone/keeps-the-call-open'],
      ['prompt', 'A second sentence', 'own-ai-phone/takes-a-prompt-during-an-answer'],
    ] as const
  ).map(([type, what, breaks]): Mutant => ({
    name: `phone-closes-at-a-thinking-${type}`,
    breaks,
    what: `${what} while the AI thinks finds no stream, which closes the call.`,
    mayAlso: [dialogues],
    build: closesAt((frame, call) => frame.type === type && isThinking(call)),
  })),
  {
    name: 'phone-closes-when-idle',
    breaks: 'own-ai-phone/keeps-the-call-open',
    what: `The connection is closed when the caller says nothing for ${idleMs / 1000} s.`,
    mayAlso: [
      dialogues,
      { id: 'own-ai-phone/stops-at-interrupt', why: 'the check waits in silence after the interrupt' },
      { id: 'own-ai-phone/answers-after-interrupt', why: 'the caller is quiet before the sentence after an interrupt' },
    ],
    build: closesAfterSilence(idleMs),
  },
  {
    name: 'phone-closes-after-5-s-of-silence',
    breaks: 'own-ai-phone/keeps-the-call-open',
    what: 'The connection is closed when the caller says nothing for 5 s: the default limit for a read.',
    build: closesAfterSilence(5_000),
  },
];

const keyMutants: readonly Mutant[] = [
  {
    name: 'phone-frames-of-one-packet-lost',
    breaks: 'own-ai-phone/answers-after-interrupt',
    what: 'Of the frames that arrive together, only the first is read.',
    mayAlso: [dialogues],
    build: phone((right) => {
      const readAt = new WeakMap<PhoneCall, number>();
      return {
        hear(frame, call) {
          const now = performance.now();
          const isFirst = now - (readAt.get(call) ?? -Infinity) > onePacketMs;
          readAt.set(call, now);
          if (isFirst) right.hear(frame, call);
        },
      };
    }),
  },
  {
    name: 'phone-key-closes',
    breaks: 'own-ai-phone/takes-dtmf',
    what: 'There is no handler for keys, and the call is closed.',
    mayAlso: [
      callClosed,
      dialogues,
      { id: 'own-ai-phone/ignores-unknown-values', why: 'an unknown key is a key' },
      { id: 'own-ai-phone/ignores-unknown-members', why: 'a key with unknown fields is a key' },
    ],
    build: closesAt(({ type }) => type === 'dtmf'),
  },
  {
    name: 'phone-star-and-hash-are-no-numbers',
    breaks: 'own-ai-phone/takes-dtmf',
    what: 'Keys are read as numbers, and after a star or a hash the AI says nothing more.',
    mayAlso: [dialogues, { id: 'own-ai-phone/ignores-unknown-values', why: 'an unknown key may be no number' }],
    build: phone((right) => {
      const deaf = new WeakSet<PhoneCall>();
      return {
        dtmf: (digit, call) => void (Number.isNaN(Number(digit)) && deaf.add(call)),
        prompt: (text, call) => deaf.has(call) || right.prompt(text, call),
      };
    }),
  },
  {
    name: 'phone-two-keys-in-a-row',
    breaks: 'own-ai-phone/takes-dtmf',
    what: 'After two keys in a row, the AI waits for more digits and answers no sentences.',
    mayAlso: [dialogues],
    build: phone((right) => {
      const keys = new WeakMap<PhoneCall, number>();
      return {
        hear(frame, call) {
          const before = keys.get(call) ?? 0;
          const isDeaf = before >= 2;
          if (!isDeaf) keys.set(call, frame.type === 'dtmf' ? before + 1 : 0);
          if (!isDeaf || frame.type !== 'prompt') right.hear(frame, call);
        },
      };
    }),
  },
  {
    name: 'phone-sentence-in-an-answer-dropped',
    breaks: 'own-ai-phone/takes-a-prompt-during-an-answer',
    what: 'A sentence that arrives while an answer is streamed is dropped.',
    build: phone((right) => ({ prompt: (text, call) => call.isTalking || right.prompt(text, call) })),
  },
  {
    name: 'phone-sentence-in-an-answer-closes',
    breaks: 'own-ai-phone/takes-a-prompt-during-an-answer',
    what: 'A sentence that arrives while an answer is streamed hits a lock and closes the call.',
    mayAlso: [callClosed],
    build: closesAt(({ type }, { isTalking }) => type === 'prompt' && isTalking),
  },
];

/** Faults in the content and the times of answers. */
export const phoneDialogueMutants: readonly Mutant[] = [...silentMutants, ...closingMutants, ...keyMutants];
