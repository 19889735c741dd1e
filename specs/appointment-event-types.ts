import type { ApiWebhookEvent, CrmEvent } from './generated/types.ts';

/** Each appointment event of the API webhooks: its name in CRM events and its meaning (interface: CRM webhook events). */
export const appointmentEvents = {
  'appointment.created': { crm: 'AppointmentCreated', tells: 'An appointment was made.' },
  'appointment.confirmed': { crm: 'AppointmentConfirmed', tells: 'The customer has accepted an appointment.' },
  'appointment.rescheduled': { crm: 'AppointmentRescheduled', tells: 'An appointment has a new time.' },
  'appointment.cancelled': { crm: 'AppointmentCancelled', tells: 'An appointment was cancelled, or declined twice.' },
  'appointment.finished': { crm: 'AppointmentFinished', tells: 'An appointment is over.' },
  'appointment.reminder_sent': {
    crm: 'AppointmentReminderSent',
    tells: 'The customer was reminded of an appointment.',
  },
} as const satisfies Record<ApiWebhookEvent['type'], { crm: CrmEvent['eventType']; tells: string }>;

/** All six, in the order of the interface. */
export const appointmentEventTypes = Object.keys(appointmentEvents) as readonly ApiWebhookEvent['type'][];
