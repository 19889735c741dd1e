import { soon, type PhoneSeams } from '../proving/phone.ts';
import { isText, withoutClosing, phone } from '../proving/phone-behaviour.ts';
import type { PhoneCall, Step } from '../proving/phone-call.ts';
import type { Mutant } from './mutant.ts';
import { callClosed, closesAt, dialogues } from './phone-faults.ts';

/** Speaks the rest of an interrupted answer before the next one. Each answer begins with `beginning`. */
function oldAnswerFirst(beginning: (call: PhoneCall) => Step[] = () => []): Mutant['build'] {
  return phone((right) => {
    const rests = new WeakMap<PhoneCall, Step[]>();
    return {
      interrupt: (call) => void rests.set(call, call.silence()),
      think(text, call) {
        const rest = rests.get(call) ?? [];
        rests.delete(call);
        const soonSpoken = withoutClosing(rest).map((step) => ({ ...step, afterMs: 5 }));
        return [...soonSpoken, ...beginning(call), ...right.think(text, call)];
      },
    };
  });
}

const interruptMutants: readonly Mutant[] = [
  {
    name: 'phone-talks-on',
    breaks: 'own-ai-phone/stops-at-interrupt',
    what: 'An interrupt is ignored, and the old answer is spoken to its end.',
    mayAlso: [dialogues],
    build: phone(() => ({ interrupt: () => undefined })),
  },
  {
    name: 'phone-obeys-one-interrupt',
    breaks: 'own-ai-phone/stops-at-interrupt',
    what: 'The event that cancels an answer is used up by the first interrupt of a call, and later ones have no effect.',
    mayAlso: [dialogues],
    build: phone((right) => {
      const interrupted = new WeakSet<PhoneCall>();
      return {
        interrupt: (call, text) => {
          if (!interrupted.has(call)) right.interrupt(call, text);
          interrupted.add(call);
        },
      };
    }),
  },
  {
    name: 'phone-talks-on-if-nothing-was-heard',
    breaks: 'own-ai-phone/stops-at-interrupt',
    what: 'An interrupt whose spokenUntilInterrupt is empty is ignored.',
    mayAlso: [dialogues],
    build: phone((right) => ({ interrupt: (call, spoken) => void (spoken !== '' && right.interrupt(call, spoken)) })),
  },
  {
    name: 'phone-talks-on-in-closed-sentences',
    breaks: 'own-ai-phone/stops-at-interrupt',
    what: 'Each sentence of an answer is closed, and an interrupt stops none of those that follow.',
    mayAlso: [dialogues],
    build: phone(() => ({
      interrupt: () => undefined,
      write: (frame) => [isText(frame) ? { ...frame, last: true } : frame],
    })),
  },
  {
    name: 'phone-speaks-every-second-piece-on',
    breaks: 'own-ai-phone/stops-at-interrupt',
    what: 'Two loops send the pieces, and an interrupt stops only one of them.',
    mayAlso: [dialogues],
    build: phone(() => ({
      interrupt: (call) =>
        call.play(call.silence().flatMap((step, at) => (at % 2 === 0 ? [{ ...step, afterMs: 2 * step.afterMs }] : []))),
    })),
  },
  {
    name: 'phone-speaks-its-queue-on',
    breaks: 'own-ai-phone/stops-at-interrupt',
    what: 'The model writes ahead into a queue, which an interrupt does not empty: the more was spoken, the longer it is.',
    mayAlso: [dialogues],
    build: phone(() => {
      const spoken = new WeakMap<PhoneCall, number>();
      return {
        interrupt: (call) => {
          call.play(call.silence().slice(0, (spoken.get(call) ?? 1) - 1));
        },
        write: (frame, call) => {
          if (isText(frame)) spoken.set(call, frame.last === true ? 0 : (spoken.get(call) ?? 0) + 1);
          return [frame];
        },
      };
    }),
  },
  {
    name: 'phone-pauses-at-an-interrupt',
    breaks: 'own-ai-phone/stops-at-interrupt',
    what: 'An interrupt only pauses the answer: its rest arrives a second later in one piece.',
    mayAlso: [dialogues, { id: 'own-ai-phone/answers-after-interrupt', why: 'the rest may come into the next answer' }],
    build: phone(() => ({
      interrupt: (call) => {
        const rest = wordsOf(call.silence());
        if (rest !== '') call.play([soon({ type: 'text', text: rest, last: true }, 1_000)]);
      },
    })),
  },
  {
    name: 'phone-stays-interrupted',
    breaks: 'own-ai-phone/answers-after-interrupt',
    what: 'The interrupt flag is never reset, so nothing more is answered.',
    mayAlso: [dialogues],
    build: phone((right) => afterInterrupts(right, () => [])),
  },
  {
    name: 'phone-wordless-after-an-interrupt',
    breaks: 'own-ai-phone/answers-after-interrupt',
    what: 'The interrupt flag is never reset, so each later answer is cut to its empty closing piece.',
    needsTheRest: 'other calls show that the AI answers a repeated sentence',
    mayAlso: [dialogues],
    build: phone((right) => afterInterrupts(right, () => [soon({ type: 'text', text: '', last: true })])),
  },
  {
    name: 'phone-interrupt-takes-the-next-answer',
    breaks: 'own-ai-phone/answers-after-interrupt',
    what: 'The cancellation of an interrupt applies to the next answer, which stops after its first piece.',
    mayAlso: [dialogues, { id: 'own-ai-phone/closes-each-answer', why: 'the answer that is cut off is not closed' }],
    build: phone((right) => afterInterrupts(right, (steps) => withoutClosing(steps.slice(0, 1)), true)),
  },
  {
    name: 'phone-old-answer-comes-first',
    breaks: 'own-ai-phone/answers-after-interrupt',
    what: 'The rest of the interrupted answer stays in the buffer and is spoken with the next one.',
    mayAlso: [dialogues],
    build: oldAnswerFirst(),
  },
  {
    name: 'phone-old-answer-with-a-name-comes-first',
    breaks: 'own-ai-phone/answers-after-interrupt',
    what: 'Each answer begins with the name of the contact, and the rest of the interrupted one is spoken with the next one.',
    mayAlso: [dialogues],
    build: oldAnswerFirst(({ started }) => [
      soon({ type: 'text', text: `${started?.contact.name ?? 'Hello'}, `, last: false }),
    ]),
  },
  {
    name: 'phone-old-answer-comes-after',
    breaks: 'own-ai-phone/answers-after-interrupt',
    what: 'The rest of the interrupted answer is spoken after the next one, as a separate utterance.',
    mayAlso: [dialogues],
    build: phone((right) => {
      const rests = new WeakMap<PhoneCall, Step[]>();
      return {
        interrupt: (call) => void rests.set(call, call.silence()),
        think(text, call) {
          const rest = wordsOf(rests.get(call) ?? []);
          rests.delete(call);
          const after = rest === '' ? [] : [soon({ type: 'text', text: rest, last: true })];
          return [...right.think(text, call), ...after];
        },
      };
    }),
  },
  {
    name: 'phone-interrupt-closes',
    breaks: 'own-ai-phone/answers-after-interrupt',
    what: 'The cancelled answer throws, which closes the call.',
    mayAlso: [
      callClosed,
      dialogues,
      { id: 'own-ai-phone/stops-at-interrupt', why: 'after a closed call nothing can be judged' },
    ],
    build: closesAt(({ type }, { isTalking }) => type === 'interrupt' && isTalking),
  },
];

/** Faults that need several steps of a dialogue. */
const orderMutants: readonly Mutant[] = [
  {
    name: 'phone-interrupt-without-an-answer-closes',
    breaks: 'own-ai-phone/holds-any-dialogue',
    what: 'An interrupt while nothing is spoken finds no answer to cancel, and the call is closed.',
    mayAlso: [
      callClosed,
      { id: 'own-ai-phone/ignores-unknown-members', why: 'an interrupt with unknown fields comes so too' },
    ],
    build: closesAt(({ type }, { isTalking }) => type === 'interrupt' && !isTalking),
  },
  {
    name: 'phone-key-after-an-interrupt',
    breaks: 'own-ai-phone/holds-any-dialogue',
    what: 'After an interrupt, a key press waits for the cancelled answer, and the AI says nothing more.',
    build: phone((right) => {
      const interrupted = new WeakSet<PhoneCall>();
      const deaf = new WeakSet<PhoneCall>();
      return {
        hear(frame, call) {
          if (frame.type === 'interrupt') interrupted.add(call);
          if (frame.type === 'dtmf' && interrupted.has(call)) deaf.add(call);
          if (!deaf.has(call)) right.hear(frame, call);
        },
      };
    }),
  },
];

/** Faults in handling interrupts, and steps in an unusual order. */
export const phoneInterruptMutants: readonly Mutant[] = [...interruptMutants, ...orderMutants];

function wordsOf(steps: readonly Step[]): string {
  return steps.map(({ frame }) => (frame as { text?: string }).text ?? '').join('');
}

/** Changes the answers after an interrupt: only the next one, or all of them. */
function afterInterrupts(right: PhoneSeams, change: (steps: Step[]) => Step[], onlyNext = false): Partial<PhoneSeams> {
  const interrupted = new WeakSet<PhoneCall>();
  return {
    interrupt(call) {
      if (call.isTalking) interrupted.add(call);
      right.interrupt(call, '');
    },
    think(text, call) {
      const isMeant = interrupted.has(call);
      if (onlyNext) interrupted.delete(call);
      return isMeant ? change(right.think(text, call)) : right.think(text, call);
    },
  };
}
