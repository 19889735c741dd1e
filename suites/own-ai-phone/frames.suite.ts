import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/check.ts';
import { isJsonObject } from '../../harness/json.ts';
import type { CallObservation } from '../../harness/observation.ts';
import type { Skill } from '../../specs/types.ts';
import { judgeAll } from '../judgement.ts';
import { expect } from '../matchers/expect.ts';
import { frameFacets, type FrameBody } from './frame-facets.ts';
import { typicalCalls } from './typical-calls.ts';

describe.concurrent('own-ai-phone frames', () => {
  for (const facet of frameFacets) {
    check(facet.requirement, facet.title, async (kit) => {
      await typicalCalls(kit);
      judgeAll(kit, facet, framesOf(kit));
    });
  }

  check('own-ai-phone/closes-each-answer', 'in every call of the run, each answer is closed', async (kit) => {
    await typicalCalls(kit);
    const spoken = kit.phone.calls.filter(({ answers }) => answers.some(({ pieces }) => pieces > 0));
    if (spoken.length === 0) kit.notExercised('No sentence was answered by speech.');
    for (const call of spoken) expect(call).toHaveClosedItsAnswers();
  });

  check('own-ai-phone/keeps-the-call-open', 'every call of the run stays up until it is ended', async (kit) => {
    for (const call of await typicalCalls(kit)) expect(call).toStayUp();
    for (const call of kit.phone.calls) expect(call).toStayUp();
  });
});

/** Every frame that the AI has sent in the run, with what its call offered. */
function framesOf({ phone }: CheckKit): { exchange: CallObservation; body: FrameBody }[] {
  return phone.calls.flatMap((call) => {
    const offered = offeredIn(call);
    return call.frames.flatMap((frame, index) =>
      frame.from === 'ai' ? [{ exchange: call, body: { frame, index, offered, skills: phone.skills } }] : [],
    );
  });
}

function offeredIn({ frames }: CallObservation): readonly Skill[] {
  const started = frames.find(({ from }) => from === 'service')?.value;
  return isJsonObject(started) && Array.isArray(started.skills) ? (started.skills as Skill[]) : [];
}
