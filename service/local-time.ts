import { timestamp } from './clock.ts';

const offsets = new Map<string, Intl.DateTimeFormat>();

/**
 * Milliseconds by which the local time of a zone is ahead of UTC at one moment, daylight saving included.
 *
 * @param timeZone IANA name
 */
function aheadOfUtc(at: number, timeZone: string): number {
  let format = offsets.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    offsets.set(timeZone, format);
  }
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // GMT, GMT+02:00, or with seconds for the local mean times of long ago
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(name) ?? [];
  const ahead = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ahead : ahead;
}

/**
 * A moment as the clocks of a zone show it, without a zone suffix (interface: Appointment, startLocal).
 *
 * @param timeZone IANA name; throws RangeError for another text
 */
export function localTimestamp(at: number, timeZone: string): string {
  return timestamp(at + aheadOfUtc(at, timeZone));
}
