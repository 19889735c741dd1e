import type { Variant } from './variant.ts';

export const variants: readonly Variant[] = [
  { name: 'the-right-one', what: 'The endpoint that the mutants are made of.', surfaces: ['crm-webhook','api-webhooks','own-ai-chat'], build: () => ({}) },
];
