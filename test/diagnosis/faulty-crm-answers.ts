import { compose, partsFor, type CrmParts } from '../proving/crm.ts';
import type { Seams } from '../proving/endpoint.ts';
import { json } from '../proving/wire.ts';
import type { Faulty } from './faulty.ts';

function crm(cause: Faulty['cause'], name: string, build: () => Seams, says?: string): Faulty {
  return { cause, name, surface: 'crm-webhook', build, ...(says !== undefined && { says }) };
}

function contact(over: Record<string, unknown>): () => Seams {
  return () => ({
    crm: {
      partsFor: (name, event): CrmParts | undefined => {
        const parts = partsFor(name, event);
        return parts?.contact ? { contact: { ...parts.contact, ...over } } : parts;
      },
    },
  });
}

function composed(change: (answer: Record<string, unknown>) => Record<string, unknown>): () => Seams {
  return () => ({ crm: { compose: (parts) => change(compose(parts)) } });
}

/** CRMs with unusable answers, each with one cause, and a receiver of API webhooks. */
export const faultyCrmAnswers: readonly Faulty[] = [
  {
    ...crm('answer/unlisted-status', '201 on hooks', () => ({ hooks: { accepted: () => ({ status: 204 }) } }), '204'),
    surface: 'api-webhooks',
  },
  crm('answer/encoded-twice', 'CRM: serialised twice', () => ({
    crm: { now: (answer) => json(200, JSON.stringify(answer)) },
  })),
  crm('answer/html', 'CRM: a login page', () => ({
    crm: { now: () => ({ status: 200, body: '<html><form action="/login"></form></html>' }) },
  })),
  crm(
    'answer/parts-without-envelope',
    'CRM: the contact alone',
    composed(({ contactData }) => contactData as Record<string, unknown>),
    'contactData',
  ),
  crm(
    'answer/other-spelling',
    'CRM: snake case',
    composed((answer) =>
      Object.fromEntries(
        Object.entries(answer).map(([name, value]) => [
          name.replaceAll(/[A-Z]/g, (one) => `_${one.toLowerCase()}`),
          value,
        ]),
      ),
    ),
    'requestContactUpdate is spelled "request_contact_update"',
  ),
  crm(
    'answer/other-spelling',
    'CRM: Pascal case',
    composed((answer) =>
      Object.fromEntries(
        Object.entries(answer).map(([name, value]) => [name.charAt(0).toUpperCase() + name.slice(1), value]),
      ),
    ),
    'contactData is spelled "ContactData"',
  ),
  crm(
    'answer/wrapped',
    'CRM: result',
    composed((answer) => ({ result: answer })),
    'result',
  ),
  crm(
    'answer/flag-not-boolean',
    'flags as strings',
    composed((answer) => ({ ...answer, requestContactUpdate: String(answer.requestContactUpdate) })),
    'requestContactUpdate',
  ),
  crm(
    'answer/flagged-part-missing',
    'a flag without its part',
    composed(({ contactData: _, ...answer }) => answer),
    'contactData',
  ),
  crm(
    'answer/part-without-flag',
    'a part without its flag',
    composed(({ requestProjectUpdate: _, ...answer }) => answer),
    'requestProjectUpdate',
  ),
  crm(
    'answer/id-not-text',
    'the id as a number',
    contact({ crmContactId: 4711 }),
    'contactData.crmContactId is the number 4711, not a string.',
  ),
  crm('answer/wrong-type', 'a numeric field as a number', contact({ customNumeric1: 12.5 }), 'customNumeric1'),
  crm('answer/null-not-allowed', 'language null', contact({ language: null }), 'language'),
  crm('answer/time-with-zone', 'a time with Z', contact({ customOptIn1: '2026-10-11T08:30:00Z' }), 'customOptIn1'),
  crm('answer/time-with-zone', 'a time of another form', contact({ customOptIn1: '11.10.2026 08:30' }), 'customOptIn1'),
  crm('answer/ai-info-too-long', '5001 characters', contact({ crmAiInfo: 'n'.repeat(5_001) }), '5001'),
  crm('answer/svc-id-altered', 'another contact', contact({ svcContactId: 4711 }), 'svcContactId'),
  crm(
    'answer/error-in-success',
    'CRM: success false',
    () => ({ crm: { now: () => json(200, { success: false }) } }),
    'success',
  ),
];
