/**
 * The forms of ISO 8601 that requests to API v1 may have, as regular expressions that every engine reads: no flags, no
 * lookaround, no back references. Extended and basic form; a date by month, by week with its day, or by day of the
 * year. Minutes, seconds, the fraction of the last part and the zone may be missing, and many formatters mix both forms.
 */
const date =
  '([0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{8}|[0-9]{4}-[Ww][0-9]{2}-[1-7]|[0-9]{4}[Ww][0-9]{2}[1-7]|[0-9]{4}-?[0-9]{3})';
const clock = '(([01][0-9]|2[0-3])(:?[0-5][0-9](:?([0-5][0-9]|60))?)?([.,][0-9]+)?|24(:?00){0,2})';

export const iso8601Patterns = {
  /** A date, with or without a time in any zone. */
  any: `^${date}([Tt]${clock}([Zz]|[+-]([01][0-9]|2[0-3])(:?[0-5][0-9])?)?)?$`,
  /** A date with a time in UTC: `Z`, a zero offset or no zone. */
  utc: `^${date}[Tt]${clock}([Zz]|[+-]00(:?00)?)?$`,
} as const;

const any = new RegExp(iso8601Patterns.any);
const parts = {
  calendar: /^(\d{4})-?(\d\d)-?(\d\d)$/,
  week: /^(\d{4})-?W(\d\d)-?(\d)$/i,
  ordinal: /^(\d{4})-?(\d{3})$/,
  clock: /^(\d\d)(?::?(\d\d)(?::?(\d\d))?)?(?:[.,](\d+))?$/,
  zone: /(?:Z|([+-])(\d\d):?(\d\d)?)$/i,
};
const [dayMs, hourMs, minuteMs] = [86_400_000, 3_600_000, 60_000];

/** A date or a time of ISO 8601. */
export interface Iso8601Time {
  /** Unix milliseconds; without a zone it is read as UTC, and a date alone is its beginning. */
  ms: number;
  hasTime: boolean;
  /** UTC is `Z` or a zero offset. */
  zone: 'utc' | 'other' | 'none';
}

/** Reads a date or a time of ISO 8601, by form and by calendar. `undefined` for any other text. */
export function readIso8601(text: string): Iso8601Time | undefined {
  if (!any.test(text)) return undefined;
  const at = text.search(/T/i);
  const day = dayOf(at < 0 ? text : text.slice(0, at));
  if (day === undefined) return undefined;
  if (at < 0) return { ms: day, hasTime: false, zone: 'none' };
  const time = text.slice(at + 1);
  const [written, sign, hours, minutes = '0'] = parts.zone.exec(time) ?? [];
  const ahead = hours === undefined ? 0 : Number(hours) * hourMs + Number(minutes) * minuteMs;
  const ms = day + clockOf(time.slice(0, time.length - (written?.length ?? 0))) - (sign === '-' ? -ahead : ahead);
  return { ms, hasTime: true, zone: written === undefined ? 'none' : ahead === 0 ? 'utc' : 'other' };
}

/** Milliseconds since the beginning of the day. The fraction is of the last part that is there. */
function clockOf(text: string): number {
  const [, hour, minute, second, fraction = '0'] = parts.clock.exec(text) ?? [];
  const unit = second !== undefined ? 1000 : minute !== undefined ? minuteMs : hourMs;
  const whole = Number(hour) * hourMs + Number(minute ?? 0) * minuteMs + Number(second ?? 0) * 1000;
  return Math.floor(whole + Number(`0.${fraction}`) * unit);
}

/** The beginning of a day of the calendar in UTC, Unix milliseconds. */
function dayOf(text: string): number | undefined {
  const [, weekYear, week, weekday] = parts.week.exec(text) ?? [];
  if (weekYear !== undefined) {
    if (Number(week) < 1 || Number(week) > 53) return undefined;
    // The fourth of January is in the first week, whose days count from Monday.
    const fourth = utc(Number(weekYear), 0, 4);
    const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs;
    return monday + ((Number(week) - 1) * 7 + Number(weekday) - 1) * dayMs;
  }
  const [, ordinalYear, ordinal] = parts.ordinal.exec(text) ?? [];
  if (ordinalYear !== undefined) {
    const day = utc(Number(ordinalYear), 0, Number(ordinal));
    return new Date(day).getUTCFullYear() === Number(ordinalYear) && Number(ordinal) > 0 ? day : undefined;
  }
  const [, year, month, date] = parts.calendar.exec(text) ?? [];
  const day = utc(Number(year), Number(month) - 1, Number(date));
  // A day that the month does not have ends up in another month.
  return new Date(day).getUTCMonth() === Number(month) - 1 && Number(date) > 0 ? day : undefined;
}

/** Date.UTC would take the years 0 to 99 for those of the last century. */
function utc(year: number, month: number, date: number): number {
  return new Date(0).setUTCFullYear(year, month, date);
}
