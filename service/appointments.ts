import { appointmentEvents } from '../specs/appointment-event-types.ts';
import { readIso8601 } from '../specs/iso-8601.ts';
import type {
  ApiAppointment,
  ApiWebhookEvent,
  Appointment,
  AppointmentCancellation,
  AppointmentChange,
  AppointmentRequest,
} from '../specs/generated/types.ts';
import type { ApiWebhooks } from './api-webhooks.ts';
import { tapButton, sendNotice, type NoticeRecipient } from './appointment-notices.ts';
import { timestamp } from './clock.ts';
import type { Contacts } from './contacts.ts';
import type { Conversations } from './conversations.ts';
import type { CrmWebhook } from './crm-webhook.ts';
import { InFlight } from './in-flight.ts';
import type { InboxCore } from './inbox-core.ts';
import { localTimestamp } from './local-timestamp.ts';
import { Problem } from './problem.ts';
import { isAgreed, Reminders } from './reminders.ts';
import type { AppointmentRecord } from './workspace.ts';

/** An inbox with the parts that appointments use. */
interface AppointmentsInbox extends InboxCore {
  readonly contacts: Contacts;
  readonly conversations: Conversations;
  readonly apiWebhooks: ApiWebhooks;
  readonly crmWebhook: CrmWebhook;
}

/** Values for fields that the request omits (assumption appointment-defaults). */
const defaults = { title: 'Appointment', kind: 'in_person', durationMinutes: 30, confirmed: false } as const;

/**
 * The appointments of one inbox (interface: States and transitions, Appointment). Changes apply at once; an API request
 * does not wait for the deliveries that follow: see {@link settled}.
 */
export class Appointments {
  readonly #inbox: AppointmentsInbox;
  readonly #reminders: Reminders;
  readonly #inFlight = new InFlight();

  constructor(inbox: AppointmentsInbox) {
    this.#inbox = inbox;
    this.#reminders = new Reminders(inbox, {
      remind: async (appointment, minutesBefore) => await this.#remind(appointment, minutesBefore),
      finish: async (appointment) => await this.#finish(appointment),
    });
  }

  /** Creates an appointment: proposed to the customer, or with `confirmed` true agreed by both sides already. */
  create(request: AppointmentRequest): AppointmentRecord {
    const { workspace, contacts, conversations, ids, clock } = this.#inbox;
    const start = startOf(request.start);
    const contact = contacts.forPhone(request.phone);
    const project = conversations.current(contact);
    const now = clock.now();
    const isConfirmed = request.confirmed ?? defaults.confirmed;
    const id = ids.integer();
    const appointment: AppointmentRecord = {
      id,
      externalId: request.externalId ?? '',
      metadata: structuredClone(request.metadata ?? {}),
      contactId: contact.id,
      projectId: project.id,
      title: request.title ?? defaults.title,
      start,
      durationMinutes: request.durationMinutes ?? defaults.durationMinutes,
      kind: request.kind ?? defaults.kind,
      status: isConfirmed ? 'confirmed' : 'proposed',
      customerConfirmedAt: isConfirmed ? now : null,
      businessConfirmedAt: now,
      cancelledAt: null,
      finishedAt: null,
      rescheduledCount: 0,
      createdAt: now,
      updatedAt: now,
      declinedOnce: false,
    };
    workspace.appointments.set(id, appointment);
    sendNotice(this.#inbox, { contact, project }, isConfirmed ? 'confirmation' : 'invitation', appointment);
    this.#inFlight.add(this.#changed(appointment, 'appointment.created'));
    return appointment;
  }

  /**
   * Moves an appointment, including a cancelled or finished one (assumption appointment-any-state). Without `confirmed`
   * true the customer has to confirm again. Does nothing when start and duration stay the same.
   * Throws {@link Problem} not_found.
   */
  change(id: number | undefined, change: AppointmentChange): AppointmentRecord {
    const appointment = this.get(id);
    const { start: oldStart, durationMinutes: oldDuration } = appointment;
    const start = change.start === undefined ? oldStart : startOf(change.start);
    const durationMinutes = change.durationMinutes ?? oldDuration;
    if (start === oldStart && durationMinutes === oldDuration) return appointment;
    const now = this.#inbox.clock.now();
    const wasAgreed = isAgreed(appointment);
    const isConfirmed = change.confirmed === true;
    Object.assign(appointment, {
      start,
      durationMinutes,
      status: isConfirmed ? 'confirmed' : 'proposed',
      customerConfirmedAt: isConfirmed ? (wasAgreed ? appointment.customerConfirmedAt : now) : null,
      businessConfirmedAt: isConfirmed && wasAgreed ? appointment.businessConfirmedAt : now,
      cancelledAt: null,
      finishedAt: null,
      rescheduledCount: appointment.rescheduledCount + 1,
      declinedOnce: false,
    } satisfies Partial<AppointmentRecord>);
    sendNotice(this.#inbox, this.#customer(appointment), isConfirmed ? 'moved' : 're-book', appointment, oldStart);
    this.#inFlight.add(this.#changed(appointment, 'appointment.rescheduled'));
    return appointment;
  }

  /**
   * Cancels an appointment in any state; `message` is sent after the notice as a separate message.
   * Throws {@link Problem} not_found.
   */
  cancel(id: number | undefined, { message }: AppointmentCancellation = {}): AppointmentRecord {
    const appointment = this.get(id);
    this.#cancelled(appointment);
    const customer = this.#customer(appointment);
    if (sendNotice(this.#inbox, customer, 'cancellation', appointment) && message)
      this.#inbox.conversations.deliverText(customer.project, message, { from: 'system' });
    this.#inFlight.add(this.#changed(appointment, 'appointment.cancelled'));
    return appointment;
  }

  /**
   * The customer accepts in the chat. Has no effect unless the appointment is proposed. Resolves when the resulting
   * deliveries have ended. Throws {@link Problem} not_found.
   */
  async accept(id: number): Promise<AppointmentRecord> {
    const appointment = this.get(id);
    const customer = this.#customer(appointment);
    tapButton(this.#inbox, customer, 'accept', appointment);
    if (appointment.status !== 'proposed') return appointment;
    appointment.status = 'confirmed';
    appointment.customerConfirmedAt = this.#inbox.clock.now();
    this.#inbox.conversations.notifyTeam(customer.project, `The customer has accepted “${appointment.title}”.`, 'push');
    await this.#changed(appointment, 'appointment.confirmed');
    return appointment;
  }

  /**
   * The customer declines in the chat: the first time the service asks again, the second time it cancels. Has no effect
   * unless the appointment is proposed. Resolves when the resulting deliveries have ended. Throws {@link Problem}
   * not_found.
   */
  async decline(id: number): Promise<AppointmentRecord> {
    const appointment = this.get(id);
    const customer = this.#customer(appointment);
    tapButton(this.#inbox, customer, 'decline', appointment);
    if (appointment.status !== 'proposed') return appointment;
    if (!appointment.declinedOnce) {
      appointment.declinedOnce = true;
      sendNotice(this.#inbox, customer, 'second-question', appointment);
      return appointment;
    }
    this.#cancelled(appointment);
    await this.#changed(appointment, 'appointment.cancelled');
    return appointment;
  }

  /** Throws {@link Problem} not_found. */
  get(id: number | undefined): AppointmentRecord {
    const appointment = id === undefined ? undefined : this.#inbox.workspace.appointments.get(id);
    if (!appointment) throw new Problem('not_found', 'There is no such appointment in this inbox.');
    return appointment;
  }

  /** An appointment as responses and events carry it now (interface: Appointment, API and webhook shape). */
  wire({ declinedOnce: _, start, ...rest }: AppointmentRecord): ApiAppointment {
    const at = (time: number | null) => (time === null ? null : timestamp(time));
    const { id, externalId, metadata, contactId, projectId, title, durationMinutes, kind, status } = rest;
    return {
      id,
      externalId,
      metadata: structuredClone(metadata),
      contactId,
      projectId,
      title,
      start: timestamp(start),
      startLocal: localTimestamp(start, this.#inbox.workspace.timeZone),
      durationMinutes,
      kind,
      status,
      customerConfirmedAt: at(rest.customerConfirmedAt),
      businessConfirmedAt: at(rest.businessConfirmedAt),
      cancelledAt: at(rest.cancelledAt),
      finishedAt: at(rest.finishedAt),
      rescheduledCount: rest.rescheduledCount,
      createdAt: timestamp(rest.createdAt),
      updatedAt: timestamp(rest.updatedAt),
    };
  }

  /** Resolves when no delivery of an appointment event is under way. */
  async settled(): Promise<void> {
    await this.#inFlight.settled();
  }

  #cancelled(appointment: AppointmentRecord): void {
    appointment.status = 'cancelled';
    appointment.cancelledAt = this.#inbox.clock.now();
  }

  async #remind(appointment: AppointmentRecord, minutesBefore: number): Promise<void> {
    const customer = this.#customer(appointment);
    if (!this.#inbox.workspace.hasOwnWhatsAppNumber) {
      const text = `no reminder for ${appointment.id}: the inbox has no own WhatsApp number`;
      this.#inbox.log('appointment', text, { appointmentId: appointment.id, minutesBefore }, customer.project);
      return;
    }
    if (sendNotice(this.#inbox, customer, 'reminder', appointment))
      await this.#emit(appointment, 'appointment.reminder_sent', { minutesBefore });
  }

  async #finish(appointment: AppointmentRecord): Promise<void> {
    appointment.finishedAt = this.#inbox.clock.now();
    await this.#changed(appointment, 'appointment.finished');
  }

  /** Reschedules reminders and end after a change, and notifies subscriptions and CRM. */
  async #changed(appointment: AppointmentRecord, type: ApiWebhookEvent['type']): Promise<void> {
    appointment.updatedAt = this.#inbox.clock.now();
    this.#reminders.follow(appointment);
    await this.#emit(appointment, type);
  }

  /** Notifies subscriptions and CRM of an appointment as it is now. Resolves when that has ended, successful or not. */
  async #emit(
    record: AppointmentRecord,
    type: ApiWebhookEvent['type'],
    more: Record<string, unknown> = {},
  ): Promise<void> {
    const { apiWebhooks, crmWebhook } = this.#inbox;
    const { contact, project } = this.#customer(record);
    const appointment = this.wire(record);
    const what = { eventType: type, appointmentId: record.id, appointment, ...more };
    this.#inbox.log('appointment', `${type}: ${record.id}, ${record.status}, at ${appointment.start}`, what, project);
    const sent = Promise.all([
      apiWebhooks.emit(type, appointment),
      crmWebhook.send(appointmentEvents[type].crm, { contact, project, appointment: appointment as Appointment }),
    ]);
    this.#inFlight.add(sent);
    await sent;
  }

  #customer({ contactId, projectId }: AppointmentRecord): NoticeRecipient {
    const { contacts, conversations } = this.#inbox;
    return { contact: contacts.get(contactId), project: conversations.get(projectId) };
  }
}

/**
 * The requested start in Unix milliseconds, cut to a whole second: fractions are not shown (assumption
 * timestamp-fraction).
 */
function startOf(text: string): number {
  const start = readIso8601(text);
  if (!start) throw new Problem('invalid_request', `start: expected a UTC time, received ${text}.`);
  return Math.floor(start.ms / 1000) * 1000;
}
