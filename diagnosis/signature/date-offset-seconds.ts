import { header, type CallObservation, type Observation } from '../../harness/wire/observation.ts';

/** Smallest reported difference of clocks, in seconds: the Date header has whole seconds. */
const noticeableSeconds = 3;

/**
 * Seconds by which the Date header of an answer differs from our clock: negative if it is behind. Zero within the
 * precision of the header; `undefined` without a header, or for a cached answer.
 */
export function dateOffsetSeconds({ answer, startedAt, times }: Observation | CallObservation): number | undefined {
  if (answer.outcome !== 'answered' || header(answer, 'age') !== undefined) return undefined;
  const theirs = Date.parse(header(answer, 'date') ?? '');
  if (Number.isNaN(theirs)) return undefined;
  const took = times.totalMs ?? times.firstByteMs ?? 0;
  // The header is truncated to seconds, half a second on average.
  const offset = Math.round((theirs + 500 - (startedAt.getTime() + took)) / 1000);
  return Math.abs(offset) < noticeableSeconds ? 0 : offset;
}
