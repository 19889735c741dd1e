import type { RequirementId } from '../../specs/requirements/catalogue.ts';

/** Requirements that no variant exercises, and what proves their checks instead. */
export const exercisedElsewhere: Partial<Record<RequirementId, string>> = {
  'crm-webhook/one-effect-after-a-crash': 'The run must have started the endpoint: test/crashes/chaos.test.ts.',
  'api-webhooks/one-effect-after-a-crash': 'The run must have started the endpoint: test/crashes/chaos.test.ts.',
};

/** Requirements that the endpoints behind the mutants do not exercise, and why; variants do. */
export const exercisedByVariants: Partial<Record<RequirementId, string>> = {
  'crm-webhook/null-only-where-listed': 'The endpoint writes no null into its answers.',
  'crm-webhook/svc-contact-id-unaltered': 'The endpoint does not return svcContactId.',
  'crm-webhook/one-callback-after-redelivery': 'The endpoint answers a repeated event at once, without a callback.',
  'crm-webhook/one-callback-after-redelivery-at-once':
    'The endpoint answers a repeated event at once, without a callback.',
  'own-ai-chat/handles-similar-messages': 'The endpoint shows no effect of a message.',
  'own-ai-chat/names-no-skill-while-not-on': 'The endpoint runs no skill while auto-reply is not on.',
  'api-client/one-subscription-for-one-address': 'The client creates one subscription.',
};
