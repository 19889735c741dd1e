import { describe } from 'vitest';
import { check, checkId } from '../../harness/checks/check.ts';
import { forgedSignatures } from '../../harness/wire/forged-signatures.ts';
import { judgeLateStaleness } from '../late-staleness.ts';
import { toBeRejected } from '../matchers/call-matchers.ts';
import { requireCorrectCall } from './correct-call.ts';

const requirement = 'own-ai-phone/refuses-stale-timestamp';
const title = 'at the end of the run, a stale call is still refused';

describe.concurrent('own-ai-phone until the end', () => {
  check(requirement, title, async (kit) => {
    const { phone } = kit;
    const what = 'a stale call at the end of the run';
    const earlier = await requireCorrectCall(kit);
    await judgeLateStaleness(kit, checkId(requirement, title), earlier, async () => {
      const call = await phone.attemptCall(forgedSignatures.staleT(phone.upgrade()), what);
      return { exchange: call, finding: toBeRejected(call, what) };
    });
  });
});
