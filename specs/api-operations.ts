import type { ProblemCode } from './api-problems.ts';
import { agentOpenPoints, recipientOpenPoints, skillOpenPoints } from './api-open-points.ts';
import type { AssumptionId } from './assumptions.ts';
import type { SchemaName } from './schemas.ts';

/** One operation of API v1. */
export interface ApiOperation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `{id}` (a positive integer) and `{key}` (of a skill) where the interface has them. */
  readonly path: string;
  readonly summary: string;
  readonly tag: 'Inbox' | 'Contacts' | 'Messages' | 'Notes' | 'Appointments' | 'Webhooks' | 'Projects' | 'Agents';
  /** Schema of the request body. */
  readonly request?: SchemaName;
  /** The body may be omitted. */
  readonly requestOptional?: true;
  /** Accepts the header Idempotency-Key (interface: API v1, Limits). */
  readonly idempotent?: true;
  /** Schema of the body by status. */
  readonly responses: Readonly<Partial<Record<200 | 201 | 202, SchemaName>>>;
  /** Errors in addition to those that every operation has (`commonProblems`). */
  readonly problems: readonly ProblemCode[];
  /** Open points in addition to `commonOpenPoints` and `idempotencyOpenPoints`. */
  readonly openPoints: readonly AssumptionId[];
}

/** API v1, by operation id (interface: API v1). The server, the OpenAPI document and the checks of clients are derived from it. */
export const apiOperations = {
  getMe: {
    method: 'GET',
    path: '/v1/me',
    summary: 'Get the inbox of the API key',
    tag: 'Inbox',
    responses: { 200: 'apiMe' },
    problems: [],
    openPoints: [],
  },
  upsertContact: {
    method: 'POST',
    path: '/v1/contacts',
    summary: 'Create a contact, or update the one with this phone number',
    tag: 'Contacts',
    request: 'contactRequest',
    responses: { 200: 'contact', 201: 'contact' },
    problems: [],
    openPoints: ['contact-fields', 'contact-without-value', 'api-phone-form', 'api-email-form', 'shared-email'],
  },
  sendMessage: {
    method: 'POST',
    path: '/v1/messages',
    summary: 'Send a message to a contact',
    tag: 'Messages',
    request: 'messageRequest',
    idempotent: true,
    responses: { 202: 'messageResponse' },
    problems: ['consent_missing', 'not_found', 'not_deliverable', 'idempotency_key_in_use', 'idempotency_key_reused'],
    openPoints: [
      'message-statuses',
      'whatsapp-object',
      'message-template-reference',
      'template-in-open-window',
      'waiting-text-other-channel',
      'message-channel-choice',
      'consent-error-code',
      'marketing-consent-source',
      'service-purpose-consent',
      'message-and-auto-reply',
      ...recipientOpenPoints,
    ],
  },
  logMessage: {
    method: 'POST',
    path: '/v1/messages/log',
    summary: 'Log a message that was sent or received elsewhere; nothing is sent',
    tag: 'Messages',
    request: 'messageLogRequest',
    responses: { 200: 'messageLogResponse', 201: 'messageLogResponse' },
    problems: ['not_found', 'project_not_found'],
    openPoints: [
      'api-target-form',
      ...recipientOpenPoints,
      'api-request-times',
      'log-text-length',
      'log-subject-line',
      'log-subject-elsewhere',
      'log-time-ahead',
      'log-notify-direction',
      'log-out-and-auto-reply',
      'log-ai-pause',
      'log-and-the-window',
      'log-external-id-scope',
    ],
  },
  addNote: {
    method: 'POST',
    path: '/v1/notes',
    summary: 'Write a note for the team',
    tag: 'Notes',
    request: 'noteRequest',
    idempotent: true,
    responses: { 201: 'noteResponse' },
    problems: ['not_found', 'project_not_found', 'idempotency_key_in_use', 'idempotency_key_reused'],
    openPoints: ['api-target-form', ...recipientOpenPoints],
  },
  createAppointment: {
    method: 'POST',
    path: '/v1/appointments',
    summary: 'Create an appointment',
    tag: 'Appointments',
    request: 'appointmentRequest',
    responses: { 201: 'apiAppointment' },
    problems: [],
    openPoints: [
      'appointment-request-bounds',
      'appointment-defaults',
      'appointment-business-confirmation',
      'appointment-notices',
      'notices-without-sender',
      'appointment-undeliverable',
      'appointment-statuses',
      'appointment-external-id',
      'appointment-time-zone',
      'appointment-reminders-past',
      'api-new-contacts',
      'api-phone-form',
      'api-request-times',
    ],
  },
  changeAppointment: {
    method: 'PATCH',
    path: '/v1/appointments/{id}',
    summary: 'Change an appointment',
    tag: 'Appointments',
    request: 'appointmentChange',
    responses: { 200: 'apiAppointment' },
    problems: ['not_found'],
    openPoints: [
      'appointment-change-request',
      'appointment-without-start',
      'appointment-any-state',
      'appointment-statuses',
      'api-request-times',
      'not-found-code',
    ],
  },
  cancelAppointment: {
    method: 'DELETE',
    path: '/v1/appointments/{id}',
    summary: 'Cancel an appointment',
    tag: 'Appointments',
    request: 'appointmentCancellation',
    requestOptional: true,
    responses: { 200: 'apiAppointment' },
    problems: ['not_found'],
    openPoints: [
      'appointment-change-request',
      'appointment-cancellation-message',
      'cancellation-message-window',
      'appointment-any-state',
      'not-found-code',
    ],
  },
  subscribeWebhook: {
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Subscribe an address to appointment events',
    tag: 'Webhooks',
    request: 'webhookRequest',
    responses: { 201: 'webhookResponse' },
    problems: [],
    openPoints: [
      'appointment-and-subscription-endpoints',
      'webhook-redelivery',
      'webhook-secret-form',
      'loopback-addresses',
    ],
  },
  getTranscript: {
    method: 'GET',
    path: '/v1/projects/{id}/messages',
    summary: 'Get the transcript of a project',
    tag: 'Projects',
    responses: { 200: 'transcript' },
    problems: ['project_not_found'],
    openPoints: ['project-resource', 'list-responses', 'history-turn-length'],
  },
  listSenders: {
    method: 'GET',
    path: '/v1/senders',
    summary: 'List the senders of the inbox',
    tag: 'Inbox',
    responses: { 200: 'senders' },
    problems: [],
    openPoints: ['list-responses'],
  },
  listWhatsAppTemplates: {
    method: 'GET',
    path: '/v1/whatsapp/templates',
    summary: 'List the approved WhatsApp templates',
    tag: 'Inbox',
    responses: { 200: 'whatsAppTemplates' },
    problems: [],
    openPoints: ['list-responses'],
  },
  listAgents: {
    method: 'GET',
    path: '/v1/agents',
    summary: 'List the own-AI assistants',
    tag: 'Agents',
    responses: { 200: 'agents' },
    problems: [],
    openPoints: agentOpenPoints,
  },
  getAgent: {
    method: 'GET',
    path: '/v1/agents/{id}',
    summary: 'Get one own-AI assistant',
    tag: 'Agents',
    responses: { 200: 'agent' },
    problems: ['not_found'],
    openPoints: [...agentOpenPoints, 'not-found-code'],
  },
  changeAgent: {
    method: 'PATCH',
    path: '/v1/agents/{id}',
    summary: 'Change an own-AI assistant',
    tag: 'Agents',
    request: 'agentChange',
    responses: { 200: 'agent' },
    problems: ['invalid_chat_url', 'invalid_voice_url', 'not_found'],
    openPoints: ['agent-first-contact', 'agent-skill-members', 'loopback-addresses', 'not-found-code'],
  },
  replaceAgentSecret: {
    method: 'POST',
    path: '/v1/agents/{id}/secret',
    summary: 'Create a new secret; the previous one stops working at once',
    tag: 'Agents',
    responses: { 200: 'agentSecret' },
    problems: ['not_found'],
    openPoints: ['agent-secret-status', 'not-found-code'],
  },
  testAgent: {
    method: 'POST',
    path: '/v1/agents/{id}/test',
    summary: 'Ping the chat address, then open and close the phone connection once',
    tag: 'Agents',
    responses: { 200: 'agentTest' },
    problems: ['not_found'],
    openPoints: ['agent-test-without-address', 'agent-test-duration', 'phone-test-frames', 'not-found-code'],
  },
  sendAgentReply: {
    method: 'POST',
    path: '/v1/projects/{id}/agent-replies',
    summary: 'Answer a conversation as the own AI',
    tag: 'Agents',
    request: 'agentReplyRequest',
    responses: { 202: 'agentReplyResponse' },
    problems: ['invalid_reply', 'project_not_found', 'project_not_with_agent', 'not_deliverable'],
    openPoints: [
      'agent-reply-conflict',
      'agent-reply-codes',
      'chat-answer-members-missing',
      'skills-in-reply-response',
      'status-after-two-actions',
      'skills-and-reply-status',
      'own-ai-text-closed-window',
      'ai-text-note-after-pause',
      'forward-tried',
      ...skillOpenPoints,
    ],
  },
  runSkill: {
    method: 'POST',
    path: '/v1/projects/{id}/skills/{key}',
    summary: 'Run a skill in a conversation, with chat semantics',
    tag: 'Agents',
    request: 'skillRequest',
    requestOptional: true,
    idempotent: true,
    responses: { 200: 'skillOutcome' },
    problems: ['project_not_found', 'project_not_with_agent', 'idempotency_key_in_use', 'idempotency_key_reused'],
    openPoints: skillOpenPoints,
  },
} as const satisfies Record<string, ApiOperation>;

/** Id of an operation of API v1. */
export type OperationId = keyof typeof apiOperations;

/** The operation with this id. */
export function apiOperation(id: OperationId): ApiOperation {
  return apiOperations[id];
}

/** Values of the path parameters of an operation in an address, percent-decoded. */
export interface MatchedOperation {
  id: OperationId;
  parameters: Readonly<Record<string, string>>;
}

/**
 * The operation that a method and a path mean, `/v1` included and any query omitted. `undefined` when there is none;
 * with `otherMethods` when the path is known for other methods.
 */
export function matchOperation(
  method: string,
  path: string,
): MatchedOperation | { otherMethods: string[] } | undefined {
  const otherMethods: string[] = [];
  for (const [id, operation] of Object.entries(apiOperations)) {
    const parameters = matchPath(operation.path, path);
    if (parameters === undefined) continue;
    if (operation.method === method) return { id: id as OperationId, parameters };
    otherMethods.push(operation.method);
  }
  return otherMethods.length > 0 ? { otherMethods } : undefined;
}

function matchPath(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? '';
    if (!part.startsWith('{')) {
      if (part !== value) return undefined;
      continue;
    }
    if (value === '') return undefined;
    try {
      parameters[part.slice(1, -1)] = decodeURIComponent(value);
    } catch {
      return undefined;
    }
  }
  return parameters;
}
