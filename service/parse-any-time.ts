const form =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:Z|([+-])(\d{2})(?::?(\d{2}))?)?$/i;

/**
 * Unix milliseconds of a time in any form that we accept (`svc-timestamp` of `specs/formats.ts`); a time without a zone
 * is UTC. `undefined` for anything else.
 */
export function parseAnyTime(text: string): number | undefined {
  const found = form.exec(text);
  if (!found) return undefined;
  const [, ...parts] = found;
  const [year, month, day, hour, minute, second] = parts.slice(0, 6).map((part) => Number(part ?? 0));
  const [fraction = '', sign = '+', zoneHours = '0', zoneMinutes = '0'] = parts.slice(6);
  const clock = ((hour ?? 0) * 60 + (minute ?? 0)) * 60_000 + (second ?? 0) * 1000 + Number(`0.${fraction}0`) * 1000;
  const ahead = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  const date = new Date(0).setUTCFullYear(year ?? 0, (month ?? 1) - 1, day);
  return Math.floor(date + clock - (sign === '-' ? -ahead : ahead));
}
