import { numberOfRequest } from './deep-link.ts';
import { readIso8601 } from './iso-8601.ts';

/**
 * The forms of dates and times. `svc-utc-timestamp` and `svc-local-timestamp` are what we send, in whole seconds
 * (assumption timestamp-fraction). `svc-timestamp` is the generous one, for what we receive and the interface does not
 * show in detail: with or without a zone, `T` or a space, seconds and their fraction optional. Requests to API v1 use
 * `svc-request-time`, a date or time in any form of ISO 8601, and `svc-request-utc`, a time in UTC (`Z`, a zero offset
 * or no zone); `svc-phone` is a phone number in international form, in any usual notation. The simulated API and the
 * rules about clients both read these three.
 */
export type FormatName =
  | 'date'
  | 'date-time'
  | 'svc-utc-timestamp'
  | 'svc-local-timestamp'
  | 'svc-timestamp'
  | 'svc-request-time'
  | 'svc-request-utc'
  | 'svc-phone';

const day = String.raw`\d{4}-\d{2}-\d{2}`;
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d`;

const patterns = {
  date: new RegExp(`^${day}$`),
  zoned: new RegExp(String.raw`^${day}T${time}(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$`, 'i'),
  zoneless: new RegExp(`^${day}T${time}$`),
  generous: new RegExp(
    String.raw`^${day}[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$`,
    'i',
  ),
};

/** Days that every month has. */
const daysOfEveryMonth = 28;

/** A pattern that begins with a day, and that day exists. */
function onTheCalendar(pattern: RegExp): (text: string) => boolean {
  return (text) => {
    if (!pattern.test(text)) return false;
    const [month, date] = [Number(text.slice(5, 7)), Number(text.slice(8, 10))];
    if (month < 1 || month > 12 || date < 1) return false;
    if (date <= daysOfEveryMonth) return true;
    const utc = new Date(0);
    utc.setUTCFullYear(Number(text.slice(0, 4)), month - 1, date);
    // A day that the month does not have ends up in another month.
    return utc.getUTCMonth() === month - 1;
  };
}

/** Tests of each format, by form and by calendar. Sections: Appointment, Chat history turn. */
export const formats: Readonly<Record<FormatName, (text: string) => boolean>> = {
  date: onTheCalendar(patterns.date),
  'date-time': onTheCalendar(patterns.zoned),
  'svc-utc-timestamp': onTheCalendar(patterns.zoneless),
  'svc-local-timestamp': onTheCalendar(patterns.zoneless),
  'svc-timestamp': onTheCalendar(patterns.generous),
  'svc-request-time': (text) => readIso8601(text) !== undefined,
  'svc-request-utc': (text) => {
    const time = readIso8601(text);
    return time?.hasTime === true && time.zone !== 'other';
  },
  'svc-phone': (text) => numberOfRequest(text) !== undefined,
};

/** Description of each format, to be read after "expected". */
export const formatDescriptions: Readonly<Record<FormatName, string>> = {
  date: 'a date like 2026-10-11',
  'date-time': 'a timestamp with a zone like 2026-10-11T09:30:00Z',
  'svc-utc-timestamp': 'a UTC timestamp without a zone like 2026-10-11T09:30:00',
  'svc-local-timestamp': 'a local timestamp without a zone like 2026-10-11T11:30:00',
  'svc-timestamp': 'a timestamp like 2026-10-11T09:30:00',
  'svc-request-time': 'an ISO 8601 date or timestamp like 2026-10-11T09:30:00Z',
  'svc-request-utc': 'a UTC timestamp like 2026-10-11T09:30:00Z',
  'svc-phone': 'a phone number in international form like "+4930901820"',
};
