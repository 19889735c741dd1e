/**
 * Date and time of ISO 8601, in the extended form (2026-10-11T08:30:00Z) and the basic one (20261011T083000Z): seconds,
 * their fraction and the zone may be missing. Many formatters write the zone of the one into the other (`+0100`).
 */
const forms = [
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d(:([0-5]\d|60)([.,]\d+)?)?(Z|[+-]\d\d(:?[0-5]\d)?)?$/i,
  /^(\d{4})(\d\d)(\d\d)T([01]\d|2[0-3])[0-5]\d(([0-5]\d|60)([.,]\d+)?)?(Z|[+-]\d\d(:?[0-5]\d)?)?$/i,
];

/** Whether a text is date and time of ISO 8601, by form and by calendar. */
export function isIso8601(text: string): boolean {
  return forms.some((form) => {
    const [, year, month, day] = form.exec(text) ?? [];
    if (year === undefined) return false;
    const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
    // A day that the month does not have ends up in another month.
    return date.getUTCMonth() === Number(month) - 1;
  });
}

/** The zone of such a text: UTC (`Z` or a zero offset), another offset, or none. */
export function zoneOf(text: string): 'utc' | 'other' | 'none' {
  const zone = /(Z|[+-]\d\d(?::?\d\d)?)$/i.exec(text.slice(text.search(/T/i)))?.[0];
  if (zone === undefined) return 'none';
  return /^(Z|[+-]00(:?00)?)$/i.test(zone) ? 'utc' : 'other';
}
