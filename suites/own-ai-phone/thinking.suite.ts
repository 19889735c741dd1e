import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { Call } from '../../harness/wire/call.ts';
import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import { expect } from '../matchers/expect.ts';
import { settleMs } from './speech.ts';
import { isDown, requirePlainCall } from './talk.ts';

/** Acts of the caller while the AI thinks. Whether a second sentence is answered is judged elsewhere. */
const acts = [
  ['own-ai-phone/keeps-the-call-open', 'an interrupt', (_, call) => void call.interrupt()],
  [
    'own-ai-phone/takes-a-prompt-during-an-answer',
    'a second sentence',
    ({ sample }, call) => void call.speak(sample.callerSentence),
  ],
] as const satisfies readonly [RequirementId, what: string, act: (kit: CheckKit, call: Call) => void][];

describe.concurrent('own-ai-phone thinking', () => {
  for (const [requirement, what, act] of acts) {
    check(requirement, `a call stays up when ${what} comes before the answer begins`, async (kit) => {
      await requirePlainCall(kit);
      await kit.phone.hold({ label: `${what} before the answer begins` }, async (call) => {
        const said = call.speak(kit.sample.callerSentence);
        act(kit, call);
        // An AI that fails on it may do so only once it would have spoken.
        await call.firstPiece(said, kit.phone.usualFirstPieceMs);
        await call.settle(settleMs);
        await isDown(call);
        expect(call.observation).toStayUp();
      });
    });
  }
});
