import { compose, customer, partsFor, type CrmEvent, type CrmParts } from '../proving/crm.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { postJson } from '../proving/crm.ts';
import { plainTransport } from '../proving/wire.ts';
import type { Mutant } from './mutant.ts';

/** Changes the answer about the known caller. */
function contactWith(change: (event: CrmEvent) => Record<string, unknown>): Mutant['build'] {
  return () => ({
    crm: {
      partsFor: (name, event): CrmParts | undefined => {
        const parts = partsFor(name, event);
        return parts?.contact && name !== 'FormSubmitted' ? { contact: { ...parts.contact, ...change(event) } } : parts;
      },
    },
  });
}

function projectWith(change: (event: CrmEvent) => Record<string, unknown>): Mutant['build'] {
  return () => ({
    crm: {
      partsFor: (name, event): CrmParts | undefined => {
        const parts = partsFor(name, event);
        return parts?.project ? { project: { ...parts.project, ...change(event) } } : parts;
      },
    },
  });
}

function svcId(part: Record<string, unknown> | null, field: string): number {
  return Number(part?.[field] ?? 0);
}

const contactNotRead = {
  id: 'crm-webhook/answers-lookups-with-the-contact',
  why: 'the service does not read the contact in it',
} as const;

function inPascalCase(value: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value as object).map(([name, inner]: [string, unknown]) => [
      name.charAt(0).toUpperCase() + name.slice(1),
      isJsonObject(inner) ? inPascalCase(inner) : inner,
    ]),
  );
}

/** Faults in the content of an answer. */
export const answerMutants: readonly Mutant[] = [
  {
    name: 'answer-serialised-twice',
    breaks: 'crm-webhook/answer-is-a-json-object',
    what: 'The answer is serialised twice, so its body is a JSON string.',
    mayAlso: [
      { id: 'crm-webhook/answers-any-valid-event', why: 'the answers to generated events are plain text as well' },
      { id: 'crm-webhook/answers-lookups-with-the-contact', why: 'the contact is in a string' },
    ],
    build: () => ({ crm: { now: (composed) => ({ status: 200, body: JSON.stringify(JSON.stringify(composed)) }) } }),
  },
  {
    name: 'answer-after-a-byte-order-mark',
    breaks: 'crm-webhook/no-byte-order-mark',
    what: 'A file of the program was saved with a byte order mark, which precedes every answer.',
    build: () => ({ crm: { now: (composed) => ({ status: 200, body: `\ufeff${JSON.stringify(composed)}` }) } }),
  },
  {
    name: 'missing-company-as-none',
    breaks: 'crm-webhook/no-placeholder-for-a-missing-value',
    what: 'A company that the CRM does not know is written as "None".',
    build: contactWith(({ contactData }) => ({ company: contactData?.company ?? 'None' })),
  },
  {
    name: 'flags-as-texts',
    breaks: 'crm-webhook/flags-are-boolean',
    what: 'A flag that is false is written as the string "false".',
    build: () => ({
      crm: {
        compose: (parts, event) => {
          const composed = compose(parts);
          return parts.contact && event.eventType === 'NewConversation'
            ? { ...composed, requestProjectUpdate: 'false' }
            : composed;
        },
      },
    }),
  },
  {
    name: 'contact-flagged-without-one',
    breaks: 'crm-webhook/flagged-part-is-present',
    what: 'The contact is flagged for update even when the caller is unknown and there is no contact.',
    build: () => ({
      crm: {
        partsFor: (name, event) => partsFor(name, event) ?? (name === 'IncomingCallLookup' ? {} : undefined),
        compose: (parts) =>
          parts.contact || parts.project
            ? compose(parts)
            : { requestContactUpdate: true, contactData: null, requestProjectUpdate: false },
      },
    }),
  },
  {
    name: 'part-without-its-flag',
    breaks: 'crm-webhook/names-the-flag-of-each-part',
    what: 'projectData is sent without requestProjectUpdate.',
    build: () => ({
      crm: {
        compose: (parts, { projectData }) =>
          parts.contact ? { requestContactUpdate: true, contactData: parts.contact, projectData } : compose(parts),
      },
    }),
  },
  {
    name: 'answer-wrapped-in-data',
    breaks: 'crm-webhook/answers-with-documented-fields',
    what: 'The answer is wrapped in data, as in another API.',
    mayAlso: [contactNotRead],
    build: () => ({ crm: { compose: (parts) => ({ success: true, data: compose(parts) }) } }),
  },
  {
    name: 'answer-in-pascal-case',
    breaks: 'crm-webhook/answers-with-documented-fields',
    what: 'A serialiser writes the names of all fields in PascalCase.',
    mayAlso: [contactNotRead],
    build: () => ({ crm: { compose: (parts) => inPascalCase(compose(parts)) } }),
  },
  {
    name: 'project-fields-in-snake-case',
    breaks: 'crm-webhook/answers-with-documented-fields',
    what: 'The flagged project has its number as crm_project_id, which nothing reads.',
    build: () => ({
      crm: {
        partsFor: (name, event) => {
          const parts = partsFor(name, event);
          return parts?.project ? { project: { crm_project_id: parts.project.crmProjectId } } : parts;
        },
      },
    }),
  },
  {
    name: 'lookup-answered-without-the-contact',
    breaks: 'crm-webhook/answers-lookups-with-the-contact',
    what: 'Lookups never find the caller, since numbers are stored in national form.',
    build: () => ({
      crm: {
        partsFor: (name, event) =>
          name === 'IncomingCallLookup' || name === 'NewConversation' ? undefined : partsFor(name, event),
      },
    }),
  },
  {
    name: 'contact-id-as-number',
    breaks: 'crm-webhook/ids-are-strings',
    what: 'crmContactId is sent as a number, as the database stores it.',
    build: contactWith(() => ({ crmContactId: 4711 })),
  },
  {
    name: 'project-id-as-number',
    breaks: 'crm-webhook/ids-are-strings',
    what: 'crmProjectId is sent as a number, as the database stores it.',
    build: projectWith(() => ({ crmProjectId: 815 })),
  },
  {
    name: 'numeric-field-as-number',
    breaks: 'crm-webhook/field-types-as-listed',
    what: 'customNumeric1 is sent as a number.',
    build: contactWith(() => ({ customNumeric1: 12.5 })),
  },
  {
    name: 'default-address-as-number',
    breaks: 'crm-webhook/field-types-as-listed',
    what: 'isDefault of a postal address is sent as 1.',
    build: contactWith(() => ({ postalAddresses: [{ type: 'home', isDefault: 1, city: 'Berlin' }] })),
  },
  {
    name: 'language-null',
    breaks: 'crm-webhook/null-only-where-listed',
    what: 'language is sent as null when the CRM does not know it.',
    build: contactWith(() => ({ language: null })),
  },
  {
    name: 'opt-in-time-with-zone',
    breaks: 'crm-webhook/times-in-listed-form',
    what: 'The opt-in time is written with Z at its end.',
    build: contactWith(() => ({ customOptIn1: '2026-10-11T08:30:00Z' })),
  },
  {
    name: 'own-number-as-svc-contact-id',
    breaks: 'crm-webhook/svc-contact-id-unaltered',
    what: 'The number of the CRM is written into svcContactId.',
    build: contactWith(() => ({ svcContactId: 4711 })),
  },
  {
    name: 'svc-contact-id-rounded',
    breaks: 'crm-webhook/svc-contact-id-unaltered',
    what: 'svcContactId is converted to 32 bits and returned with another value.',
    needsTheRest: 'only generated events have ids beyond 32 bits',
    build: () => ({
      crm: {
        partsFor: (name, event) =>
          partsFor(name, event) ?? { contact: { svcContactId: svcId(event.contactData, 'svcContactId') | 0 } },
      },
    }),
  },
  {
    name: 'own-number-as-svc-project-id',
    breaks: 'crm-webhook/svc-project-id-unaltered',
    what: 'svcProjectId of the answer is one more than that of the event.',
    build: projectWith(({ projectData }) => ({ svcProjectId: svcId(projectData, 'svcProjectId') + 1 })),
  },
  {
    name: 'crm-ai-info-of-5001',
    breaks: 'crm-webhook/crm-ai-info-within-5000-characters',
    what: 'crmAiInfo is cut one character too late.',
    build: contactWith(() => ({ crmAiInfo: 'n'.repeat(5_001) })),
  },
  {
    name: 'crm-ai-info-appended',
    breaks: 'crm-webhook/crm-ai-info-within-5000-characters',
    what: 'The own line is appended to the crmAiInfo of the event without a limit.',
    needsTheRest: 'checks of another requirement send a long crmAiInfo',
    build: contactWith(({ contactData }) => ({
      crmAiInfo: `${(contactData?.crmAiInfo as string | null) ?? ''} Prefers the morning.`,
    })),
  },
  {
    name: 'summaries-in-crm-ai-info',
    breaks: 'crm-webhook/crm-ai-info-within-5000-characters',
    what: 'Both summaries of the event are added to crmAiInfo without a limit.',
    needsTheRest: 'checks of another requirement send long summaries',
    build: contactWith(({ projectData }) => ({
      crmAiInfo: ['currentSummary', 'inquirySummary']
        .map((name) => (projectData?.[name] as string | null | undefined) ?? '')
        .join('\n'),
    })),
  },
  {
    name: 'crm-ai-info-of-5000-emoji',
    breaks: 'crm-webhook/crm-ai-info-within-5000-utf-16-units',
    what: 'crmAiInfo is cut by code points and is longer in UTF-16 units.',
    build: contactWith(() => ({ crmAiInfo: '🌱'.repeat(5_000) })),
  },
  {
    name: 'open-invoices-told',
    breaks: 'crm-webhook/no-sensitive-hints-in-crm-ai-info',
    what: 'crmAiInfo contains the sum of the open invoices.',
    build: contactWith(() => ({ crmAiInfo: 'Has open invoices of 1250.00 EUR.' })),
  },
  {
    name: 'team-info-in-crm-ai-info',
    breaks: 'crm-webhook/no-sensitive-hints-in-crm-ai-info',
    what: 'crmAiInfo contains the crmInternalInfo of the event.',
    needsTheRest: 'checks of another requirement send a crmInternalInfo',
    build: contactWith(({ contactData }) => ({ crmAiInfo: `Known: ${JSON.stringify(contactData?.crmInternalInfo)}` })),
  },
  {
    name: 'no-content-with-content',
    breaks: 'crm-webhook/no-content-has-no-body',
    what: 'A 204 is sent with a JSON body.',
    build: () => ({
      transport: {
        write: (response, answer) => {
          if (answer.status !== 204) return plainTransport.write(response, answer);
          response.socket?.end(
            'HTTP/1.1 204 No Content\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
          );
        },
      },
    }),
  },
  {
    name: 'answered-and-called-back',
    breaks: 'crm-webhook/answers-now-or-by-callback',
    what: 'A lookup is answered with its data, and the same data is also sent to callbackUrl.',
    build: () => ({
      crm: {
        partsFor: (name, event) => {
          const parts = partsFor(name, event);
          if (name === 'NewConversation' && parts) {
            void postJson({ url: event.callbackUrl, body: JSON.stringify(compose(parts)) });
          }
          return parts;
        },
      },
    }),
  },
  {
    name: 'addresses-as-one-object',
    breaks: 'crm-webhook/field-types-as-listed',
    what: 'postalAddresses is sent as one object instead of a list.',
    build: contactWith(() => ({ postalAddresses: { type: 'home', city: customer.language } })),
  },
];
