import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { requireControl } from '../control.ts';
import { isRefusal } from '../matchers/answer-status.ts';
import { expect } from '../matchers/expect.ts';
import { once } from '../once.ts';

interface BadToken {
  what: string;
  /**
   * The `Authorization` value made from the valid token; `null` sends none, `undefined` cannot be made from this
   * token.
   */
  make: (token: string) => string | null | undefined;
}

const badTokens = {
  missing: { what: 'an event without an Authorization header', make: () => null },
  wrong: { what: 'an event with another token', make: (token) => `Bearer ${differentFrom(token)}` },
  truncated: {
    what: 'an event with a token that lacks its last character',
    make: (token) => `Bearer ${token.slice(0, -1)}`,
  },
  extendedBefore: { what: 'an event with one character more before the token', make: (token) => `Bearer x${token}` },
  extendedAfter: { what: 'an event with one character more after the token', make: (token) => `Bearer ${token}x` },
  differentlyCased: {
    what: 'an event with the token in other letter case',
    make: (token) => (swapCase(token) === token ? undefined : `Bearer ${swapCase(token)}`),
  },
  basicScheme: {
    what: 'an event with the token in the Basic scheme',
    make: (token) => `Basic ${Buffer.from(`:${token}`).toString('base64')}`,
  },
  otherScheme: { what: 'an event with the token in a scheme that is not Bearer', make: (token) => `Token ${token}` },
} satisfies Record<string, BadToken>;

type BadTokenName = keyof typeof badTokens;

/** As long as the valid token and with the same alphabet, but different in every letter and digit. */
function differentFrom(token: string): string {
  const other = token.replace(/[a-z0-9]/gi, (char) => (char === 'q' ? 'w' : 'q'));
  return other === token ? `${token.slice(1)}q` : other;
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()));
}

function control({ session, crm, sample }: CheckKit): Promise<CrmObservation> {
  return once(session, 'crm control', () =>
    crm.deliver(sample.crmEvent('IncomingCallLookup'), { label: 'IncomingCallLookup with the valid token' }),
  );
}

async function sendBad(kit: CheckKit, name: BadTokenName): Promise<CrmObservation | undefined> {
  const { session, crm, sample } = kit;
  requireControl(await control(kit), 'the same event with the valid token');
  const { what, make } = badTokens[name] as BadToken;
  const authorization = make(crm.token);
  if (authorization === undefined) return undefined;
  return await once(session, `crm bad token ${name}`, () =>
    crm.deliver(sample.crmEvent('IncomingCallLookup'), {
      label: what,
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
      const { what } = badTokens[name];
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
