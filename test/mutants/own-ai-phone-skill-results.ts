import { speak } from '../proving/phone.ts';
import { phone, withoutClosing } from '../proving/phone-behaviour.ts';
import type { AiFrame, PhoneCall } from '../proving/phone-call.ts';
import type { Mutant } from './mutant.ts';
import { callClosed, closesAt, deafAt, skillResult } from './phone-faults.ts';

/** Reasons why a skill was not executed, and those that may accompany ok. */
export const reasons = [
  'unknown-skill',
  'outside-hours',
  'limit-reached',
  'not-allowed',
  'no-target',
  'no-recipient',
  'no-answer',
  'one-forward-per-turn',
  'failed',
  'pending-approval',
];

/** Faults in handling skill.result. */
export const phoneSkillResultMutants: readonly Mutant[] = [
  ...reasons.map((reason, at): Mutant => {
    const isMeant = skillResult((result) => result.reason === reason);
    return {
      name: `phone-ends-at-${reason}`,
      breaks:
        reason === 'pending-approval' ? 'own-ai-phone/takes-skill-results' : 'own-ai-phone/goes-on-after-refused-skill',
      what:
        at % 2 === 0
          ? `After a skill.result with the reason ${reason}, the AI no longer answers.`
          : `A skill.result with the reason ${reason} closes the call.`,
      mayAlso: [
        ...(at % 2 === 0 ? [] : [callClosed]),
        { id: 'own-ai-phone/holds-any-dialogue', why: 'generated dialogues contain such results too' },
      ],
      build: at % 2 === 0 ? deafAt(isMeant) : closesAt(isMeant),
    };
  }),
  {
    name: 'phone-reason-always-read',
    breaks: 'own-ai-phone/takes-skill-results',
    what: 'The reason is read from every skill.result, though ok true comes without one.',
    mayAlso: [
      callClosed,
      { id: 'own-ai-phone/holds-any-dialogue', why: 'generated dialogues contain such results too' },
    ],
    build: closesAt(skillResult(({ reason }) => typeof reason !== 'string')),
  },
  {
    name: 'phone-waits-for-the-skill',
    breaks: 'own-ai-phone/goes-on-after-refused-skill',
    what: 'After requesting a skill, the AI waits for ok true and says nothing until it arrives.',
    mayAlso: [
      { id: 'own-ai-phone/takes-skill-results', why: 'the skill may have been asked for before the results came' },
      { id: 'own-ai-phone/holds-any-dialogue', why: 'generated dialogues may hold a refused skill' },
      { id: 'own-ai-phone/ignores-unknown-values', why: 'an unknown reason refuses too' },
    ],
    build: refusedSkill((call, waiting) => void waiting.add(call)),
  },
  {
    name: 'phone-skill-result-too-late',
    breaks: 'own-ai-phone/goes-on-after-refused-skill',
    what: 'The call is closed if no skill.result has arrived 3 s after the request.',
    build: phone(() => {
      const waits = new WeakMap<PhoneCall, NodeJS.Timeout>();
      const stopWaiting = (call: PhoneCall) => clearTimeout(waits.get(call));
      return {
        write(frame, call) {
          if (isSkill(frame))
            waits.set(
              call,
              setTimeout(() => call.socket.close(1011), 3_000),
            );
          return [frame];
        },
        skillResult: (_, call) => stopWaiting(call),
        closed: stopWaiting,
      };
    }),
  },
  {
    name: 'phone-refused-skill-closes',
    breaks: 'own-ai-phone/goes-on-after-refused-skill',
    what: 'A refusal of a skill that the AI requested closes the call.',
    mayAlso: [
      callClosed,
      { id: 'own-ai-phone/takes-skill-results', why: 'the skill may have been asked for before the results came' },
      { id: 'own-ai-phone/holds-any-dialogue', why: 'generated dialogues may hold a refused skill' },
      { id: 'own-ai-phone/ignores-unknown-values', why: 'an unknown reason refuses too' },
    ],
    build: refusedSkill(({ socket }) => socket.close(1011)),
  },
  {
    name: 'phone-words-about-a-refusal-stay-open',
    breaks: 'own-ai-phone/closes-each-answer',
    what: 'What the AI says about a refused skill has no closing piece; all other answers have one.',
    mayAlso: [
      { id: 'own-ai-phone/goes-on-after-refused-skill', why: 'the next answer follows the open one' },
      { id: 'own-ai-phone/holds-any-dialogue', why: 'generated dialogues may hold a refused skill' },
      { id: 'own-ai-phone/ignores-unknown-values', why: 'an unknown reason refuses too' },
    ],
    build: refusedSkill((call) => call.play(withoutClosing(speak('I could not reach them. What else can I do?')))),
  },
  {
    name: 'phone-late-skill-refused-closes',
    breaks: 'own-ai-phone/goes-on-after-refused-skill',
    what: 'The same, and the AI requests the skill 400 ms after the end of its answer.',
    mayAlso: [
      callClosed,
      { id: 'own-ai-phone/takes-skill-results', why: 'the skill may have been asked for before the results came' },
      { id: 'own-ai-phone/holds-any-dialogue', why: 'generated dialogues may hold a refused skill' },
      { id: 'own-ai-phone/ignores-unknown-values', why: 'an unknown reason refuses too' },
    ],
    build: refusedSkill(({ socket }) => socket.close(1011), 400),
  },
];

/** Reacts to the refusal of a skill that the AI itself has requested, this long after the frame before it. */
function refusedSkill(
  react: (call: PhoneCall, waiting: WeakSet<PhoneCall>) => void,
  skillAfterMs?: number,
): Mutant['build'] {
  return phone((right) => {
    const asked = new WeakSet<PhoneCall>();
    const waiting = new WeakSet<PhoneCall>();
    return {
      write(frame, call) {
        if (isSkill(frame)) asked.add(call);
        return [frame];
      },
      think: (text, call) =>
        right
          .think(text, call)
          .map((step) =>
            skillAfterMs !== undefined && isSkill(step.frame) ? { ...step, afterMs: skillAfterMs } : step,
          ),
      skillResult({ ok }, call) {
        if (!ok && asked.has(call)) react(call, waiting);
      },
      prompt(text, call) {
        if (!waiting.has(call)) right.prompt(text, call);
      },
    };
  });
}

function isSkill(frame: AiFrame): boolean {
  return typeof frame === 'object' && 'type' in frame && frame.type === 'skill';
}
