import actionFrame from './schemas/action-frame.schema.json' with { type: 'json' };
import agent from './schemas/agent.schema.json' with { type: 'json' };
import agentChange from './schemas/agent-change.schema.json' with { type: 'json' };
import agentReplyRequest from './schemas/agent-reply-request.schema.json' with { type: 'json' };
import agentReplyResponse from './schemas/agent-reply-response.schema.json' with { type: 'json' };
import agentSecret from './schemas/agent-secret.schema.json' with { type: 'json' };
import agentTest from './schemas/agent-test.schema.json' with { type: 'json' };
import agents from './schemas/agents.schema.json' with { type: 'json' };
import apiAppointment from './schemas/api-appointment.schema.json' with { type: 'json' };
import apiMe from './schemas/api-me.schema.json' with { type: 'json' };
import apiTarget from './schemas/api-target.schema.json' with { type: 'json' };
import apiWebhookEvent from './schemas/api-webhook-event.schema.json' with { type: 'json' };
import appointment from './schemas/appointment.schema.json' with { type: 'json' };
import appointmentCancellation from './schemas/appointment-cancellation.schema.json' with { type: 'json' };
import appointmentChange from './schemas/appointment-change.schema.json' with { type: 'json' };
import appointmentRequest from './schemas/appointment-request.schema.json' with { type: 'json' };
import autoReply from './schemas/auto-reply.schema.json' with { type: 'json' };
import chatAnswer from './schemas/chat-answer.schema.json' with { type: 'json' };
import config from './schemas/config.schema.json' with { type: 'json' };
import contact from './schemas/contact.schema.json' with { type: 'json' };
import contactData from './schemas/contact-data.schema.json' with { type: 'json' };
import contactDataAnswer from './schemas/contact-data-answer.schema.json' with { type: 'json' };
import contactRequest from './schemas/contact-request.schema.json' with { type: 'json' };
import crmAnswer from './schemas/crm-answer.schema.json' with { type: 'json' };
import crmCallback from './schemas/crm-callback.schema.json' with { type: 'json' };
import crmEvent from './schemas/crm-event.schema.json' with { type: 'json' };
import diagnosis from './schemas/diagnosis.schema.json' with { type: 'json' };
import dtmf from './schemas/dtmf.schema.json' with { type: 'json' };
import fleetEvent from './schemas/fleet-event.schema.json' with { type: 'json' };
import fleetReport from './schemas/fleet-report.schema.json' with { type: 'json' };
import historyTurn from './schemas/history-turn.schema.json' with { type: 'json' };
import interrupt from './schemas/interrupt.schema.json' with { type: 'json' };
import loadReport from './schemas/load-report.schema.json' with { type: 'json' };
import messageLogRequest from './schemas/message-log-request.schema.json' with { type: 'json' };
import messageLogResponse from './schemas/message-log-response.schema.json' with { type: 'json' };
import messageReceived from './schemas/message-received.schema.json' with { type: 'json' };
import messageRequest from './schemas/message-request.schema.json' with { type: 'json' };
import messageResponse from './schemas/message-response.schema.json' with { type: 'json' };
import noteRequest from './schemas/note-request.schema.json' with { type: 'json' };
import noteResponse from './schemas/note-response.schema.json' with { type: 'json' };
import ping from './schemas/ping.schema.json' with { type: 'json' };
import postalAddress from './schemas/postal-address.schema.json' with { type: 'json' };
import problemDetails from './schemas/problem-details.schema.json' with { type: 'json' };
import projectData from './schemas/project-data.schema.json' with { type: 'json' };
import projectDataAnswer from './schemas/project-data-answer.schema.json' with { type: 'json' };
import prompt from './schemas/prompt.schema.json' with { type: 'json' };
import report from './schemas/report.schema.json' with { type: 'json' };
import runEvent from './schemas/run-event.schema.json' with { type: 'json' };
import scenario from './schemas/scenario.schema.json' with { type: 'json' };
import senders from './schemas/senders.schema.json' with { type: 'json' };
import sessionEnded from './schemas/session-ended.schema.json' with { type: 'json' };
import sessionStarted from './schemas/session-started.schema.json' with { type: 'json' };
import skill from './schemas/skill.schema.json' with { type: 'json' };
import skillFrame from './schemas/skill-frame.schema.json' with { type: 'json' };
import skillOutcome from './schemas/skill-outcome.schema.json' with { type: 'json' };
import skillRequest from './schemas/skill-request.schema.json' with { type: 'json' };
import skillResult from './schemas/skill-result.schema.json' with { type: 'json' };
import targets from './schemas/targets.schema.json' with { type: 'json' };
import textFrame from './schemas/text-frame.schema.json' with { type: 'json' };
import transcript from './schemas/transcript.schema.json' with { type: 'json' };
import webhookRequest from './schemas/webhook-request.schema.json' with { type: 'json' };
import webhookResponse from './schemas/webhook-response.schema.json' with { type: 'json' };
import whatsAppTemplates from './schemas/whats-app-templates.schema.json' with { type: 'json' };
import { valueAt } from './json-pointer.ts';
import type { JsonValue } from './json-value.ts';

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** The keywords of JSON Schema 2020-12 that our schemas use. A schema with another one fails a test. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly $ref?: string;
  readonly $defs?: { readonly [name: string]: JsonSchema };
  readonly $comment?: string;
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly JsonValue[];
  readonly default?: JsonValue;
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** `false`: the field is forbidden. */
  readonly properties?: { readonly [field: string]: JsonSchema | false };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

const all = {
  actionFrame,
  agent,
  agentChange,
  agentReplyRequest,
  agentReplyResponse,
  agentSecret,
  agentTest,
  agents,
  apiAppointment,
  apiMe,
  apiTarget,
  apiWebhookEvent,
  appointment,
  appointmentCancellation,
  appointmentChange,
  appointmentRequest,
  autoReply,
  chatAnswer,
  config,
  contact,
  contactData,
  contactDataAnswer,
  contactRequest,
  crmAnswer,
  crmCallback,
  crmEvent,
  diagnosis,
  dtmf,
  fleetEvent,
  fleetReport,
  historyTurn,
  interrupt,
  loadReport,
  messageLogRequest,
  messageLogResponse,
  messageReceived,
  messageRequest,
  messageResponse,
  noteRequest,
  noteResponse,
  ping,
  postalAddress,
  problemDetails,
  projectData,
  projectDataAnswer,
  prompt,
  report,
  runEvent,
  scenario,
  senders,
  sessionEnded,
  sessionStarted,
  skill,
  skillFrame,
  skillOutcome,
  skillRequest,
  skillResult,
  targets,
  textFrame,
  transcript,
  webhookRequest,
  webhookResponse,
  whatsAppTemplates,
};

export type SchemaName = keyof typeof all;

/**
 * Every schema by its short name. What we send (contactData, crmEvent, messageReceived, prompt …) is described fully;
 * what we receive (crmAnswer, chatAnswer, agentReplyRequest, textFrame …) is restricted only by rules of the interface.
 */
export const schemas = all as unknown as Readonly<Record<SchemaName, JsonSchema & { $id: string; title: string }>>;

const byId = new Map(Object.values(schemas).map((schema) => [schema.$id, schema]));

/**
 * The schema that a `$ref` points to, and the `$id` against which the references inside it are resolved.
 *
 * @param ref as written: a file in the directory of the base, a fragment, or both
 * @param base `$id` of the schema that contains the reference
 * @throws Error when there is no such schema
 */
export function resolveRef(ref: string, base: string): { schema: JsonSchema; base: string } {
  const target = new URL(ref, base);
  const fragment = decodeURIComponent(target.hash.slice(1));
  target.hash = '';
  const found = valueAt(byId.get(target.href), fragment);
  if (found === undefined) throw new Error(`expected a schema at ${ref}, received none (seen from ${base})`);
  return { schema: found as JsonSchema, base: target.href };
}
