import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { requireControl } from '../require-control.ts';
import { isRefusal } from '../matchers/answer-status.ts';
import { expect } from '../matchers/expect.ts';
import { once } from '../once.ts';
import { forgedTokens } from '../../harness/wire/forged-tokens.ts';

const badTokens = {
  missing: 'an event without an Authorization header',
  wrong: 'an event with another token',
  truncated: 'an event with a token that lacks its last character',
  extendedBefore: 'an event with one character more before the token',
  extendedAfter: 'an event with one character more after the token',
  differentlyCased: 'an event with the token in other letter case',
  basicScheme: 'an event with the token in the Basic scheme',
  otherScheme: 'an event with the token in a scheme that is not Bearer',
} satisfies Record<keyof typeof forgedTokens, string>;

type BadTokenName = keyof typeof badTokens;

function control({ session, crm, sample }: CheckKit): Promise<CrmObservation> {
  return once(session, 'crm control', () =>
    crm.deliver(sample.crmEvent('IncomingCallLookup'), { label: 'IncomingCallLookup with the valid token' }),
  );
}

async function sendBad(kit: CheckKit, name: BadTokenName): Promise<CrmObservation | undefined> {
  const { session, crm, sample } = kit;
  requireControl(await control(kit), 'the same event with the valid token');
  const authorization = forgedTokens[name](crm.token);
  if (authorization === undefined) return undefined;
  return await once(session, `crm bad token ${name}`, () =>
    crm.deliver(sample.crmEvent('IncomingCallLookup'), {
      label: badTokens[name],
      authorization,
      fresh: true,
      toBeRefused: true,
    }),
  );
}

describe.concurrent('crm-webhook tokens', () => {
  check('crm-webhook/accepts-the-token', 'an event with the valid token is accepted', async (kit) => {
    expect(await control(kit)).toBeAccepted();
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

  check('crm-webhook/refuses-with-401', 'every bad token is refused with 401', async (kit) => {
    let judged = 0;
    for (const answer of await sendEachBad(kit)) {
      if (!isRefusal(answer.answer)) continue;
      judged++;
      expect(answer).toHaveStatus(401);
    }
    if (judged === 0) kit.notExercised('No bad token was refused with a 3xx or 4xx status.');
  });

  check('crm-webhook/bad-token-is-answered', 'every bad token gets an answer, not a crash', async (kit) => {
    for (const answer of await sendEachBad(kit)) expect(answer).toBeAnsweredWithoutServerError(answer.label);
  });
});

async function sendEachBad(kit: CheckKit): Promise<CrmObservation[]> {
  const all = await Promise.all((Object.keys(badTokens) as BadTokenName[]).map((name) => sendBad(kit, name)));
  return all.filter((answer) => answer !== undefined);
}
