import { limits } from '../specs/limits.ts';
import type { Scheduled } from './clock.ts';
import type { InboxCore } from './inbox-core.ts';
import type { AppointmentRecord } from './workspace.ts';

const minuteMs = 60_000;

/** What is due in the life of an appointment. Each resolves when what it sends has ended, however it did. */
export interface Dues {
  remind: (appointment: AppointmentRecord, minutesBefore: number) => Promise<void>;
  finish: (appointment: AppointmentRecord) => Promise<void>;
}

/** The reminders of appointments and their end, on the service's clock (interface: Appointment, Limits). */
export class Reminders {
  readonly #inbox: InboxCore;
  readonly #dues: Dues;
  readonly #scheduled = new Map<number, Scheduled[]>();

  constructor(inbox: InboxCore, dues: Dues) {
    this.#inbox = inbox;
    this.#dues = dues;
  }

  /**
   * Schedules what is due for an appointment as it is now, and takes back what was due for it before. Only what both
   * sides have confirmed is reminded of, and finished (assumption appointment-finished-trigger). A reminder whose time
   * is past is omitted; an end that is past comes at once.
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

/** Whether an appointment stands, confirmed by both sides and not over. */
export function isAgreed(appointment: AppointmentRecord): boolean {
  const { status, customerConfirmedAt, businessConfirmedAt, finishedAt } = appointment;
  return status === 'confirmed' && customerConfirmedAt !== null && businessConfirmedAt !== null && finishedAt === null;
}
