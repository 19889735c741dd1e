import type { CapturedDelivery } from '../../harness/capture/capture.ts';
import { requestedPauseMs } from '../../harness/wire/requested-pause.ts';
import type { Answered } from '../../harness/wire/observation.ts';
import { toBeAccepted, toHaveStatus } from '../matchers/answer-matchers.ts';
import { isRefusal, isSuccess } from '../../harness/wire/answer-status.ts';
import { describeAnswer } from '../matchers/describe-answer.ts';
import type { CaptureJudged } from './capture-rules.ts';

/** A delivery to which a whole answer came, or the head of one. */
export type AnsweredDelivery = CapturedDelivery & { answer: Answered };

/** The answered deliveries. A recording does not show why an answer is missing. */
export function answered(deliveries: readonly CapturedDelivery[]): AnsweredDelivery[] {
  return deliveries.filter((delivery): delivery is AnsweredDelivery => delivery.answer.outcome === 'answered');
}

/**
 * Deliveries of the service whose answer can be judged: valid, not delayed by a requested pause, and, if the credential
 * may have been invalid, not refused: the status of a refusal is not a MUST.
 */
export function judgeable(deliveries: readonly CapturedDelivery[]): AnsweredDelivery[] {
  return answered(deliveries).filter(({ credential, answer }) => {
    if (credential.is === 'invalid' || requestedPauseMs(answer) !== undefined) return false;
    return credential.is === 'authentic' || !isRefusal(answer);
  });
}

/** Requires a 2xx status of each. */
export function accepted(deliveries: readonly AnsweredDelivery[]): CaptureJudged[] {
  return deliveries.map((exchange) => ({ exchange, finding: toBeAccepted(exchange) }));
}

/** Requires one of these statuses of each. */
export function withStatus(deliveries: readonly AnsweredDelivery[], ...allowed: number[]): CaptureJudged[] {
  return deliveries.map((exchange) => ({ exchange, finding: toHaveStatus(exchange, ...allowed) }));
}

/** Error of a recorder's clock in milliseconds: an answer so little beyond a limit is neither in time nor late. */
const recorderErrorMs = 15;

/**
 * Judges each against a limit, by the recorder's clock: an accepted answer, or none for that long. A refusal is quick
 * and proves nothing.
 *
 * @param sample what the times are called in the report
 */
export function inTime(
  deliveries: readonly CapturedDelivery[],
  limitMs: number,
  sample: string,
  judgeable: (ms: number) => boolean = () => true,
): CaptureJudged[] {
  return deliveries.flatMap((delivery): CaptureJudged[] => {
    const { answer, times, credential } = delivery;
    const ms = answer.outcome === 'no-answer' ? answer.afterMs : times.totalMs;
    if (credential.is === 'invalid' || ms === null || !judgeable(ms)) return [];
    // A client that gave up at the limit had no answer by then.
    const isLate = answer.outcome === 'no-answer' ? ms >= limitMs : ms > limitMs;
    if (answer.outcome === 'answered' && isLate && ms - recorderErrorMs <= limitMs) return [];
    if (answer.outcome === 'answered' ? !isSuccess(answer.status) : answer.outcome !== 'no-answer' || !isLate)
      return [];
    const exchange = { ...delivery, limitMs };
    return [
      {
        exchange,
        sample: { name: sample, limit: limitMs, ms },
        finding: isLate
          ? {
              expected: `a complete answer within ${limitMs} ms`,
              received:
                answer.outcome === 'answered'
                  ? `status ${answer.status} after ${Math.round(ms)} ms, as the recorder measured it`
                  : describeAnswer(answer),
              part: { time: true },
            }
          : undefined,
      },
    ];
  });
}

/** Reason why deliveries could not be judged, for a check that was not exercised. */
export function notJudgedReason(deliveries: readonly CapturedDelivery[]): string {
  const reasons = Map.groupBy(deliveries, ({ credential }) =>
    credential.is === 'unknown' ? credential.why : undefined,
  );
  return [...reasons]
    .flatMap(([why, of]) => (why === undefined ? [] : [` ${of.length} not known to be the service's: ${why}.`]))
    .join('');
}
