import type { SchemaName } from './schemas.ts';

/** Who sends or reads a message; svc-conform itself reads its config and writes reports. */
export type Party = 'integrator' | 'service' | 'svc-conform';

export interface MessageDirection {
  readonly sender: Party;
  readonly reader: Party;
  /**
   * Whether the reader takes values that it does not know: "Receivers ignore unknown fields and unknown values"
   * (interface: Versioning), and events of unknown types are answered (interface: CRM webhook events).
   */
  readonly unknownValues?: true;
  /** Whether lengths, bounds and patterns are only how svc-conform sends, and no promise that a reader may rest on. */
  readonly freeBounds?: true;
}

/** An event or a frame of the service. */
export const serviceEvent: MessageDirection = {
  sender: 'service',
  reader: 'integrator',
  unknownValues: true,
  freeBounds: true,
};
/** Responses of the service to requests of API v1. */
export const serviceAnswer: MessageDirection = { sender: 'service', reader: 'integrator', freeBounds: true };
/** Messages of the integrator: requests of API v1, answers to events, frames of the own AI. */
export const fromIntegrator: MessageDirection = { sender: 'integrator', reader: 'service' };
const toTool: MessageDirection = { sender: 'integrator', reader: 'svc-conform' };
const fromTool: MessageDirection = { sender: 'svc-conform', reader: 'integrator' };

/** Direction of each message. `part`: not a separate message; it has the direction of the messages that contain it. */
export const messageDirections = {
  actionFrame: fromIntegrator,
  agent: serviceAnswer,
  agentChange: fromIntegrator,
  agentReplyRequest: fromIntegrator,
  agentReplyResponse: serviceAnswer,
  agentSecret: serviceAnswer,
  agentTest: serviceAnswer,
  agents: serviceAnswer,
  apiAppointment: serviceAnswer,
  apiMe: serviceAnswer,
  apiTarget: 'part',
  apiWebhookEvent: serviceEvent,
  appointment: 'part',
  appointmentCancellation: fromIntegrator,
  appointmentChange: fromIntegrator,
  appointmentRequest: fromIntegrator,
  autoReply: 'part',
  chatAnswer: fromIntegrator,
  config: toTool,
  contact: serviceAnswer,
  contactData: 'part',
  contactDataAnswer: fromIntegrator,
  contactRequest: fromIntegrator,
  crmAnswer: fromIntegrator,
  crmCallback: fromIntegrator,
  crmEvent: serviceEvent,
  dtmf: serviceEvent,
  historyTurn: 'part',
  interrupt: serviceEvent,
  messageLogRequest: fromIntegrator,
  messageLogResponse: serviceAnswer,
  messageReceived: serviceEvent,
  messageRequest: fromIntegrator,
  messageResponse: serviceAnswer,
  noteRequest: fromIntegrator,
  noteResponse: serviceAnswer,
  ping: serviceEvent,
  postalAddress: 'part',
  problemDetails: serviceAnswer,
  projectData: 'part',
  projectDataAnswer: fromIntegrator,
  prompt: serviceEvent,
  report: fromTool,
  runEvent: fromTool,
  diagnosis: fromTool,
  fleetEvent: fromTool,
  fleetReport: fromTool,
  loadReport: fromTool,
  scenario: toTool,
  senders: serviceAnswer,
  sessionEnded: serviceEvent,
  sessionStarted: serviceEvent,
  skill: 'part',
  skillFrame: fromIntegrator,
  skillOutcome: serviceAnswer,
  skillRequest: fromIntegrator,
  skillResult: serviceEvent,
  targets: toTool,
  textFrame: fromIntegrator,
  transcript: serviceAnswer,
  webhookRequest: fromIntegrator,
  webhookResponse: serviceAnswer,
  whatsAppTemplates: serviceAnswer,
} as const satisfies Record<SchemaName, MessageDirection | 'part'>;
