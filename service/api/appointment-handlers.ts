import type { AppointmentCancellation, AppointmentChange, AppointmentRequest } from '../../specs/generated/types.ts';
import { idOf, type ApiHandlers } from './handler.ts';

/** Handlers of the operations on appointments (interface: API v1). */
export const appointmentHandlers = {
  createAppointment: ({ inbox: { appointments }, body }) => ({
    status: 201,
    body: appointments.wire(appointments.create(body as AppointmentRequest)),
  }),
  changeAppointment: (call) => {
    const { appointments } = call.inbox;
    return { status: 200, body: appointments.wire(appointments.change(idOf(call), call.body as AppointmentChange)) };
  },
  cancelAppointment: (call) => {
    const { appointments } = call.inbox;
    const cancellation = (call.body ?? {}) as AppointmentCancellation;
    return { status: 200, body: appointments.wire(appointments.cancel(idOf(call), cancellation)) };
  },
} satisfies Partial<ApiHandlers>;
