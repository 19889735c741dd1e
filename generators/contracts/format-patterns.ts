import type { FormatName } from '../../specs/formats.ts';

const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const minute = '([01][0-9]|2[0-3]):[0-5][0-9]';
const zoneless = `^${day}T${minute}:[0-5][0-9]$`;

/**
 * The form of each format as a regular expression that every Pact implementation reads: no flags, no lookaround. It
 * accepts what the format accepts; a day that the calendar does not have passes here.
 */
export const formatPatterns: Readonly<Record<FormatName, string>> = {
  date: `^${day}$`,
  'date-time': `^${day}[Tt]${minute}:[0-5][0-9](\\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`,
  'svc-utc-timestamp': zoneless,
  'svc-local-timestamp': zoneless,
  'svc-timestamp': `^${day}[Tt ]${minute}(:[0-5][0-9]([.,][0-9]+)?)?([Zz]|[+-]([01][0-9]|2[0-3])(:?[0-5][0-9])?)?$`,
  'svc-request-utc': `^${day}[Tt]${minute}(:[0-5][0-9]([.,][0-9]+)?)?([Zz]|[+-]00(:?00)?)?$`,
};
