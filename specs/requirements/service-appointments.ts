import type { ServiceStatement } from './requirement.ts';

/** What the service does with appointments and with the subscriptions to their events. */
export const serviceAppointments = {
  'service/appointment-is-created': {
    section: 'API v1',
    statement: 'An appointment is answered 201 with all eighteen members.',
    awaits: 'the simulated service',
  },
  'service/appointment-takes-in-person': {
    section: 'Appointment (API and webhook shape)',
    statement: 'An appointment can be of the kind in_person, and keeps it.',
    awaits: 'the simulated service',
  },
  'service/appointment-unconfirmed-is-proposed': {
    section: 'Appointment',
    statement: 'An appointment made with confirmed false is proposed, and the customer has not confirmed it.',
    awaits: 'the simulated service',
  },
  'service/appointment-proposed-invites': {
    section: 'Appointment',
    statement: 'For a proposed appointment the customer gets an invitation with buttons to accept and to decline.',
    awaits: 'the simulated service',
  },
  'service/appointment-invites-by-template': {
    section: 'Appointment',
    statement: 'The invitation goes out as an approved template when the WhatsApp window is closed.',
    awaits: 'the simulated service',
  },
  'service/appointment-confirmed-is-agreed': {
    section: 'Appointment',
    statement: 'An appointment made with confirmed true is confirmed by both sides at once.',
    awaits: 'the simulated service',
  },
  'service/appointment-confirmed-tells-the-customer': {
    section: 'Appointment',
    statement:
      'For an appointment made with confirmed true the customer gets a confirmation with buttons to manage and to save it.',
    awaits: 'the simulated service',
  },
  'service/appointment-creation-is-told': {
    section: 'Appointment',
    statement: 'Every new appointment emits appointment.created.',
    awaits: 'the simulated service',
  },
  'service/appointment-confirmed-is-told-once': {
    section: 'Appointment',
    statement: 'An appointment made with confirmed true emits appointment.created and never appointment.confirmed.',
    awaits: 'the simulated service',
  },
  'service/appointment-accepted-is-confirmed': {
    section: 'Appointment',
    statement:
      'A customer who accepts in the chat makes a proposed appointment confirmed; appointment.confirmed is emitted.',
    awaits: 'the simulated service',
  },
  'service/appointment-accepted-pushes-to-the-team': {
    section: 'Appointment',
    statement: 'The team gets a push when the customer has accepted.',
    awaits: 'the simulated service',
  },
  'service/appointment-first-decline-asks-again': {
    section: 'Appointment',
    statement:
      'After the first decline the appointment stays proposed, nothing is emitted, and the customer is asked once more.',
    awaits: 'the simulated service',
  },
  'service/appointment-second-decline-cancels': {
    section: 'Appointment',
    statement: 'A customer who declines again cancels the appointment; appointment.cancelled is emitted.',
    awaits: 'the simulated service',
  },
  'service/appointment-moved-must-be-confirmed': {
    section: 'Appointment',
    statement:
      'A new time without confirmed true takes the confirmation back, and the customer gets a notice to book again; appointment.rescheduled is emitted.',
    awaits: 'the simulated service',
  },
  'service/appointment-moved-by-agreement': {
    section: 'Appointment',
    statement:
      'A new time with confirmed true leaves the appointment agreed, and the customer gets a notice with the old and the new time; appointment.rescheduled is emitted.',
    awaits: 'the simulated service',
  },
  'service/appointment-deleted-is-cancelled': {
    section: 'Appointment',
    statement: 'DELETE cancels the appointment and the customer gets a notice of it; appointment.cancelled is emitted.',
    awaits: 'the simulated service',
  },
  'service/appointment-farewell-follows': {
    section: 'API v1',
    statement:
      'A message that goes with a cancellation reaches the customer as one of its own, right after the notice.',
    awaits: 'the simulated service',
  },
  'service/appointment-reminds-twice': {
    section: 'Limits',
    statement: 'Reminders go out 24 hours and 30 minutes before an appointment.',
    awaits: 'the simulated service',
  },
  'service/appointment-reminders-are-told': {
    section: 'Appointment',
    statement: 'Each reminder emits appointment.reminder_sent and leaves the appointment as it is.',
    awaits: 'the simulated service',
  },
  'service/appointment-reminds-when-both-agreed': {
    section: 'Appointment',
    statement: 'Only an appointment that both sides have confirmed is reminded of.',
    awaits: 'the simulated service',
  },
  'service/appointment-reminds-from-an-own-number': {
    section: 'Appointment',
    statement: 'An inbox without a WhatsApp number of its own sends no reminders.',
    awaits: 'the simulated service',
  },
  'service/appointment-finished-is-told': {
    section: 'API webhook events',
    statement: 'An appointment that is over emits appointment.finished and has finishedAt.',
    awaits: 'the simulated service',
  },
  'service/appointment-tells-the-crm': {
    section: 'CRM webhook events',
    statement:
      'Each of the six things that happen to appointments goes to the CRM webhook too, as its own eventType with appointmentData.',
    awaits: 'the simulated service',
  },
  'service/appointment-of-another-inbox-is-404': {
    section: 'Authentication',
    statement: 'Changing or cancelling an appointment that the inbox does not have is refused.',
    awaits: 'the simulated service',
  },
  'service/webhook-subscription-is-created': {
    section: 'API v1',
    statement:
      'A subscription to an https address with event types and a description is answered 201 with the subscription and its secret.',
    awaits: 'the simulated service',
  },
  'service/webhook-secret-is-told-once': {
    section: 'Authentication',
    statement: 'The secret of a subscription is told when it is created and never again.',
    awaits: 'the simulated service',
  },
  'service/webhook-address-is-https': {
    section: 'API v1',
    statement: 'A subscription to an address that is not https is refused.',
    awaits: 'the simulated service',
  },
  'service/webhook-delivers-what-was-subscribed': {
    section: 'API webhook events',
    statement: 'A subscription gets the events that it names, and no others.',
    awaits: 'the simulated service',
  },
  'service/webhook-signs-with-the-subscription-secret': {
    section: 'Authentication',
    statement: 'Deliveries to a subscription are signed with the secret of this subscription.',
    awaits: 'the simulated service',
  },
  'service/webhook-data-is-the-appointment': {
    section: 'API webhook events',
    statement: 'A delivery has as its data the appointment as it is after what happened.',
    awaits: 'the simulated service',
  },
} as const satisfies Record<`service/${string}`, ServiceStatement>;
