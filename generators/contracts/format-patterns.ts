import type { FormatName } from '../../specs/formats.ts';
import { iso8601Patterns } from '../../specs/iso-8601.ts';

const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const minute = '([01][0-9]|2[0-3]):[0-5][0-9]';
const zoneless = `^${day}T${minute}:[0-5][0-9]$`;

/** Separators between the digits of a phone number; a trunk zero in brackets is an additional digit. */
const between = '[-.()/ \u00a0\u1680\u2000-\u200a\u2010-\u2015\u202f\u205f\u3000]*';

/**
 * The form of each format as a regular expression that every Pact implementation reads: no flags, no lookaround. It
 * accepts the same strings as the format, and also days that do not exist.
 */
export const formatPatterns: Readonly<Record<FormatName, string>> = {
  date: `^${day}$`,
  'date-time': `^${day}[Tt]${minute}:[0-5][0-9](\\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`,
  'svc-utc-timestamp': zoneless,
  'svc-local-timestamp': zoneless,
  'svc-timestamp': `^${day}[Tt ]${minute}(:[0-5][0-9]([.,][0-9]+)?)?([Zz]|[+-]([01][0-9]|2[0-3])(:?[0-5][0-9])?)?$`,
  'svc-request-time': iso8601Patterns.any,
  'svc-request-utc': iso8601Patterns.utc,
  'svc-phone': `^${between}(\\+|00)${between}[1-9](${between}[0-9]){1,17}${between}( *(;ext=|[Ee][Xx][Tt]\\.?|[Xx]) *[0-9]{1,8})?$`,
};
