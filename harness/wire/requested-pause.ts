import { header, type Answer } from './observation.ts';

/** Pause in milliseconds if the endpoint does not state a duration, and the minimum pause. */
const usualPauseMs = 1_000;
const shortestPauseMs = 250;
/** Maximum pause of a diagnosis in milliseconds; it does not wait longer for one answer. */
export const longestDiagnosisPauseMs = 10_000;

/**
 * Pause in milliseconds that an answer requests (429, or 503 with Retry-After; RFC 6585, RFC 9110 10.2.3). `undefined`
 * for any other answer. Our traffic is denser than the service's, so no endpoint fails for it.
 */
export function requestedPauseMs(answer: Answer, now = Date.now()): number | undefined {
  if (answer.outcome !== 'answered') return undefined;
  const after = header(answer, 'retry-after');
  if (answer.status !== 429 && !(answer.status === 503 && after !== undefined)) return undefined;
  const asked = Number.isFinite(Number(after)) ? Number(after) * 1000 : Date.parse(after ?? '') - now;
  return asked >= 0 ? Math.max(asked, shortestPauseMs) : usualPauseMs;
}
