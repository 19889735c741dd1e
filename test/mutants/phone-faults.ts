import { phone, thinking } from '../proving/phone-behaviour.ts';
import { soon } from '../proving/phone.ts';
import type { PhoneCall, ServiceFrame, SessionStarted, SkillResult } from '../proving/phone-call.ts';
import type { Mutant } from './mutant.ts';

/** Requirements that every fault breaks if it closes a call. */
export const callClosed = {
  id: 'own-ai-phone/keeps-the-call-open',
  why: 'the call is closed without an action',
} as const;

/** Requirements that nearly every fault in a dialogue breaks. */
export const dialogues = {
  id: 'own-ai-phone/holds-any-dialogue',
  why: 'generated dialogues reach this point too',
} as const;

export type FrameTest = (frame: ServiceFrame, call: PhoneCall) => boolean;

/** An uncaught exception ends the handler of the call, which closes it. */
export function closesAt(isFatal: FrameTest): Mutant['build'] {
  return phone((right) => ({
    hear(frame, call) {
      if (isFatal(frame, call)) throw new TypeError('not expected');
      right.hear(frame, call);
    },
  }));
}

/** An exception ends the loop that reads frames: the call stays open, and nothing more is spoken. */
export function deafAt(isFatal: FrameTest): Mutant['build'] {
  return phone((right) => {
    const deaf = new WeakSet<PhoneCall>();
    return {
      hear(frame, call) {
        if (isFatal(frame, call)) deaf.add(call);
        if (!deaf.has(call)) right.hear(frame, call);
      },
    };
  });
}

/** Sentences that match this condition get no answer. */
export function unanswered(isLost: (text: string, call: PhoneCall) => boolean): Mutant['build'] {
  return thinking((steps, text, call) => (isLost(text, call) ? [] : steps));
}

/** Sentences that match this condition are answered by an empty closing piece alone. */
export function wordless(isLost: (text: string, call: PhoneCall) => boolean): Mutant['build'] {
  return thinking((steps, text, call) => (isLost(text, call) ? [soon({ type: 'text', text: '', last: true })] : steps));
}

/** Whether an answer is under way that has not begun to be spoken. */
export function isThinking({ isTalking, isAnswerOpen }: PhoneCall): boolean {
  return isTalking && !isAnswerOpen;
}

/** A test of session.started. */
export function started(isMeant: (session: SessionStarted) => boolean): FrameTest {
  return (frame) => frame.type === 'session.started' && isMeant(frame as unknown as SessionStarted);
}

/** A test of the caller's sentence. */
export function sentence(isMeant: (text: string) => boolean): FrameTest {
  return ({ type, text }) => type === 'prompt' && isMeant(text as string);
}

/** A test of skill.result. */
export function skillResult(isMeant: (result: SkillResult, call: PhoneCall) => boolean): FrameTest {
  return (frame, call) => frame.type === 'skill.result' && isMeant(frame as unknown as SkillResult, call);
}

/** Fields that a frame of the interface does not have. */
export function hasOtherFields(value: unknown, known: readonly string[]): boolean {
  return Object.keys(value as object).some((name) => !known.includes(name));
}
