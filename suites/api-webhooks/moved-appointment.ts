import type { CheckKit } from '../../harness/checks/check.ts';
import { utcTimestamp } from '../../harness/checks/samples.ts';
import type { Appointment } from '../../specs/generated/types.ts';

/** The event of an appointment that was moved. */
export const moved = 'appointment.rescheduled';

const dayMs = 86_400_000;

/** The appointment after it was moved this many times, each time by a day. */
export function movedAppointment({ sample }: CheckKit, appointment: Appointment, times: number): Appointment {
  const { start, startLocal: _, ...unchanged } = appointment;
  const later = Date.parse(`${start}Z`) + times * dayMs;
  return sample.appointment({ ...unchanged, start: utcTimestamp(later), rescheduledCount: times });
}

/** Forms in which a system may show the start of an appointment, without seconds. */
export function startsOf({ start, startLocal }: Appointment): string[] {
  const minutes = [start, startLocal].map((timestamp) => timestamp.slice(0, 'YYYY-MM-DDThh:mm'.length));
  return minutes.flatMap((timestamp) => [timestamp, timestamp.replace('T', ' ')]);
}
