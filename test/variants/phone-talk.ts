import { callerSentences, soon, speak, think } from '../proving/phone.ts';
import { isText, phone, reshaping, thinking } from '../proving/phone-behaviour.ts';
import type { PhoneCall, Step } from '../proving/phone-call.ts';
import type { Variant } from './variant.ts';

const surfaces = ['own-ai-phone'] as const;

/** Milliseconds until a slow first piece, within the waiting time of the proof, 2 s. */
const slowButInTimeMs = 1_500;

/** A long answer, and its sentences. */
const chapters = 8;
const slowStory = Array.from({ length: chapters }, (_, at) => `In chapter ${at} we built one more house. `).join('');

/** Plays these steps once the caller has said nothing for `silenceMs` milliseconds after a sentence. */
function afterSilence(silenceMs: number, steps: readonly Step[]): Variant['build'] {
  return phone((right) => {
    const waits = new WeakMap<PhoneCall, NodeJS.Timeout>();
    return {
      hear(frame, call) {
        clearTimeout(waits.get(call));
        right.hear(frame, call);
        const speakUp = () => {
          if (!call.isTalking && !call.isOver) call.play([...steps]);
        };
        if (call.prompts > 0) waits.set(call, setTimeout(speakUp, silenceMs));
      },
      closed: (call) => clearTimeout(waits.get(call)),
    };
  });
}

/** Correct but unusual ways to speak. */
const speaking: readonly Variant[] = [
  {
    name: 'phone-character-by-character',
    what: 'Sends each character as a separate piece.',
    surfaces,
    build: thinking((steps) => steps.flatMap(letters)),
  },
  {
    name: 'phone-speaks-with-accents',
    what: 'Has an accent on each e.',
    surfaces,
    build: reshaping(({ text, ...frame }) =>
      typeof text === 'string'
        ? { ...frame, text: text.replaceAll('e', 'é') }
        : { ...frame, ...(text !== undefined && { text }) },
    ),
  },
  {
    name: 'phone-token',
    what: 'Puts the words into token, and sends last only where it is true.',
    surfaces,
    build: reshaping(({ text, last, ...frame }) =>
      frame.type === 'text' ? { ...frame, token: text, ...(last === true && { last }) } : { ...frame, text },
    ),
  },
  {
    name: 'phone-one-frame',
    what: 'Sends each answer whole in one frame.',
    surfaces,
    build: thinking((steps) => {
      const text = steps.map(({ frame }) => (isText(frame) ? String(frame.text) : '')).join('');
      const others = steps.filter(({ frame }) => !isText(frame));
      return [...(text === '' ? [] : [soon({ type: 'text', text, last: true })]), ...others];
    }),
  },
  {
    name: 'phone-empty-closing-piece',
    what: 'Closes each answer with an empty piece, 100 ms after the last word.',
    surfaces,
    build: thinking((steps) =>
      steps.flatMap(({ afterMs, frame }) =>
        isText(frame) && frame.last === true
          ? [soon({ ...frame, last: false }, afterMs), soon({ type: 'text', text: '', last: true }, 100)]
          : [{ afterMs, frame }],
      ),
    ),
  },
  {
    name: 'phone-empty-pieces-meanwhile',
    what: 'Sends empty pieces at the start of a call and before an answer; the caller does not hear them.',
    surfaces,
    build: phone((right) => ({
      started(frame, call) {
        call.send({ type: 'text', text: '' });
        right.started(frame, call);
      },
      think: (text, call) => [soon({ type: 'text', text: '', last: false }), ...think(text, call)],
    })),
  },
  {
    name: 'phone-closed-twice',
    what: 'Sends an empty closing piece after an answer that is closed already.',
    surfaces,
    build: phone(() => ({
      write: (frame) =>
        isText(frame) && frame.last === true ? [frame, { type: 'text', text: '', last: true }] : [frame],
    })),
  },
  {
    name: 'phone-every-piece-closed',
    what: 'Closes after each sentence of an answer, so that one answer is several utterances.',
    surfaces,
    build: reshaping((frame) => (frame.type === 'text' ? { ...frame, last: true } : frame)),
  },
  {
    name: 'phone-late-in-time',
    what: `Begins every tenth answer after ${slowButInTimeMs / 1000} s.`,
    surfaces,
    build: () => {
      let answers = 0;
      return thinking((steps) => (answers++ % 10 === 0 ? withStart(steps, slowButInTimeMs) : steps))();
    },
  },
  {
    name: 'phone-filler-first',
    what: 'Says that it takes a moment, closed by last, and gives the answer as a second utterance.',
    surfaces,
    build: thinking((steps, text) =>
      text === callerSentences.answer
        ? [...speak('One moment, please.', { pieces: 1 }), ...withStart(steps, 150)]
        : steps,
    ),
  },
  {
    name: 'phone-never-the-same',
    what: 'Answers in other words each time.',
    surfaces,
    build: () => {
      let answers = 0;
      return thinking((steps, text) => {
        const words = ['Certainly', 'Of course', 'Gladly', 'Let me see'][answers++ % 4] ?? '';
        return text === callerSentences.answer ? speak(`${words}, that is number ${answers}.`) : steps;
      })();
    },
  },
  {
    name: 'phone-silent-about-noise',
    what: 'Does not answer a sentence with fewer than two words, such as a cough.',
    surfaces,
    build: thinking((steps, text) => ((text.match(/\p{L}{2,}/gu) ?? []).length < 2 ? [] : steps)),
  },
  {
    name: 'phone-hands-over-what-it-does-not-know',
    what: 'Hands the call over at every sentence that it does not expect.',
    surfaces,
    build: thinking((steps, text) =>
      (Object.values(callerSentences) as string[]).includes(text)
        ? steps
        : [soon({ type: 'action', action: 'handover', text: 'I ask a colleague.' })],
    ),
  },
  {
    name: 'phone-asks-who-is-silent',
    what: 'After a second of silence, asks in three pieces whether the caller is still there.',
    surfaces,
    build: afterSilence(1_000, speak('Are you still there?', { pieces: 3 })),
  },
  {
    name: 'phone-ends-after-silence',
    what: 'After five seconds of silence, says goodbye and ends the call by an action.',
    surfaces,
    build: afterSilence(5_000, [soon({ type: 'action', action: 'end', text: 'You seem to be gone. Goodbye.' })]),
  },
  {
    name: 'phone-longest-text',
    what: 'Says 4000 characters of two UTF-16 units in one piece, in a frame of 63,900 bytes.',
    surfaces,
    build: thinking((steps, text) => {
      if (text !== callerSentences.answer) return steps;
      const frame = { type: 'text', text: '🌱'.repeat(4_000), last: true, padding: '' };
      return [soon({ ...frame, padding: 'p'.repeat(63_900 - Buffer.byteLength(JSON.stringify(frame))) })];
    }),
  },
];

/** Correct ways to handle frames in between. */
const interrupted: readonly Variant[] = [
  {
    name: 'phone-yes-after-an-interrupt',
    what: 'Says a short word, closed, when it is interrupted.',
    surfaces,
    build: phone((right) => ({
      interrupt(call, spoken) {
        right.interrupt(call, spoken);
        call.play(speak('Yes, please?', { pieces: 1 }));
      },
    })),
  },
  {
    name: 'phone-slow-question-after-an-interrupt',
    what: 'Says a sentence of a long answer every 600 ms, and asks a question at the same pace when it is interrupted.',
    surfaces,
    build: phone((right) => ({
      think: (text, call) =>
        text === callerSentences.long ? speak(slowStory, { everyMs: 600, pieces: chapters }) : think(text, call),
      interrupt(call, spoken) {
        const { isTalking } = call;
        right.interrupt(call, spoken);
        if (isTalking) call.play(speak('Yes? What would you like?', { firstAfterMs: 600, everyMs: 700, pieces: 2 }));
      },
    })),
  },
  {
    name: 'phone-closes-what-is-interrupted',
    what: 'Closes the old answer with an empty piece when it is interrupted.',
    surfaces,
    build: phone(() => ({
      interrupt(call) {
        call.silence();
        if (call.isAnswerOpen) call.send({ type: 'text', text: '', last: true });
      },
    })),
  },
  {
    name: 'phone-interrupted-after-200-ms',
    what: 'Keeps speaking for 200 ms before an interrupt takes effect.',
    surfaces,
    build: phone((right) => ({
      interrupt(call, spoken) {
        const { prompts } = call;
        setTimeout(() => {
          if (call.prompts === prompts) right.interrupt(call, spoken);
        }, 200);
      },
    })),
  },
  {
    name: 'phone-answers-one-after-the-other',
    what: 'Speaks an answer to its end before it answers a sentence that arrived meanwhile.',
    surfaces,
    build: phone(() => ({ prompt: (text, call) => call.play(call.seams.think(text, call)) })),
  },
  {
    name: 'phone-new-answer-in-the-place-of-the-old',
    what: 'Drops the old answer for a new sentence and continues with the new one, so that one last closes both.',
    surfaces,
    build: phone(() => ({
      prompt(text, call) {
        call.silence();
        call.play(call.seams.think(text, call));
      },
    })),
  },
  {
    name: 'phone-answers-keys',
    what: 'Says which key was pressed.',
    surfaces,
    build: phone(() => ({
      dtmf(digit, call) {
        if (!call.isTalking) call.play(speak(`You pressed ${digit}.`));
      },
    })),
  },
  {
    name: 'phone-waits-when-resumed',
    what: 'Says nothing after a failed handover until the caller speaks.',
    surfaces,
    build: phone(() => ({ started: () => undefined })),
  },
];

/** Correct but unusual ways to talk. */
export const phoneTalkVariants: readonly Variant[] = [...speaking, ...interrupted];

function letters({ afterMs, frame }: Step): Step[] {
  if (!isText(frame)) return [{ afterMs, frame }];
  const all = [...String(frame.text)];
  return all.map((text, at) => ({
    afterMs: at === 0 ? afterMs : 1,
    frame: { type: 'text', text, last: frame.last === true && at === all.length - 1 },
  }));
}

/** The same steps, with the first one delayed by `afterMs`. */
function withStart(steps: readonly Step[], afterMs: number): Step[] {
  return steps.map((step, at) => (at === 0 ? { ...step, afterMs } : step));
}
