import { limits } from '../specs/limits.ts';
import type { Scheduled } from './clock.ts';
import type { InboxCore } from './inbox-core.ts';
import type { AppointmentRecord } from './workspace.ts';

const minuteMs = 60_000;

/** Callbacks for the due times of an appointment. Each resolves when its deliveries have ended, successful or not. */
export interface DueCallbacks {
  remind: (appointment: AppointmentRecord, minutesBefore: number) => Promise<void>;
  finish: (appointment: AppointmentRecord) => Promise<void>;
}

/** The reminders of appointments and their end, on the service's clock (interface: Appointment, Limits). */
export class Reminders {
  readonly #inbox: InboxCore;
  readonly #dues: DueCallbacks;
  readonly #scheduled = new Map<number, Scheduled[]>();

  constructor(inbox: InboxCore, dues: DueCallbacks) {
    this.#inbox = inbox;
    this.#dues = dues;
  }

  /**
   * Schedules the due times of an appointment as it is now, and cancels earlier ones. Only an appointment that both
   * sides have confirmed gets reminders and an end (assumption appointment-finished-trigger). A past reminder is
   * omitted; a past end fires at once.
   */
  follow(appointment: AppointmentRecord): void {
    const { clock, workspace } = this.#inbox;
    for (const due of this.#scheduled.get(appointment.id) ?? []) due.cancel();
    this.#scheduled.delete(appointment.id);
    if (!isAgreed(appointment)) return;
    const { start, durationMinutes } = appointment;
    const reminders = new Set(workspace.reminderMinutesBefore ?? limits.reminderMinutesBefore);
    const ahead = [...reminders].filter((minutes) => start - minutes * minuteMs >= clock.now());
    this.#scheduled.set(appointment.id, [
      ...ahead.map((minutes) =>
        clock.schedule(start - minutes * minuteMs, () => this.#dues.remind(appointment, minutes)),
      ),
      clock.schedule(start + durationMinutes * minuteMs, () => {
        this.#scheduled.delete(appointment.id);
        return this.#dues.finish(appointment);
      }),
    ]);
  }
}

/** Whether an appointment is confirmed by both sides and not over. */
export function isAgreed(appointment: AppointmentRecord): boolean {
  const { status, customerConfirmedAt, businessConfirmedAt, finishedAt } = appointment;
  return status === 'confirmed' && customerConfirmedAt !== null && businessConfirmedAt !== null && finishedAt === null;
}
