import type { CheckKit } from '../../harness/checks/check.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import type { CrmEvent } from '../../specs/generated/types.ts';
import { forgedTokens } from '../../harness/wire/forged-tokens.ts';
import { once } from '../once.ts';
import { crmTypesOfWork } from '../../specs/crm-event-types.ts';
import { eventOfNewContact } from './effective-event.ts';
import { requireControl } from '../require-control.ts';

/** Tokens that must be refused, each described. */
export const badTokens = {
  missing: 'an event without an Authorization header',
  wrong: 'an event with another token',
  truncated: 'an event with a token that lacks its last character',
  extendedBefore: 'an event with one character more before the token',
  extendedAfter: 'an event with one character more after the token',
  differentlyCased: 'an event with the token in other letter case',
  basicScheme: 'an event with the token in the Basic scheme',
  otherScheme: 'an event with the token in a scheme that is not Bearer',
} satisfies Record<keyof typeof forgedTokens, string>;

export type BadTokenName = keyof typeof badTokens;

/** The name under which the checks share the answer to an event with the valid token. */
export const controlName = 'crm control';

/** The answer to an event with the valid token. */
export function sendControl(kit: CheckKit): Promise<CrmObservation> {
  return once(kit.session, controlName, () => deliverControl(kit));
}

/** Delivers an event with the valid token. */
export function deliverControl({ crm, sample }: CheckKit): Promise<CrmObservation> {
  const type = controlType(crm);
  return crm.deliver(sample.crmEvent(type), { label: `${type} with the valid token` });
}

/** The type of event that carries the tokens: another one if lookups were never answered. */
function controlType(crm: CheckKit['crm']) {
  return crm.isUnanswered('IncomingCallLookup') ? 'FinishedCall' : 'IncomingCallLookup';
}

/** The answer to an event with this bad token; `undefined` if the configured token does not give one. */
export async function sendBad(kit: CheckKit, name: BadTokenName): Promise<CrmObservation | undefined> {
  const { session, crm, sample } = kit;
  const control = await sendControl(kit);
  requireControl(control, 'the same event with the valid token');
  const authorization = forgedTokens[name](crm.token);
  if (authorization === undefined) return undefined;
  return await once(session, `crm bad token ${name}`, () =>
    crm.deliver(sample.crmEvent(control.event.eventType as CrmEvent['eventType']), {
      label: badTokens[name],
      authorization,
      fresh: true,
      toBeRefused: true,
    }),
  );
}

/** The answers to events with every bad token. */
export async function sendEachBad(kit: CheckKit): Promise<CrmObservation[]> {
  const all = await Promise.all((Object.keys(badTokens) as BadTokenName[]).map((name) => sendBad(kit, name)));
  return all.filter((answer) => answer !== undefined);
}

/** The answers to events on which endpoints usually act, with another token. */
export function sendBadToActOn(kit: CheckKit): Promise<CrmObservation[]> {
  return Promise.all(crmTypesOfWork.map((type) => sendWrongToken(kit, type)));
}

/** The answer to an event of this type with another token. It is about its own contact and project. */
export function sendWrongToken(kit: CheckKit, type: (typeof crmTypesOfWork)[number]): Promise<CrmObservation> {
  const { session, crm } = kit;
  return once(session, `crm wrong token of ${type}`, () =>
    crm.deliver(eventOfNewContact(kit, type), {
      label: `${badTokens.wrong} (${type})`,
      authorization: forgedTokens.wrong(crm.token),
      fresh: true,
      toBeRefused: true,
    }),
  );
}
