import type { AssumptionId } from './assumptions.ts';

/** Open points of every operation. */
export const commonOpenPoints = [
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

/** Open points of every operation that accepts the header Idempotency-Key. */
export const idempotencyOpenPoints = [
  'idempotency-key-form',
  'idempotency-same-request',
  'idempotency-under-way',
  'idempotency-of-errors',
] as const satisfies readonly AssumptionId[];

/** Open points of every operation with a recipient and text. */
export const recipientOpenPoints = [
  'api-new-contacts',
  'not-found-code',
  'api-phone-form',
  'api-email-form',
  'shared-email',
  'api-empty-text',
] as const satisfies readonly AssumptionId[];

/** Open points of every operation that returns own-AI assistants. */
export const agentOpenPoints = [
  'agent-first-contact',
  'agent-skill-members',
  'chat-not-connected',
  'phone-not-connected',
] as const satisfies readonly AssumptionId[];

/** Open points of every operation that runs skills. */
export const skillOpenPoints = [
  'skill-reason-when-done',
  'skill-limit-hour',
  'skill-pending-approval',
  'skill-announcement-in-chat',
  'forward-in-chat',
] as const satisfies readonly AssumptionId[];
