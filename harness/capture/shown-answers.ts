import type { OperationId } from '../../specs/api-operations.ts';
import type { Violation } from '../../specs/validators.ts';

/** Nothing of the answer is shown, not even what kind of value it is. */
const nothing = /(?!)/;

/**
 * Fields of answers that the interface shows, as JSON Pointers. Our schemas say more, because the simulated service has
 * to answer something: that is not a rule for another one. Operations that are not here have all their fields shown
 * (interface: Resources, Endpoints).
 */
const shown: Readonly<Partial<Record<OperationId, RegExp>>> = {
  upsertContact: /^(?:\/id)?$/,
  logMessage: /^(?:\/(?:projectId|contactId|messageId|created))?$/,
  // What stands for no external id, no metadata or no project is not shown.
  createAppointment: /^(?!\/(?:externalId|metadata|projectId)$)/,
  changeAppointment: nothing,
  cancelAppointment: nothing,
  subscribeWebhook: /^(?:\/(?:subscription|secret))?$/,
  getTranscript: nothing,
  listSenders: nothing,
  listWhatsAppTemplates: nothing,
  // What stands for an address, a time or an error that is not there is not shown, nor are the fields of a skill here.
  listAgents: /^(?:\/\d+(?:\/(?:agentId|name|timeoutSeconds|hasSecret|skills))?)?$/,
  getAgent: /^(?:\/(?:agentId|name|timeoutSeconds|hasSecret|skills))?$/,
  changeAgent: nothing,
  // Types are not shown, nor what stands for a status or an error that is not there.
  testAgent: /^(?:\/success)?$/,
};

/** Fields whose lists of values the interface leaves open. */
const openValues = /\/(?:status|kind|channel)$/;

/** Whether the interface shows what an answer breaks here. */
export function isShown(operation: OperationId, { pointer, expected }: Violation): boolean {
  if (!(shown[operation]?.test(pointer) ?? true)) return false;
  return operation === 'sendAgentReply' || !(openValues.test(pointer) && expected.startsWith('one of '));
}

/** Whether the interface names all values that an appointment in an event may have here. */
export function isListed({ pointer }: Violation): boolean {
  return !/^\/(?:data|appointmentData)\/(?:status|kind)$/.test(pointer);
}
