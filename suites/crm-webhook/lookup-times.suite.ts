import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { judgeAcceptanceAtOnce, judgeTimesAtOnce } from '../judge-acceptance-at-once.ts';
import { withoutTraffic } from '../without-traffic.ts';
import { judgeLookupsInARow } from './judge-lookup-time.ts';
import { deliverLookup, lookupsAtOnce } from './timed-lookups.ts';
import { typicalAnswer, unknownCallerAnswer } from './typical-answers.ts';

describe.concurrent('crm-webhook lookup times', () => {
  for (const [requirement, type] of [
    ['crm-webhook/lookup-within-two-seconds', 'IncomingCallLookup'],
    ['crm-webhook/new-conversation-within-two-seconds', 'NewConversation'],
  ] as const) {
    check(requirement, `${type} of the configured caller is answered in time`, async (kit) => {
      const { knownCaller } = kit.settings.config.stimuli;
      if (knownCaller === undefined) return kit.notExercised('No stimuli.knownCaller is configured.');
      await judgeLookupsInARow(kit, type, knownCaller);
    });
    check(requirement, `${type} of an unknown caller is answered in time`, (kit) => judgeLookupsInARow(kit, type));
  }

  check(
    'crm-webhook/ten-lookups-at-once-within-two-seconds',
    'ten simultaneous calls are each answered in time',
    async (kit) => {
      await answerSingleLookups(kit);
      await withoutTraffic(kit, async () => judgeTimesAtOnce(await lookupsAtOnce(kit)), 'surface-first');
    },
  );

  check('crm-webhook/accepts-lookups-at-once', 'lookups for ten simultaneous calls are each accepted', async (kit) => {
    await answerSingleLookups(kit);
    // Missing answers are judged with the time.
    const sendAlone = () => deliverLookup(kit, 'IncomingCallLookup', {}, { label: 'one lookup alone' });
    const judge = async () => judgeAcceptanceAtOnce(kit, await lookupsAtOnce(kit), sendAlone);
    await withoutTraffic(kit, judge, 'surface-first');
  });
});

/** Sends single lookups before those at once: the first answers of an endpoint may be slower. */
async function answerSingleLookups(kit: CheckKit): Promise<void> {
  await Promise.all([typicalAnswer(kit, 'IncomingCallLookup'), unknownCallerAnswer(kit, 'IncomingCallLookup')]);
}
