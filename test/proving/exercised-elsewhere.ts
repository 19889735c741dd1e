import type { RequirementId } from '../../specs/requirements/catalogue.ts';

/** Requirements that no variant exercises, and what proves their checks. */
export const exercisedElsewhere: Partial<Record<RequirementId, string>> = {
  'crm-webhook/one-effect-after-a-crash': 'The run must have started the endpoint: test/crashes/chaos.test.ts.',
  'api-webhooks/one-effect-after-a-crash': 'The run must have started the endpoint: test/crashes/chaos.test.ts.',
};
