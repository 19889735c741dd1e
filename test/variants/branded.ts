import type { Variant } from './variant.ts';

/** Correct endpoints of a service with another name than that in the document. */
export const brandedVariants: readonly Variant[] = [
  {
    name: 'branded',
    what: 'Knows the names of the brand Acme only, and writes acmeProjectId in its answers and callbacks.',
    surfaces: ['crm-webhook', 'api-webhooks', 'own-ai-chat'],
    brand: 'Acme',
    build: () => ({ brand: 'Acme' }),
  },
  {
    name: 'phone-branded',
    what: 'Reads X-Acme-Call-Id and X-Acme-Signature of calls.',
    surfaces: ['own-ai-phone'],
    brand: 'Acme',
    build: () => ({ brand: 'Acme' }),
  },
  {
    name: 'client-branded',
    what: 'Calls API v1 with a key that begins with acme_sk_.',
    surfaces: ['api-client'],
    brand: 'Acme',
    build: () => ({ brand: 'Acme' }),
  },
];
