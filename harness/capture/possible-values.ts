/** Milliseconds; no exchange or call lasts a year. */
const longestMs = 366 * 24 * 60 * 60 * 1000;
/** Dates of these years are written with four digits (RFC 3339, 5.6). */
const [firstMs, lastMs] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')];

/** Whether a Unix time in milliseconds can be written as a date. */
export function isDate(ms: number): boolean {
  return ms >= firstMs && ms <= lastMs;
}

/** Whether a value is a possible duration in milliseconds. */
export function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= longestMs;
}

/** Whether a value is an HTTP status (RFC 9110, 15). */
export function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599;
}

/** Whether a value counts something: bytes, frames. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Recorders write nothing, null, or a negative number (usually -1) for unknown values. */
export function isUnknown(value: unknown): boolean {
  return typeof value !== 'number' || (value < 0 && Number.isFinite(value));
}
