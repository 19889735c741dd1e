import type { PermittedWindow } from '../specs/generated/types.ts';

/** Days of a week as Intl.DateTimeFormat abbreviates them, in lower case. */
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
type Weekday = (typeof weekdays)[number];

const minuteMs = 60_000;
/** Windows repeat every week; a change to or from summer time may move one by an hour. */
const searchedMinutes = (7 * 24 + 2) * 60;

/**
 * The first time from `from` on at which a window is open and remains open for `durationMs`, in milliseconds since 1970;
 * `undefined` if no window is long enough. Without windows it is `from`.
 */
export function opensAt(windows: readonly PermittedWindow[], from: number, durationMs: number): number | undefined {
  if (windows.length === 0) return from;
  const needed = Math.ceil(durationMs / minuteMs) + 1;
  const first = Math.floor(from / minuteMs);
  let open = 0;
  for (let minute = first; minute < first + searchedMinutes + needed; minute++) {
    open = isOpen(windows, minute * minuteMs) ? open + 1 : 0;
    if (open === needed) return Math.max(from, (minute - needed + 1) * minuteMs);
  }
  return undefined;
}

function isOpen(windows: readonly PermittedWindow[], at: number): boolean {
  return windows.some(({ days = weekdays, from, to, timeZone = 'UTC' }) => {
    const { day, minutes } = localTime(at, timeZone);
    const [begin, end] = [minutesOf(from), minutesOf(to)];
    const isAfter = minutes >= begin && days.includes(day);
    if (begin < end) return isAfter && minutes < end;
    // Over midnight: the window began on the day before.
    return isAfter || (minutes < end && days.includes(weekdays[(weekdays.indexOf(day) + 6) % 7] ?? day));
  });
}

const formats = new Map<string, Intl.DateTimeFormat>();

function localTime(at: number, timeZone: string): { day: Weekday; minutes: number } {
  let format = formats.get(timeZone);
  if (!format) {
    const parts = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    formats.set(timeZone, (format = new Intl.DateTimeFormat('en-US', { ...parts, timeZone })));
  }
  // `Mon 22:05`
  const [day = '', time = ''] = format.format(at).toLowerCase().split(' ');
  return { day: day.replace(',', '') as Weekday, minutes: minutesOf(time) };
}

/** Minutes since midnight of `22:05`. */
function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
