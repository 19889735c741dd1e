import type { ServiceStatement } from './requirement.ts';

/** Behaviour of the service with appointments and with the subscriptions to their events. */
export const serviceAppointments = {
  'service/appointment-is-created': {
    section: 'API v1',
    statement: 'An appointment is answered 201 with all eighteen fields.',
  },
  'service/appointment-takes-in-person': {
    section: 'Appointment (API and webhook shape)',
    statement: 'An appointment can be of the kind in_person, and keeps it.',
  },
  'service/appointment-unconfirmed-is-proposed': {
    section: 'Appointment',
    statement: 'An appointment made with confirmed false is proposed, and the customer has not confirmed it.',
  },
  'service/appointment-proposed-invites': {
    section: 'Appointment',
    statement: 'For a proposed appointment the customer gets an invitation with buttons to accept and to decline.',
  },
  'service/appointment-invites-by-template': {
    section: 'Appointment',
    statement: 'The invitation goes out as an approved template when the WhatsApp window is closed.',
  },
  'service/appointment-confirmed-is-agreed': {
    section: 'Appointment',
    statement: 'An appointment made with confirmed true is confirmed by both sides at once.',
  },
  'service/appointment-confirmed-tells-the-customer': {
    section: 'Appointment',
    statement:
      'For an appointment made with confirmed true the customer gets a confirmation with buttons to manage and to save it.',
  },
  'service/appointment-creation-is-reported': {
    section: 'Appointment',
    statement: 'Every new appointment emits appointment.created.',
  },
  'service/appointment-confirmed-is-reported-once': {
    section: 'Appointment',
    statement: 'An appointment made with confirmed true emits appointment.created and never appointment.confirmed.',
  },
  'service/appointment-accepted-is-confirmed': {
    section: 'Appointment',
    statement:
      'A customer who accepts in the chat makes a proposed appointment confirmed; appointment.confirmed is emitted.',
  },
  'service/appointment-accepted-pushes-to-the-team': {
    section: 'Appointment',
    statement: 'The team gets a push when the customer has accepted.',
  },
  'service/appointment-first-decline-asks-again': {
    section: 'Appointment',
    statement:
      'After the first decline the appointment stays proposed, nothing is emitted, and the customer is asked once more.',
  },
  'service/appointment-second-decline-cancels': {
    section: 'Appointment',
    statement: 'A customer who declines again cancels the appointment; appointment.cancelled is emitted.',
  },
  'service/appointment-moved-must-be-confirmed': {
    section: 'Appointment',
    statement:
      'A new time without confirmed true takes the confirmation back, and the customer gets a notice to book again; appointment.rescheduled is emitted.',
  },
  'service/appointment-moved-by-agreement': {
    section: 'Appointment',
    statement:
      'A new time with confirmed true leaves the appointment agreed, and the customer gets a notice with the old and the new time; appointment.rescheduled is emitted.',
  },
  'service/appointment-deleted-is-cancelled': {
    section: 'Appointment',
    statement:
      'DELETE cancels the appointment in any state, also a cancelled one, and the customer gets a notice of it; appointment.cancelled is emitted.',
  },
  'service/appointment-farewell-follows': {
    section: 'API v1',
    statement:
      'A message that goes with a cancellation reaches the customer as a separate message, right after the notice.',
  },
  'service/appointment-reminds-twice': {
    section: 'Limits',
    statement: 'Reminders go out 24 hours and 30 minutes before an appointment.',
  },
  'service/appointment-reminders-are-reported': {
    section: 'Appointment',
    statement: 'Each reminder emits appointment.reminder_sent and leaves the appointment unchanged.',
  },
  'service/appointment-reminds-when-both-agreed': {
    section: 'Appointment',
    statement: 'Reminders go out only for an appointment that both sides have confirmed.',
  },
  'service/appointment-reminds-from-an-own-number': {
    section: 'Appointment',
    statement: 'An inbox without its own WhatsApp number sends no reminders.',
  },
  'service/appointment-finished-is-reported': {
    section: 'API webhook events',
    statement: 'An appointment that is over emits appointment.finished and has finishedAt.',
  },
  'service/appointment-tells-the-crm': {
    section: 'CRM webhook events',
    statement:
      'Each of the six appointment events goes to the CRM webhook too, with its own eventType and appointmentData.',
  },
  'service/appointment-of-another-inbox-is-404': {
    section: 'Authentication',
    statement: 'Changing or cancelling an appointment that the inbox does not have is refused.',
  },
  'service/webhook-subscription-is-created': {
    section: 'API v1',
    statement:
      'A subscription to an https address with event types and a description is answered 201 with the subscription and its secret.',
  },
  'service/webhook-secret-is-shown-once': {
    section: 'Authentication',
    statement: 'The secret of a subscription is shown when it is created and never again.',
  },
  'service/webhook-address-is-https': {
    section: 'API v1',
    statement: 'A subscription to an address that is not https is refused.',
  },
  'service/webhook-delivers-what-was-subscribed': {
    section: 'API webhook events',
    statement: 'A subscription gets the events that it names, and no others.',
  },
  'service/webhook-signs-with-the-subscription-secret': {
    section: 'Authentication',
    statement: 'Deliveries to a subscription are signed with the secret of this subscription.',
  },
  'service/webhook-data-is-the-appointment': {
    section: 'API webhook events',
    statement: 'A delivery has as its data the appointment in its state after the event.',
  },
} as const satisfies Record<`service/${string}`, ServiceStatement>;
