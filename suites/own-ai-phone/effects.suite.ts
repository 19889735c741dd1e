import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { judgeRefusedEffects } from '../judge-refused-effects.ts';
import { judgeEffectsAtOnce, judgeSimilarEffects } from '../judge-similar-effects.ts';
import { noEffectReason, observeEffects } from '../observed-effects.ts';
import { forbiddenCallSignatures } from '../signature-cases.ts';
import { holdCall, isEffective } from './effective-call.ts';
import { plainCall, recogniseMixedUpCalls } from './talk.ts';
import { holdCallsAtOnce, oneCallReason, similarCallsHint as hint, similarTo } from './similar-callers.ts';

/** A sentence of an earlier call of the same contact. */
const earlierSentence = 'Hello, I have a question about my last invoice.';

describe.concurrent('own-ai-phone effects', () => {
  check(
    'own-ai-phone/refused-call-has-no-effect',
    'a call with a bad signature has no effect',
    async (kit) => {
      const { phone, ids } = kit;
      if (!(await isEffective(kit))) return kit.notExercised(noEffectReason(kit));
      await judgeRefusedEffects(
        kit,
        await observeEffects(kit, () => holdCall(kit, 'a correctly signed call, observed'), { isPatient: true }),
        forbiddenCallSignatures.flatMap(({ what, spoil }) => {
          const facts = { url: phone.url, earlierCallId: ids.text(), earlierSignature: undefined };
          if (!spoil(phone.upgrade(), facts)) return [];
          // Each attempt is another call.
          const send = () => phone.attemptCall(spoil(phone.upgrade(), facts) ?? phone.upgrade(), `${what}, observed`);
          return [{ what, send }];
        }),
      );
    },
    { alone: true },
  );

  check(
    'own-ai-phone/handles-similar-calls',
    'two calls of one contact in one project with the same sentence each have an effect',
    async (kit) => {
      if (!(await isEffective(kit))) return kit.notExercised(noEffectReason(kit));
      await judgeSimilarEffects(kit, {
        what: 'calls of one contact in one project with the same sentence',
        other: () => holdCall(kit, 'another call'),
        pair: () => {
          const started = similarTo(kit);
          return {
            earlier: () => holdCall(kit, 'an earlier call of one contact', { started, sentence: earlierSentence }),
            first: () => holdCall(kit, 'the first of two similar calls', { started }),
            second: () => holdCall(kit, 'the second of two similar calls', { started }),
          };
        },
        hint,
      });
    },
    { alone: true },
  );

  check(
    'own-ai-phone/handles-similar-calls',
    'two calls of one contact in one project at once each have an effect',
    async (kit) => {
      if (!(await isEffective(kit))) return kit.notExercised(noEffectReason(kit));
      await recogniseMixedUpCalls(kit, await plainCall(kit));
      if (!kit.phone.acceptsConcurrentCalls) return kit.notExercised(oneCallReason);
      await judgeEffectsAtOnce(kit, {
        what: 'calls of one contact in one project at once',
        make: ({ alike }) => {
          const started = similarTo(kit);
          return {
            earlier: () => holdCall(kit, 'an earlier call of one contact', { started, sentence: earlierSentence }),
            single: () => holdCall(kit, 'one call of one contact', { started }),
            both: () => holdCallsAtOnce(kit, [started, alike ? started : similarTo(kit)]),
          };
        },
        hint,
      });
    },
    { alone: true },
  );
});
