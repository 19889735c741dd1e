const time =
  '(?:([01]\\d|2[0-3])(?::?[0-5]\\d(?::?(?:[0-5]\\d|60))?)?(?:[.,]\\d+)?|24(?::?00){0,2})(?:Z|[+-]\\d\\d(?::?[0-5]\\d)?)?';
const atTime = new RegExp(`^${time}$`, 'i');
/** Extended form and basic form of a date: by month, by week with its day, by day of the year. */
const calendarDate = /^(\d{4})(-?)(\d\d)\2(\d\d)$/;
const weekDate = /^(\d{4})(-?)W(\d\d)\2([1-7])$/i;
const ordinalDate = /^(\d{4})-?(\d{3})$/;

/**
 * Whether a text is date and time of ISO 8601, by form and by calendar: extended (2026-10-11T08:30:00Z) or basic
 * (20261011T083000Z). Minutes, seconds, their fraction and the zone may be missing, and many formatters mix both forms.
 */
export function isIso8601(text: string): boolean {
  const [date = '', clock, ...more] = text.split(/T/i);
  return clock !== undefined && more.length === 0 && isIso8601Date(date) && atTime.test(clock);
}

/** Whether a text is a day of ISO 8601 without a time. */
export function isIso8601Date(text: string): boolean {
  const calendar = calendarDate.exec(text);
  if (calendar) {
    const [, year, , month, day] = calendar;
    const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
    // A day that the month does not have ends up in another month.
    return date.getUTCMonth() === Number(month) - 1 && Number(day) > 0;
  }
  const week = Number(weekDate.exec(text)?.[3]);
  if (week >= 1 && week <= 53) return true;
  const [, year, day] = ordinalDate.exec(text) ?? [];
  return day !== undefined && Number(day) >= 1 && Number(day) <= daysOf(Number(year));
}

/** The zone of such a text: UTC (`Z` or a zero offset), another offset, or none. */
export function zoneOf(text: string): 'utc' | 'other' | 'none' {
  const zone = /(Z|[+-]\d\d(?::?\d\d)?)$/i.exec(text.slice(text.search(/T/i)))?.[0];
  if (zone === undefined) return 'none';
  return /^(Z|[+-]00(:?00)?)$/i.test(zone) ? 'utc' : 'other';
}

function daysOf(year: number): number {
  return new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1 ? 366 : 365;
}
