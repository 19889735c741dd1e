import { apiOperation, type OperationId } from '../specs/api-operations.ts';
import { problems, type ProblemCode } from '../specs/api-problems.ts';
import type { AssumptionId } from '../specs/assumptions.ts';
import { operationProblems } from '../specs/open-api-document.ts';

type Steps = readonly (string | number)[];

/** Open points about codes that the interface does not name (interface: Errors). */
const ofCode: Readonly<Partial<Record<ProblemCode, AssumptionId>>> = {
  unauthorized: 'key-error-status',
  rate_limited: 'rate-limit-status',
  consent_missing: 'consent-error-code',
  not_found: 'not-found-code',
  idempotency_key_in_use: 'idempotency-under-way',
  idempotency_key_reused: 'idempotency-same-request',
  payload_too_large: 'api-request-bounds',
  unsupported_media_type: 'api-transport-errors',
  method_not_allowed: 'api-transport-errors',
};

/** The interface names the status but not its code. */
const namedStatuses: Readonly<Partial<Record<OperationId, readonly number[]>>> = { sendMessage: [403] };

/** Operations whose successful answer is not shown. */
const openAnswers: Readonly<Partial<Record<OperationId, AssumptionId>>> = {
  changeAppointment: 'appointment-change-request',
  cancelAppointment: 'appointment-change-request',
  getTranscript: 'list-responses',
  listSenders: 'list-responses',
  listWhatsAppTemplates: 'list-responses',
  replaceAgentSecret: 'agent-secret-status',
};

/**
 * The assumption behind an expected status, with or without an expected code, if the interface leaves it open.
 * `undefined`: it is specified, or not in the document.
 */
export function openStatus(id: OperationId, status: number, code?: string): AssumptionId | undefined {
  if (status < 400) return openAnswers[id];
  // The interface names the code, but not whether messages have it.
  if (id === 'sendMessage' && status === 422 && (code ?? 'not_deliverable') === 'not_deliverable')
    return 'message-channel-choice';
  const codes = operationProblems(apiOperation(id)).filter((one) => problems[one].status === status);
  if (code !== undefined) {
    const known = codes.find((one) => one === code);
    if (known === undefined) return 'error-codes';
    return problems[known].named ? undefined : (ofCode[known] ?? 'error-codes');
  }
  if (namedStatuses[id]?.includes(status) === true || codes.some((one) => problems[one].named)) return undefined;
  const [first] = codes;
  return first === undefined ? 'error-codes' : (ofCode[first] ?? 'error-codes');
}

/** Open points about one code alone. */
const codeRests: readonly AssumptionId[] = ['not-found-code', 'consent-error-code'];

/** The assumption behind an error code of any value, where the interface names none for the status. */
export function openCode(id: OperationId, status: number, code?: string): AssumptionId | undefined {
  const codes = operationProblems(apiOperation(id)).filter((one) => problems[one].status === status);
  const possible = code === undefined ? codes : codes.filter((one) => one === code);
  if (possible.some((one) => problems[one].named)) return undefined;
  const [first] = possible;
  const ofFirst = first === undefined ? undefined : ofCode[first];
  return codeRests.find((rest) => rest === ofFirst) ?? 'error-codes';
}

/** Whether the interface names a code of an error. */
export function isNamedCode(code: unknown): boolean {
  return typeof code === 'string' && Object.hasOwn(problems, code) && problems[code as ProblemCode].named;
}

/** The assumption behind a field of an answer that the interface does not show, though the document has it. */
export function openField(id: OperationId, status: number, steps: Steps): AssumptionId | undefined {
  const [first, ...rest] = steps;
  if (status >= 400) return first === 'type' ? 'problem-type' : undefined;
  if (id === 'replaceAgentSecret') return undefined;
  if (id === 'subscribeWebhook' && first === 'subscription' && rest.length > 0)
    return 'appointment-and-subscription-endpoints';
  if (id === 'getTranscript' && steps.length > 1) return 'project-resource';
  return isOfAgentSkill(id, steps) && steps.at(-1) !== 'hoursLimited' ? 'agent-skill-members' : openAnswers[id];
}

/** The assumption behind a field that the document does not have, where the interface says that there may be more. */
export function openUnknownField(id: OperationId, status: number, steps: Steps): AssumptionId | undefined {
  if (status >= 400) return 'problem-members';
  if (id === 'upsertContact') return 'contact-fields';
  return isOfAgentSkill(id, steps) ? 'agent-skill-members' : openField(id, status, steps);
}

function isOfAgentSkill(id: OperationId, steps: Steps): boolean {
  const agentSteps = id === 'listAgents' ? steps.slice(1) : steps;
  return agents.includes(id) && agentSteps[0] === 'skills' && agentSteps.length > 2;
}

/** Operations that answer with assistants. */
const agents: readonly OperationId[] = ['listAgents', 'getAgent', 'changeAgent'];

/** Timestamps whose form is not shown. */
const openTimes = /^(?:createdAt|updatedAt|customerConfirmedAt|businessConfirmedAt|cancelledAt|finishedAt)$/;

/** By operation and last step: the assumption behind a value that the interface does not determine. */
const openValues: readonly (readonly [operations: readonly OperationId[], field: RegExp, assumption: AssumptionId])[] =
  [
    [['createAppointment', 'changeAppointment', 'cancelAppointment'], openTimes, 'appointment-timestamp-form'],
    [['createAppointment'], /^(?:externalId|metadata)$/, 'appointment-external-id'],
    [['createAppointment'], /^(?:durationMinutes|title|kind)$/, 'appointment-defaults'],
    [['createAppointment'], /^startLocal$/, 'appointment-time-zone'],
    [['upsertContact'], /^(?:firstName|lastName|email|serviceConsent)$/, 'contact-fields'],
    [['sendMessage'], /^(?:channel|senderId)$/, 'message-channel-choice'],
    [['sendMessage'], /^consentOverridden$/, 'whatsapp-object'],
    [['sendMessage'], /^status$/, 'message-statuses'],
    [['logMessage'], /^truncated$/, 'log-text-length'],
    [agents, /^(?:lastSuccessAt|lastFailureAt|lastError)$/, 'agent-first-contact'],
    [['testAgent'], /^(?:durationMs|statusCode|error)$/, 'agent-test-duration'],
    [['sendAgentReply'], /^status$/, 'skills-and-reply-status'],
    [['subscribeWebhook'], /^secret$/, 'webhook-secret-form'],
  ];

/** The assumption behind the form of a field: a pattern, or the exact value. */
export function openForm(id: OperationId, steps: Steps): AssumptionId | undefined {
  const last = String(steps.at(-1) ?? '');
  if (id === 'subscribeWebhook' && last === 'secret') return 'webhook-secret-form';
  return id === 'createAppointment' && openTimes.test(last) ? 'appointment-timestamp-form' : undefined;
}

/**
 * The assumption behind a field's value that the interface does not determine and the simulated service had to choose.
 */
export function openValue(id: OperationId, status: number, steps: Steps): AssumptionId | undefined {
  if (status >= 400) return steps[0] === 'detail' || steps[0] === 'instance' ? 'problem-members' : undefined;
  const last = String(steps.findLast((step) => typeof step === 'string') ?? '');
  const found = openValues.find(([operations, field]) => operations.includes(id) && field.test(last));
  return found?.[2] ?? openField(id, status, steps);
}

/** The assumption behind an unexpected outcome, where the interface does not say which requests have it. */
export function openOutcome(id: OperationId, expected: number, received: number): AssumptionId | undefined {
  if (id === 'sendAgentReply' && expected === 409) return 'agent-reply-conflict';
  const makesContacts = id === 'sendMessage' || id === 'logMessage' || id === 'addNote' || id === 'createAppointment';
  if (makesContacts && expected === 404 && received < 300) return 'api-new-contacts';
  if ((id === 'changeAppointment' || id === 'cancelAppointment') && expected < 500 && received < 300)
    return 'appointment-any-state';
  if ((expected === 400 || expected === 413) && received < 300) return 'api-request-bounds';
  if (received === 413) return 'api-request-bounds';
  return undefined;
}
