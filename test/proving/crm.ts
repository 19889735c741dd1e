import type { Journal } from './journal.ts';
import { rememberForever, type Once } from './once.ts';
import { send, type Outgoing } from './outgoing.ts';
import { json, pause, type Answer, type Handler, type Incoming } from './wire.ts';

/** A caller whom the CRM knows. */
export const knownCaller = '+4930901820';

/** A CRM event as far as a handler reads it. */
export interface CrmEvent {
  eventType: unknown;
  timestampUtc: string;
  callbackUrl: string;
  contactData: Record<string, unknown> | null;
  projectData: Record<string, unknown> | null;
  appointmentData: Record<string, unknown> | null;
}

/** The CRM's answer to an event. */
export interface CrmParts {
  contact?: Record<string, unknown>;
  project?: Record<string, unknown>;
}

export type CrmCallback = Pick<Outgoing, 'url' | 'body'>;

/** Everything that the receiver of the CRM webhook decides. */
export interface CrmSeams {
  /** Runs before the token is checked. */
  early(journal: Journal, event: CrmEvent): void;
  bearerAccepted(header: string | undefined, token: string): boolean;
  refusal(header: string | undefined): Answer;
  /** The event's name, whichever form it came in; `undefined` when it is not known. */
  nameOf(eventType: unknown): string | undefined;
  unknownEvent(eventType: unknown): Answer;
  /** Reads the event for logging and routing; may throw or refuse it. */
  read(event: CrmEvent, name: string): Answer | undefined;
  once: Once;
  effect(journal: Journal, name: string, event: CrmEvent): void;
  /** Milliseconds of the work before the answer. */
  workMs(name: string, event: CrmEvent, request: Incoming): number;
  partsFor(name: string, event: CrmEvent): CrmParts | undefined;
  /** The answer's object: flags and parts. */
  compose(parts: CrmParts, event: CrmEvent): Record<string, unknown>;
  /** Whether the result is sent to `callbackUrl` and not in the answer. */
  later(name: string, event: CrmEvent): boolean;
  now(composed: Record<string, unknown>): Answer;
  nothing(): Answer;
  accepted(): Answer;
  /** Milliseconds from the 202 to the callback. */
  callbackAfterMs: number;
  callback(call: CrmCallback, token: string, name: string): Promise<void>;
}

const names = [
  'IncomingCallLookup',
  'FinishedCall',
  'NewConversation',
  'ConversationPaused',
  'Manual',
  'FormSubmitted',
  'AppointmentCreated',
  'AppointmentConfirmed',
  'AppointmentRescheduled',
  'AppointmentCancelled',
  'AppointmentFinished',
  'AppointmentReminderSent',
];
/** Events that had a number before they had names; the position is the number. */
const numbered = names.slice(0, 6);

/** The customer that {@link knownCaller} is. */
export const customer = {
  crmContactId: '4711',
  firstName: 'Erika',
  lastName: 'Mustermann',
  language: 'de-DE',
  customNumeric1: '12.50',
  customCheckBox1: true,
  customOptIn1: '2026-10-11T08:30:00',
  crmAiInfo: 'Prefers appointments in the morning.',
};

export function nameOf(eventType: unknown): string | undefined {
  if (typeof eventType === 'number') return numbered[eventType];
  return typeof eventType === 'string' && names.includes(eventType) ? eventType : undefined;
}

export function partsFor(name: string, { contactData, projectData }: CrmEvent): CrmParts | undefined {
  if (name === 'IncomingCallLookup' || name === 'NewConversation') {
    return contactData?.phoneNumber === knownCaller ? { contact: { ...customer } } : undefined;
  }
  if (name === 'FinishedCall' || name === 'ConversationPaused') {
    return { project: { svcProjectId: projectData?.svcProjectId, crmProjectId: 'C-2026-0815' } };
  }
  return name === 'FormSubmitted' ? { contact: { crmContactId: '4712' } } : undefined;
}

export function compose({ contact, project }: CrmParts): Record<string, unknown> {
  return {
    requestContactUpdate: contact !== undefined,
    ...(contact && { contactData: contact }),
    requestProjectUpdate: project !== undefined,
    ...(project && { projectData: project }),
  };
}

export function postJson({ url, body }: CrmCallback): Promise<void> {
  return send({ url, body, method: 'POST', headers: { 'content-type': 'application/json' } }).then(() => undefined);
}

/** A correct receiver: answers lookups at once, forms with a callback, and most other events without data. */
export function correctCrm(): CrmSeams {
  return {
    early: () => undefined,
    bearerAccepted: (header, token) => header === `Bearer ${token}`,
    refusal: () => ({ status: 401 }),
    nameOf,
    unknownEvent: () => ({ status: 204 }),
    read: () => undefined,
    once: rememberForever(),
    effect: (journal, name, { callbackUrl }) => journal.add(`${name} ${callbackUrl}`),
    workMs: () => 0,
    partsFor,
    compose,
    later: (name) => name === 'FormSubmitted',
    now: (composed) => json(200, composed),
    nothing: () => ({ status: 204 }),
    accepted: () => ({ status: 202 }),
    callbackAfterMs: 20,
    callback: postJson,
  };
}

export function crmHandler(seams: CrmSeams, token: string, journal: Journal): Handler {
  const callBack = async (name: string, call: CrmCallback) => {
    await pause(seams.callbackAfterMs);
    await seams.callback(call, token, name);
  };
  const work = async (name: string, event: CrmEvent, request: Incoming): Promise<Answer> => {
    seams.effect(journal, name, event);
    const ms = seams.workMs(name, event, request);
    if (ms > 0) await pause(ms);
    const parts = seams.partsFor(name, event);
    if (seams.later(name, event)) {
      void callBack(name, { url: event.callbackUrl, body: JSON.stringify(seams.compose(parts ?? {}, event)) });
      return seams.accepted();
    }
    return parts === undefined ? seams.nothing() : seams.now(seams.compose(parts, event));
  };
  return async (request) => {
    const { authorization } = request.headers;
    const event = JSON.parse(request.body.toString('utf8')) as CrmEvent;
    seams.early(journal, event);
    if (!seams.bearerAccepted(authorization, token)) return seams.refusal(authorization);
    const name = seams.nameOf(event.eventType);
    if (name === undefined) return seams.unknownEvent(event.eventType);
    return seams.read(event, name) ?? (await seams.once(event.callbackUrl, () => work(name, event, request)));
  };
}
