import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { deviating } from '../../harness/wire/documented-traffic.ts';
import { limits } from '../../specs/limits.ts';
import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import { expect } from '../matchers/expect.ts';
import { unknownFields } from '../unknown-fields.ts';
import { permittedStatuses } from './typical-answers.ts';
import { crmAppointmentEventTypes } from '../../specs/crm-event-types.ts';

const longestAiInfo = ''.padEnd(limits.crmAiInfoCharacters, 'Prefers appointments in the morning. ');
/** Characters of a summary at most, by the schema of projectData. */
const summaryCharacters = 3_000;
/** Ids of contacts and of projects, as other systems give them. */
const foreignIds = [
  ['K-1001', 'P-77'],
  ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6', '2026/0815 ä'],
  ['0', '999999999999999999999'],
] as const;

const address = {
  type: 'home',
  label: 'Home',
  isDefault: true,
  addressLine1: 'Hauptstraße 1',
  addressLine2: '',
  postalCode: '10115',
  city: 'Berlin',
  country: 'DE',
};

type Payload = [RequirementId, string, (kit: CheckKit) => Record<string, unknown>];

/** Events that vary one thing the interface allows; each must be answered like any other. */
const payloads: Payload[] = [
  [
    'crm-webhook/accepts-null-members',
    'an event whose nullable fields are all null is answered',
    ({ sample }) => eventWithNulls(sample, 'IncomingCallLookup'),
  ],
  [
    'crm-webhook/accepts-null-members',
    'an event whose nullable fields are all set is answered',
    ({ sample }) => wholeEvent(sample),
  ],
  [
    'crm-webhook/answers-any-valid-event',
    // Some receivers append to it, or what only the team may see: their answer is then judged by that.
    'a lookup of a contact with the longest crmAiInfo is answered',
    ({ sample }) =>
      sample.crmEvent('IncomingCallLookup', {
        contactData: sample.contactData({ crmAiInfo: longestAiInfo, crmInternalInfo: 'Pays by invoice only.' }),
      }),
  ],
  [
    'crm-webhook/accepts-null-parts',
    'an event with projectData null is answered',
    ({ sample }) => deviating({ ...sample.crmEvent('IncomingCallLookup'), projectData: null }, '/projectData'),
  ],
  [
    'crm-webhook/accepts-null-parts',
    'an event with contactData null is answered',
    ({ sample }) => deviating({ ...sample.crmEvent('Manual'), contactData: null }, '/contactData'),
  ],
  [
    'crm-webhook/accepts-missing-members',
    'an event that omits every nullable field is answered',
    ({ sample }) =>
      deviating(
        withoutNulls(eventWithNulls(sample, 'IncomingCallLookup')) as Record<string, unknown>,
        '/contactData',
        '/projectData',
        '/appointmentData',
      ),
  ],
  [
    'crm-webhook/accepts-no-postal-addresses',
    'a contact without postal addresses is answered',
    ({ sample }) =>
      sample.crmEvent('IncomingCallLookup', { contactData: { ...wholeContact(sample), postalAddresses: [] } }),
  ],
  ...Object.entries({ 'no one': 0, 'the first': 1, 'each one': 3 }).map(([which, defaults]): Payload => [
    'crm-webhook/accepts-several-postal-addresses',
    `a contact with three postal addresses, ${which} marked as default, is answered`,
    ({ sample }) =>
      sample.crmEvent('IncomingCallLookup', {
        contactData: sample.contactData({
          postalAddresses: ['home', 'work', 'billing'].map((type, at) => ({
            ...address,
            type,
            label: type,
            isDefault: at < defaults,
          })),
        }),
      }),
  ]),
  [
    'crm-webhook/accepts-unknown-values',
    'an event with values that came later is answered',
    ({ sample }) => {
      const event = sample.crmEvent('AppointmentConfirmed', {
        contactData: sample.contactData({
          language: 'fr-CH' as 'de-DE',
          postalAddresses: [{ ...address, type: 'warehouse', country: 'XK' }],
        }),
      });
      const later = { ...event, appointmentData: { ...event.appointmentData, status: 'no_show', kind: 'walk_in' } };
      return deviating(later, '/eventType', '/contactData', '/appointmentData');
    },
  ],
];

describe.concurrent('crm-webhook payloads', () => {
  for (const [requirement, title, make] of payloads) {
    check(requirement, title, async (kit) => {
      expect(await kit.crm.deliver(make(kit), { label: title })).toHaveStatus(...permittedStatuses);
    });
  }

  check(
    'crm-webhook/answers-unknown-crm-ids',
    'an event with a crmContactId and crmProjectId of another system is answered',
    async ({ crm, sample }) => {
      for (const [contact, project] of foreignIds) {
        const event = sample.crmEvent('FinishedCall', {
          contactData: sample.contactData({ crmContactId: contact }),
          projectData: sample.projectData({ crmProjectId: project }),
        });
        const answer = await crm.deliver(event, { label: `crmContactId ${contact}, crmProjectId ${project}` });
        expect(answer).toHaveStatus(...permittedStatuses);
      }
    },
  );

  check(
    'crm-webhook/answers-long-and-large-values',
    'a lookup after a call with long summaries is answered',
    async ({ crm, sample }) => {
      // Some receivers add summaries to crmAiInfo, or what they kept of earlier ones: another check judges its length.
      for (const type of ['FinishedCall', 'IncomingCallLookup'] as const) {
        const summary = (of: string) => ''.padEnd(summaryCharacters, `${of} (${type}): prefers the morning. `);
        const summaries = { currentSummary: summary('Call'), inquirySummary: summary('Inquiry') };
        const event = sample.crmEvent(type, { projectData: sample.projectData(summaries) });
        expect(await crm.deliver(event, { label: `${type} with long summaries` })).toHaveStatus(...permittedStatuses);
      }
    },
  );

  check('crm-webhook/accepts-unknown-members', 'unknown fields are ignored at every depth', async (kit) => {
    const event = { ...kit.sample.crmEvent('AppointmentConfirmed'), contactData: wholeContact(kit.sample) };
    const answers = unknownFields(event, kit.settings).map((later) =>
      kit.crm.deliver(later, { label: 'unknown fields at every depth' }),
    );
    for (const answer of await Promise.all(answers)) expect(answer).toHaveStatus(...permittedStatuses);
  });

  check('crm-webhook/accepts-null-members', 'each nullable field may be null while the others are set', async (kit) => {
    const { crm, sample } = kit;
    const answers = (['contactData', 'projectData'] as const).flatMap((part) =>
      nullable(eventWithNulls(sample, 'FinishedCall')[part]).map((field) => {
        const event = wholeEvent(sample);
        const changed = { ...event, [part]: { ...event[part], [field]: null } };
        return crm.deliver(changed, { label: `${part}.${field} null`, callbackDue: 'if-overtaken' });
      }),
    );
    for (const answer of await Promise.all(answers)) expect(answer).toHaveStatus(...permittedStatuses);
  });

  for (const type of crmAppointmentEventTypes) {
    check('crm-webhook/accepts-appointment-data', `${type} is answered whatever its appointment holds`, async (kit) => {
      const { crm, sample } = kit;
      const now = '2026-10-11T09:30:00';
      const plain = sample.appointment();
      const variants = {
        'only times that are null': { customerConfirmedAt: null, businessConfirmedAt: null },
        'every time set': { cancelledAt: now, finishedAt: now },
        'unusual metadata': { metadata: { '': 'empty', 'a.b/c~d': 'x', größe: '✓', constructor: '1' } },
        'no metadata': { metadata: {} },
      };
      const answers = Object.entries(variants).map(([what, change]) =>
        crm.deliver(sample.crmEvent(type, { appointmentData: { ...plain, ...change } }), {
          label: `${type} with ${what}`,
        }),
      );
      for (const answer of await Promise.all(answers)) expect(answer).toHaveStatus(...permittedStatuses);
    });
  }
});

function wholeContact(sample: CheckKit['sample']) {
  return sample.contactData({
    city: 'Berlin',
    addressLine1: 'Hauptstraße 1',
    postCode: '10115',
    salutation: 'Frau',
    firstName: 'Erika',
    lastName: 'Mustermann',
    company: 'Muster GmbH',
    email: 'erika@example.com',
    customDate1: '2026-10-11',
    customDate2: '2026-12-24',
    customNumeric1: '12.5',
    customNumeric2: '0',
    customString1: 'a',
    customString2: 'b',
    customString3: 'c',
    customString4: 'd',
    customString5: 'e',
    customCheckBox1: true,
    customCheckBox2: false,
    customOptIn1: '2026-10-11T09:30:00',
    customOptIn2: '2026-10-11T09:30:00',
    customOptIn3: '2026-10-11T09:30:00',
    crmInternalInfo: 'Pays late.',
    crmAiInfo: 'Prefers mornings.',
    postalAddresses: [address],
  });
}

function wholeProject(sample: CheckKit['sample']) {
  return sample.projectData({
    address: 'Hauptstraße 1',
    city: 'Berlin',
    postcode: '10115',
    currentSummary: 'Wants an appointment.',
    inquirySummary: 'Appointment',
    crmInternalInfo: 'See P-76.',
    crmAiInfo: 'Second visit.',
  });
}

/** An event whose nullable fields are all null, whatever the endpoint has supplied about the contact before. */
function eventWithNulls(sample: CheckKit['sample'], type: 'IncomingCallLookup' | 'FinishedCall') {
  const contactData = sample.contactWithoutCrmData();
  return { ...sample.crmEvent(type), contactData, projectData: sample.projectData() };
}

function wholeEvent(sample: CheckKit['sample']) {
  return sample.crmEvent('FinishedCall', { contactData: wholeContact(sample), projectData: wholeProject(sample) });
}

/** Fields of a typical part that are null there: the nullable ones. */
function nullable(part: object): string[] {
  return Object.entries(part).flatMap(([field, value]) => (value === null ? [field] : []));
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([name, field]) => [name, withoutNulls(field)]),
  );
}
