import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { interpretFrame } from '../../harness/wire/frame-meaning.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { CallFrame, CallObservation } from '../../harness/wire/observation.ts';
import type { Skill } from '../../specs/generated/types.ts';
import { judgeAll, type JudgeableBody } from '../judgement.ts';
import { notReadFault } from '../not-read-fault.ts';
import { conclude, expect } from '../matchers/expect.ts';
import { judgeDividedCharacters } from './divided-characters.ts';
import { frameAspects, type FrameBody } from './frame-aspects.ts';
import { skillsNamedBefore } from './skills-named-before.ts';
import { hasAwaitedAnswer } from './talk.ts';
import { typicalCalls } from './typical-calls.ts';

/** Plain calls with one sentence each, from which the driver learns how an AI begins. */
const plainCalls = 2;

describe.concurrent('own-ai-phone frames', () => {
  for (const aspect of frameAspects) {
    check(aspect.requirement, aspect.title, async (kit) => {
      await asFarAsHeld(kit);
      judgeAll(kit, { ...aspect, needs: `${aspect.needs}${nothingSpoken(kit)}` }, framesOf(kit));
    });
  }

  check('own-ai-phone/closes-each-answer', 'in every call of the run, each answer is closed', async (kit) => {
    await asFarAsHeld(kit);
    const spoken = kit.phone.calls.filter(hasAwaitedAnswer);
    if (spoken.length === 0) kit.notExercised('No sentence was answered by speech up to its end.');
    for (const call of spoken) expect(call).toHaveClosedItsAnswers();
    const [unkept] = kit.phone.unkept;
    if (unkept) throw notReadFault(whyUnkept(unkept), unkept, kit.phone.unkept.length - 1);
  });

  check('own-ai-phone/pieces-hold-whole-characters', 'no two pieces of speech divide a character', async (kit) => {
    await asFarAsHeld(kit);
    const judged = kit.phone.calls.flatMap((call) => {
      const finding = judgeDividedCharacters(call);
      return finding === 'nothing' ? [] : [{ call, finding }];
    });
    if (judged.length === 0) kit.notExercised('No character beyond ASCII was spoken in an answer of several pieces.');
    for (const { call, finding } of judged) conclude(call, finding);
  });

  check('own-ai-phone/keeps-the-call-open', 'a call stays up whatever is said in it', async (kit) => {
    // The first calls of the run are plain ones; an endpoint that stops in them takes no further call.
    for (const call of kit.phone.calls.slice(0, plainCalls)) expect(call).toStayUp();
    for (const call of await typicalCalls(kit)) expect(call).toStayUp();
  });
});

/** Makes the typical calls. If that no longer works, the frames of earlier calls are judged, if any. */
async function asFarAsHeld(kit: CheckKit): Promise<void> {
  try {
    await typicalCalls(kit);
  } catch (error) {
    if (!(error instanceof HarnessFault) || framesOf(kit).length === 0) throw error;
  }
}

/** Lists the configured sentences that did not trigger their behaviour. */
function nothingSpoken({ phone, settings }: CheckKit): string {
  const kinds = new Set(
    phone.calls.flatMap(({ frames }) =>
      frames.filter(({ from }) => from === 'ai').map((frame) => interpretFrame(frame).kind),
    ),
  );
  const { handover, end, skill } = settings.config.stimuli.phone ?? {};
  const wants = [
    { name: 'handover', kind: 'action', sentence: handover },
    { name: 'end', kind: 'action', sentence: end },
    { name: 'skill', kind: 'skill', sentence: skill },
  ] as const;
  const missed = wants.filter(({ kind, sentence }) => sentence !== undefined && !kinds.has(kind));
  if (missed.length === 0) return '';
  return ` Said, but without such a frame: ${missed.map(({ name }) => `stimuli.phone.${name}`).join(', ')}.`;
}

/** Every frame of the AI in the run, with the skills that its call offered. */
function framesOf({ phone }: CheckKit): JudgeableBody<FrameBody>[] {
  const unkept = phone.unkept.map((call) => ({ exchange: call, unread: whyUnkept(call) }));
  const kept = phone.calls.flatMap((call) => {
    const offered = offeredIn(call);
    const named = skillsNamedBefore(call.frames, [...phone.skills, ...offered]);
    // The frames of a long call are mostly equal.
    const seen = new Set<CallFrame>();
    return call.frames.flatMap((frame, index): JudgeableBody<FrameBody>[] => {
      if (frame.from !== 'ai' || seen.has(frame)) return [];
      seen.add(frame);
      if (frame.unread !== undefined) return [{ exchange: call, unread: `a frame that is ${frame.unread}` }];
      return [
        { exchange: call, body: { frame, index, offered, skills: phone.skills, namedBefore: named[index] ?? [] } },
      ];
    });
  });
  return [...kept, ...unkept];
}

function whyUnkept({ framesOmitted }: CallObservation): string {
  return `more frames in all calls together than we keep, ${framesOmitted} of them`;
}

function offeredIn({ frames }: CallObservation): readonly Skill[] {
  const started = frames.find(({ from }) => from === 'service')?.value;
  return isJsonObject(started) && Array.isArray(started.skills) ? (started.skills as Skill[]) : [];
}
