import { timestamp } from './clock.ts';

const offsets = new Map<string, Intl.DateTimeFormat>();

/**
 * Offset of a zone's local time from UTC at one moment in milliseconds, daylight saving included.
 *
 * @param timeZone IANA name
 */
function aheadOfUtc(at: number, timeZone: string): number {
  let format = offsets.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    offsets.set(timeZone, format);
  }
  // Ends with GMT, GMT+02:00, or with seconds for the local mean times of long ago; its parts take twice the time.
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(format.format(at)) ?? [];
  const ahead = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ahead : ahead;
}

/**
 * A moment in the local time of a zone, without a zone suffix (interface: Appointment, startLocal).
 *
 * @param timeZone IANA name; throws RangeError for anything else
 */
export function localTimestamp(at: number, timeZone: string): string {
  return timestamp(at + aheadOfUtc(at, timeZone));
}
