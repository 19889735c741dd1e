import type { AssumptionId } from './assumptions.ts';

/** What the interface leaves open about every operation. */
export const commonRests = [
  'api-null-members',
  'api-unknown-members',
  'api-required-members',
  'api-request-bounds',
  'api-ids-in-paths',
  'api-transport-errors',
  'error-codes',
  'problem-members',
  'problem-type',
  'key-scopes',
  'key-error-status',
  'api-two-keys',
  'rate-limit-status',
  'rate-limit-minute',
  'deprecation-policy',
] as const satisfies readonly AssumptionId[];

/** What the interface leaves open about every operation that takes the header Idempotency-Key. */
export const idempotencyRests = [
  'idempotency-key-form',
  'idempotency-same-request',
  'idempotency-under-way',
  'idempotency-of-errors',
] as const satisfies readonly AssumptionId[];
