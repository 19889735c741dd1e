import type { OperationId } from '../specs/api-operations.ts';
import type { AssumptionId } from '../specs/assumptions.ts';
import type { SchemaViolation } from '../specs/validators.ts';

/** A date, with a time or without, in the forms of ISO 8601 that are in use. */
const iso8601 =
  /^\d{4}-?(?:(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])|W[0-5]\d-?[1-7]|[0-3]\d\d)(?:[T ][0-2]\d(?::?[0-5]\d(?::?[0-6]\d(?:[.,]\d+)?)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** The assumption behind a request that the schema refuses, where the interface does not require the refusal. */
export function openRequest(id: OperationId, { pointer, rule, value }: SchemaViolation): AssumptionId | undefined {
  const steps = pointer.split('/').slice(1);
  const last = steps.at(-1) ?? '';
  const isAppointment = id === 'createAppointment' || id === 'changeAppointment';
  if (value === null) return 'api-null-members';
  if (rule.keyword === 'required') {
    return id === 'upsertContact' && last === 'phone' ? undefined : 'api-required-members';
  }
  if (rule.keyword === 'one-field-of') {
    if (rule.given.length === 0) return 'api-required-members';
    return id === 'sendMessage' ? undefined : 'api-target-form';
  }
  const isTooSmall = rule.keyword === 'minimum' || rule.keyword === 'minLength' || rule.keyword === 'minItems';
  if (isAppointment && /^(?:durationMinutes|title|kind)$/.test(last) && isTooSmall) return 'appointment-request-bounds';
  if (rule.keyword === 'minItems' && rule.limit === 1) return 'api-request-bounds';
  if (typeof value !== 'string') return undefined;
  if (last === 'phone') return 'api-phone-form';
  if (last === 'email') return 'api-email-form';
  if (last === 'start' || last === 'occurredAt') return iso8601.test(value) ? 'api-request-times' : undefined;
  if (rule.keyword === 'minLength' && rule.limit === 1)
    return last === 'text' ? 'api-empty-text' : 'api-request-bounds';
  if (last === 'channel' || steps.includes('channels'))
    return id === 'sendMessage' ? 'message-channel-choice' : undefined;
  return undefined;
}

/** Paths that the document does not have, though the interface mentions them or allows for them. */
const openPaths: readonly (readonly [methods: readonly string[], path: RegExp, assumption: AssumptionId])[] = [
  [['GET'], /^\/v1\/appointments(?:\/[^/]+)?$/, 'appointment-and-subscription-endpoints'],
  [['GET', 'PATCH', 'PUT', 'DELETE'], /^\/v1\/webhooks(?:\/[^/]+)?$/, 'appointment-and-subscription-endpoints'],
  [['GET', 'DELETE'], /^\/v1\/(?:api-?)?keys(?:\/[^/]+)?$/, 'key-scopes'],
  [['GET'], /^\/v1\/projects\/[^/]+$/, 'project-resource'],
  [['GET'], /^\/v1\/(?:openapi\.json|docs|changelog)$/, 'api-documents'],
];

/** The assumption behind a request whose path is not an operation. */
export function openPath(method: string, path: string): AssumptionId | undefined {
  return openPaths.find(([methods, known]) => methods.includes(method) && known.test(path))?.[2];
}
