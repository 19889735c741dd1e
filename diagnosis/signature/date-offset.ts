import { header, type CallObservation, type Observation } from '../../harness/wire/observation.ts';

/** Seconds by which two clocks may differ before anybody says so: the Date header has whole seconds. */
const noticeableSeconds = 3;

/**
 * Seconds by which the clock in an answer's Date header differs from ours: negative when it is behind. Zero when the
 * difference is within what the header can tell; `undefined` without a header, or when a cache has kept the answer.
 */
export function dateOffsetSeconds({ answer, startedAt, times }: Observation | CallObservation): number | undefined {
  if (answer.outcome !== 'answered' || header(answer, 'age') !== undefined) return undefined;
  const theirs = Date.parse(header(answer, 'date') ?? '');
  if (Number.isNaN(theirs)) return undefined;
  const took = times.totalMs ?? times.firstByteMs ?? 0;
  // The header is cut to its second, so its time was half a second later on average.
  const offset = Math.round((theirs + 500 - (startedAt.getTime() + took)) / 1000);
  return Math.abs(offset) < noticeableSeconds ? 0 : offset;
}
