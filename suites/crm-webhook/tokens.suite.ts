import { describe } from 'vitest';
import { check, entrance, type CheckKit } from '../../harness/checks/check.ts';
import { crmTypesOfWork } from '../../specs/crm-event-types.ts';
import { isRefusal } from '../../harness/wire/answer-status.ts';
import { forgedTokens } from '../../harness/wire/forged-tokens.ts';
import { toBeRefused } from '../matchers/answer-matchers.ts';
import { conclude, expect } from '../matchers/expect.ts';
import { noUsedConnection, sendOnUsedConnection } from '../on-used-connection.ts';
import { first } from '../once.ts';
import { commonRefusal } from '../common-refusal.ts';
import { requireControl } from '../require-control.ts';
import {
  badTokens,
  controlName,
  deliverControl,
  sendBad,
  sendBadToActOn,
  sendControl,
  sendEachBad,
  sendWrongToken,
} from './bad-tokens.ts';
import { eventOfNewContact, type EventDraft } from './effective-event.ts';
import { judgeEventAfterRefusal } from './event-after-refusal.ts';
import { typicalAnswer } from './typical-answers.ts';

describe.concurrent('crm-webhook tokens', () => {
  entrance('crm-webhook', async (kit) => {
    const { session, crm, sample } = kit;
    const lookup = () => sample.crmEvent('IncomingCallLookup');
    const authorization = forgedTokens.wrong(crm.token);
    return await commonRefusal(session, [
      () => first(session, controlName, () => deliverControl(kit)),
      () => crm.deliver(sample.crmEvent('FinishedCall'), { label: 'FinishedCall with the valid token' }),
      () => crm.deliver(lookup(), { label: badTokens.wrong, authorization, fresh: true, toBeRefused: true }),
    ]);
  });

  check('crm-webhook/accepts-the-token', 'an event with the valid token is accepted', async (kit) => {
    expect(await sendControl(kit)).toBeAccepted();
  });

  const refused = [
    ['crm-webhook/refuses-missing-token', ['missing']],
    ['crm-webhook/refuses-wrong-token', ['wrong']],
    ['crm-webhook/refuses-truncated-token', ['truncated']],
    ['crm-webhook/refuses-prefixed-token', ['extendedBefore', 'extendedAfter']],
    ['crm-webhook/refuses-differently-cased-token', ['differentlyCased']],
    ['crm-webhook/refuses-other-scheme', ['basicScheme', 'otherScheme']],
  ] as const;
  for (const [requirement, names] of refused) {
    for (const name of names) {
      const { [name]: what } = badTokens;
      check(requirement, `${what} is refused`, async (kit) => {
        const answer = await sendBad(kit, name);
        if (!answer) return kit.notExercised('The token has no letters whose case could be changed.');
        expect(answer).toBeRefused(what);
      });
    }
  }

  for (const type of crmTypesOfWork) {
    check('crm-webhook/refuses-wrong-token', `${type} with another token is refused`, async (kit) => {
      requireControl(await typicalAnswer(kit, type), 'an event of this type with the valid token');
      expect(await sendWrongToken(kit, type)).toBeRefused(`${type} with another token`);
    });
  }

  check(
    'crm-webhook/refuses-wrong-token',
    'on a connection that has carried a valid event, another token is refused',
    async (kit) => {
      const { crm, sample } = kit;
      const authorization = forgedTokens.wrong(crm.token);
      const label = `${badTokens.wrong}, on the connection of a valid one`;
      const answer = await sendOnUsedConnection(
        () => deliverControl(kit),
        () => crm.deliver(sample.crmEvent('IncomingCallLookup'), { label, authorization, toBeRefused: true }),
      );
      if (!answer) return kit.notExercised(noUsedConnection);
      const finding = toBeRefused(answer, label);
      conclude(answer, finding && { ...finding, hint: 'Check the token of every request, not once per connection.' });
    },
  );

  for (const [type, create] of [
    ['IncomingCallLookup', (kit) => kit.sample.crmEvent('IncomingCallLookup')],
    ['FinishedCall', (kit) => eventOfNewContact(kit, 'FinishedCall')],
  ] satisfies [string, (kit: CheckKit) => EventDraft][]) {
    const title = `${type} that was accepted before is refused with another token`;
    check('crm-webhook/refuses-wrong-token', title, async (kit) => {
      const event = create(kit);
      const first = await kit.crm.deliver(event, { label: `${type}, before another token`, redelivered: true });
      requireControl(first, 'the same event with the valid token');
      const label = `${badTokens.wrong}, after it was accepted`;
      const answer = await kit.crm.deliver(event, {
        label,
        authorization: forgedTokens.wrong(kit.crm.token),
        callback: first.callback,
        redelivered: true,
        fresh: true,
        toBeRefused: true,
      });
      const finding = toBeRefused(answer, label);
      const hint = 'Check the token before an event is recognised by its callbackUrl and its answer is repeated.';
      conclude(answer, finding && { ...finding, hint });
    });
  }

  check('crm-webhook/refuses-with-401', 'every bad token is refused with 401', async (kit) => {
    let judged = 0;
    for (const answer of [...(await sendEachBad(kit)), ...(await sendBadToActOn(kit))]) {
      if (!isRefusal(answer.answer)) continue;
      judged++;
      expect(answer).toHaveStatus(401);
    }
    if (judged === 0) kit.notExercised('No bad token was refused with a 3xx or 4xx status.');
  });

  check(
    'crm-webhook/refused-event-has-no-effect',
    'an event that was refused before brings its data with the valid token',
    judgeEventAfterRefusal,
  );

  check('crm-webhook/bad-token-is-answered', 'every bad token gets an answer, not a crash', async (kit) => {
    const answers = [...(await sendEachBad(kit)), ...(await sendBadToActOn(kit))];
    for (const answer of answers) expect(answer).toBeAnsweredWithoutServerError(answer.label);
  });
});
