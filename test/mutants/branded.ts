import { correctCrm } from '../proving/crm.ts';
import { sent } from './client-faults.ts';
import type { Mutant } from './mutant.ts';

const withoutPrefix = sent('senders', (_, { apiKey }) => ({
  headers: [['X-Api-Key', apiKey.replace('acme_sk_', '')]],
}));

/** Faults of endpoints of a service with another name than that in the document. */
export const brandedMutants: readonly Mutant[] = [
  {
    name: 'hooks-with-the-names-of-the-document',
    breaks: 'api-webhooks/accepts-valid-signature',
    what: 'The signature is read from X-Svc-Signature, although the service signs in X-Acme-Signature.',
    stopsTheRest: 'Every request is refused because of its signature.',
    brand: 'Acme',
    build: () => ({}),
  },
  {
    name: 'phone-with-the-names-of-the-document',
    breaks: 'own-ai-phone/accepts-valid-signature',
    what: 'The call id is read from X-Svc-Call-Id, although the service sends X-Acme-Call-Id.',
    stopsTheRest: 'Every call is refused because of its signature.',
    brand: 'Acme',
    build: () => ({}),
  },
  {
    name: 'branded-project-id-altered',
    breaks: 'crm-webhook/svc-project-id-unaltered',
    what: 'The number in acmeProjectId of the answer is one more than that of the event.',
    brand: 'Acme',
    build: () => ({
      brand: 'Acme',
      crm: {
        partsFor: (name, event) => {
          const { project, ...parts } = correctCrm().partsFor(name, event) ?? {};
          const id = Number(event.projectData?.svcProjectId);
          return project ? { ...parts, project: { ...project, svcProjectId: id + 1 } } : parts.contact && parts;
        },
      },
    }),
  },
  {
    name: 'client-key-without-the-brands-prefix',
    breaks: 'api-client/carries-the-key-as-issued',
    what: 'The prefix acme_sk_ of the API key is mistaken for a label and omitted.',
    brand: 'Acme',
    build: () => ({ brand: 'Acme', client: withoutPrefix() }),
  },
  {
    name: 'branded-api-key-in-a-link',
    breaks: 'deep-links/carries-no-secret',
    what: 'The API key, which begins with acme_sk_, is appended to a link as a parameter.',
    brand: 'Acme',
    build: () => ({ brand: 'Acme', links: ['https://app.example.com/open/project?id=1001&k=acme_sk_5hT2mQ8vX1'] }),
  },
];
