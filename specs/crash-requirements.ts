import type { RequirementId } from './requirements/catalogue.ts';

const crashRequirements: readonly string[] = [
  'api-webhooks/one-effect-after-a-crash',
  'crm-webhook/one-effect-after-a-crash',
] satisfies RequirementId[];

/** Whether the checks of a requirement kill the endpoint, which needs `chaos` and an endpoint that the run starts. */
export function isCrashRequirement(id: string): boolean {
  return crashRequirements.includes(id);
}
