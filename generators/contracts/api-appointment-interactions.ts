import { schemas } from '../../specs/schemas.ts';
import type { ApiInteractionPlan } from './api-interaction.ts';
import type { JsonFields } from '../../specs/json-value.ts';

const appointmentId = 61;
const phone = '+4930901820';
const start = '2026-12-01T09:00:00Z';
const moved = '2026-12-02T09:00:00Z';

const proposed = schemas.apiAppointment.examples?.[0] as JsonFields;
const plain = { ...proposed, externalId: '', metadata: {} };
const agreed = {
  ...proposed,
  status: 'confirmed',
  customerConfirmedAt: '2026-10-11T09:30:00',
  businessConfirmedAt: '2026-10-11T09:30:00',
};
const cancelled = { ...proposed, status: 'cancelled', cancelledAt: '2026-10-11T09:30:00' };
const rescheduled = { start: '2026-12-02T09:00:00', startLocal: '2026-12-02T10:00:00', rescheduledCount: 1 };

const returned = ['appointment-change-request'] as const;
const ids = ['id', 'contactId', 'projectId'];

/** Appointments (interface: API v1; States and transitions, Appointment). */
export const apiAppointmentInteractions = {
  'create-appointment/proposed': {
    operation: 'createAppointment',
    does: 'an appointment is proposed to the customer',
    requirement: 'service/appointment-unconfirmed-is-proposed',
    body: {
      phone,
      start,
      durationMinutes: 30,
      title: 'Consultation',
      kind: 'in_person',
      confirmed: false,
      externalId: 'cal-4711',
      metadata: { source: 'website' },
    },
    exact: ['/confirmed', '/kind'],
    answer: { status: 201, body: proposed, exact: ['/status'], hides: ['businessConfirmedAt'] },
    notShown: ['appointment-timestamp-form'],
  },
  'create-appointment/confirmed': {
    operation: 'createAppointment',
    does: 'an appointment is made that both sides have agreed on',
    requirement: 'service/appointment-confirmed-is-agreed',
    body: { phone, start, durationMinutes: 30, title: 'Consultation', kind: 'in_person', confirmed: true },
    exact: ['/confirmed', '/kind'],
    answer: { status: 201, body: agreed, exact: ['/status'], shows: shownWithout(agreed, 'externalId', 'metadata') },
    notShown: ['api-required-members', 'appointment-timestamp-form'],
  },
  'create-appointment/phone-and-start-alone': {
    operation: 'createAppointment',
    does: 'an appointment is made with customer and time alone',
    requirement: 'service/appointment-is-created',
    body: { phone, start },
    answer: { status: 201, body: plain, shows: [...ids, 'start', 'startLocal', 'createdAt', 'updatedAt'] },
    notShown: ['api-required-members', 'appointment-defaults', 'appointment-timestamp-form'],
  },
  'create-appointment/without-start': {
    operation: 'createAppointment',
    does: 'an appointment without a time is refused',
    requirement: 'service/appointment-is-created',
    body: { phone, durationMinutes: 30, title: 'Consultation', kind: 'in_person', confirmed: false },
    broken: true,
    answer: { problem: 'invalid_request' },
    notShown: ['error-codes', 'api-required-members'],
  },
  'change-appointment/must-be-confirmed-again': {
    operation: 'changeAppointment',
    does: 'an appointment is moved, and the customer must confirm again',
    requirement: 'service/appointment-moved-must-be-confirmed',
    states: [{ name: 'an appointment is confirmed', params: { appointmentId, phone } }],
    parameters: { id: appointmentId },
    body: { start: moved, confirmed: false },
    exact: ['/confirmed'],
    answer: { status: 200, body: { ...proposed, ...rescheduled }, shows: [...ids, 'start', 'rescheduledCount'] },
    notShown: returned,
  },
  'change-appointment/moved-by-agreement': {
    operation: 'changeAppointment',
    does: 'an appointment is moved to a time that is agreed already',
    requirement: 'service/appointment-moved-by-agreement',
    states: [{ name: 'an appointment is confirmed', params: { appointmentId, phone } }],
    parameters: { id: appointmentId },
    body: { start: moved, confirmed: true },
    exact: ['/confirmed'],
    answer: { status: 200, body: { ...agreed, ...rescheduled }, shows: [...ids, 'start', 'rescheduledCount'] },
    notShown: returned,
  },
  'change-appointment/unknown': {
    operation: 'changeAppointment',
    does: 'the change of an appointment that the inbox does not have is refused',
    requirement: 'service/appointment-of-another-inbox-is-404',
    states: [{ name: 'no such appointment', params: { appointmentId } }],
    parameters: { id: appointmentId },
    body: { start: moved, confirmed: false },
    answer: { problem: 'not_found' },
    notShown: ['not-found-code'],
  },
  'cancel-appointment/cancelled': {
    operation: 'cancelAppointment',
    does: 'an appointment is cancelled',
    requirement: 'service/appointment-deleted-is-cancelled',
    states: [{ name: 'an appointment is confirmed', params: { appointmentId, phone } }],
    parameters: { id: appointmentId },
    answer: { status: 200, body: cancelled, exact: ['/status'], shows: [...ids, 'status', 'cancelledAt'] },
    notShown: returned,
  },
  'cancel-appointment/with-message': {
    operation: 'cancelAppointment',
    does: 'an appointment is cancelled with a message to the customer',
    requirement: 'service/appointment-farewell-follows',
    states: [{ name: 'an appointment is proposed', params: { appointmentId, phone } }],
    parameters: { id: appointmentId },
    body: { message: 'We are sorry; please choose another day.' },
    answer: { status: 200, body: cancelled, exact: ['/status'], shows: [...ids, 'status', 'cancelledAt'] },
    notShown: [...returned, 'appointment-cancellation-message'],
  },
  'cancel-appointment/unknown': {
    operation: 'cancelAppointment',
    does: 'the cancellation of an appointment that the inbox does not have is refused',
    requirement: 'service/appointment-of-another-inbox-is-404',
    states: [{ name: 'no such appointment', params: { appointmentId } }],
    parameters: { id: appointmentId },
    answer: { problem: 'not_found' },
    notShown: ['not-found-code'],
  },
} as const satisfies Readonly<Record<string, ApiInteractionPlan>>;

/** Fields of an answer, except those that are returned only if they were sent. */
function shownWithout(fields: JsonFields, ...names: readonly string[]): string[] {
  return Object.keys(fields).filter((name) => !names.includes(name));
}
