import { actingVariants } from './acting.ts';
import { answerVariants } from './answers.ts';
import { clientVariants } from './api-client.ts';
import { brandedVariants } from './branded.ts';
import { chatAnswerVariants } from './chat-answers.ts';
import { crmMemoryVariants } from './crm-memory.ts';
import { deepLinkVariants } from './deep-links.ts';
import { phoneCallVariants } from './phone-calls.ts';
import { phoneMemoryVariants } from './phone-memory.ts';
import { phoneTalkVariants } from './phone-talk.ts';
import { similarEffectVariants } from './similar-effects.ts';
import { transportVariants } from './transport.ts';
import type { Variant } from './variant.ts';

/** Every correct endpoint; the first is the one from which mutants are derived. */
export const variants: readonly Variant[] = [
  {
    name: 'the-right-one',
    what: 'The endpoint that the mutants are made of: a mix of all kinds of answers.',
    surfaces: ['crm-webhook', 'api-webhooks', 'own-ai-chat'],
    build: () => ({}),
  },
  {
    name: 'phone-the-right-one',
    what: 'The AI on the phone that the mutants are made of: streams its answers and leaves the closing to the service.',
    surfaces: ['own-ai-phone'],
    build: () => ({}),
  },
  ...answerVariants,
  ...crmMemoryVariants,
  ...chatAnswerVariants,
  ...phoneTalkVariants,
  ...phoneCallVariants,
  ...phoneMemoryVariants,
  ...transportVariants,
  ...deepLinkVariants,
  ...clientVariants,
  ...actingVariants,
  ...brandedVariants,
  ...similarEffectVariants,
];
