import type { OperationId } from '../../specs/api-operations.ts';
import type { SchemaViolation, Violation } from '../../specs/validators.ts';

/** The interface shows nothing of the answer, not even its type. */
const nothing = /(?!)/;

/**
 * Fields of answers that the interface shows, as JSON Pointers. Our schemas contain more, because the simulated service
 * must answer something; other services are not bound by that. For operations that are not listed all fields are shown
 * (interface: Resources, Endpoints).
 */
const shown: Readonly<Partial<Record<OperationId, RegExp>>> = {
  upsertContact: /^(?:\/id)?$/,
  logMessage: /^(?:\/(?:projectId|contactId|messageId|created))?$/,
  // The value for a missing external id, metadata or project is not shown.
  createAppointment: /^(?!\/(?:externalId|metadata|projectId)$)/,
  changeAppointment: nothing,
  cancelAppointment: nothing,
  subscribeWebhook: /^(?:\/(?:subscription|secret))?$/,
  getTranscript: nothing,
  listSenders: nothing,
  listWhatsAppTemplates: nothing,
  // The value for a missing address, time or error is not shown, nor are the fields of a skill.
  listAgents: /^(?:\/\d+(?:\/(?:agentId|name|timeoutSeconds|hasSecret|skills))?)?$/,
  getAgent: /^(?:\/(?:agentId|name|timeoutSeconds|hasSecret|skills))?$/,
  changeAgent: nothing,
  // Types are not shown, nor is the value for a missing status or error.
  testAgent: /^(?:\/success)?$/,
};

/** Fields whose enumerations the interface leaves open. */
const openValues = /\/(?:status|kind|channel)$/;

/** Whether the interface states the rule that an answer violates. */
export function isShown(operation: OperationId, { pointer, rule }: SchemaViolation): boolean {
  if (!(shown[operation]?.test(pointer) ?? true)) return false;
  const isEnumeration = rule.keyword === 'enum' && rule.values.length > 1;
  return operation === 'sendAgentReply' || !(openValues.test(pointer) && isEnumeration);
}

/** Whether the interface enumerates all values that an appointment in an event may have here. */
export function isListed({ pointer }: Violation): boolean {
  return !/^\/(?:data|appointmentData)\/(?:status|kind)$/.test(pointer);
}
