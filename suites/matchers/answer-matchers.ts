import type { Finding, FindingPart } from '../../harness/checks/finding.ts';
import { header, type Answer, type Observation } from '../../harness/wire/observation.ts';
import { HarnessFault, NotExercised } from '../../harness/checks/faults.ts';
import { measuredTime, ownDelayFault, timelinessOf } from '../../harness/wire/timeliness.ts';
import { isSuccess } from '../../harness/wire/answer-status.ts';
import { describeAnswer } from './describe-answer.ts';

/** A 2xx status. */
export function toBeAccepted(observation: Observation): Finding | undefined {
  const { answer } = observation;
  requireAnAnswer(observation);
  if (answer.outcome === 'answered' && isSuccess(answer.status)) return undefined;
  return { expected: 'a 2xx status', received: describeAnswer(answer), part: outcomePart(answer) };
}

/** One of the statuses that the interface names here. */
export function toHaveStatus(observation: Observation, ...allowed: number[]): Finding | undefined {
  const { answer } = observation;
  requireAnAnswer(observation);
  if (answer.outcome === 'answered' && allowed.includes(answer.status)) return undefined;
  return { expected: `status ${oneOf(allowed)}`, received: describeAnswer(answer), part: outcomePart(answer) };
}

/** A 4xx status. */
export function toHaveClientError(observation: Observation): Finding | undefined {
  const { answer } = observation;
  requireAnAnswer(observation);
  if (answer.outcome === 'answered' && answer.status >= 400 && answer.status < 500) return undefined;
  return { expected: 'a 4xx status', received: describeAnswer(answer), part: outcomePart(answer) };
}

/**
 * Not accepted: anything but a 2xx, whether the rest of the answer came or not. Whether a refusal is sent, and with
 * which status, is judged by separate requirements. A connection closed without an answer neither accepts nor refuses:
 * throws {@link NotExercised}.
 */
export function toBeRefused({ answer }: Observation, what: string): Finding | undefined {
  requireOutcome(answer, what);
  if (!('status' in answer) || answer.status === undefined || !isSuccess(answer.status)) return undefined;
  return { expected: `${what} to be refused`, received: describeAnswer(answer), part: outcomePart(answer) };
}

/** An answer that is not a crash: neither a 5xx, nor silence, nor a dropped connection. */
export function toBeAnsweredWithoutServerError({ answer }: Observation, what: string): Finding | undefined {
  if (answer.outcome === 'answered' && answer.status < 500) return undefined;
  return { expected: `an answer below 500 to ${what}`, received: describeAnswer(answer), part: outcomePart(answer) };
}

/**
 * Complete within the limit of this exchange, on our clock from the first byte sent. Throws {@link HarnessFault}
 * `own-delay` when our own delay decides.
 */
export function toBeInTime(observation: Observation): Finding | undefined {
  const { answer, times, limitMs } = observation;
  if (limitMs === undefined) throw new TypeError('This exchange has no limit.');
  if (answer.outcome === 'answered' && !isSuccess(answer.status)) {
    throw new HarnessFault('control-failed:refused', { received: describeAnswer(answer) });
  }
  const expected = `a complete answer within ${limitMs} ms`;
  const measured = measuredTime(observation);
  const timeliness = measured && timelinessOf(measured);
  if (measured && timeliness === 'uncertain') throw ownDelayFault(measured);
  if (answer.outcome !== 'answered' || times.totalMs === null) {
    return { expected, received: describeAnswer(answer), part: outcomePart(answer) };
  }
  if (timeliness === 'in-time') return undefined;
  const first = times.firstByteMs === null ? '' : ` (first byte after ${Math.round(times.firstByteMs)} ms)`;
  const received = `status ${answer.status} after ${Math.round(times.totalMs)} ms${first}`;
  return { expected, received, part: { time: true } };
}

/**
 * No body. After a 204 no HTTP reader hands out the bytes that follow (RFC 9112, 6.3), so there an announced length
 * above 0 is what shows.
 */
export function toHaveNoBody({ answer }: Observation): Finding | undefined {
  if (answer.outcome !== 'answered') return { expected: 'no body', received: describeAnswer(answer) };
  const announced = Number(header(answer, 'content-length') ?? 0);
  if (answer.bodyBytes === 0 && !(announced > 0)) return undefined;
  const received =
    answer.bodyBytes > 0 ? describeAnswer(answer) : `status ${answer.status} with Content-Length ${announced}`;
  const part: FindingPart = answer.bodyBytes > 0 ? { body: [] } : { header: 'content-length' };
  return { expected: `no body with status ${answer.status}`, received, part };
}

/** The outcome of a request in an answer: its status, or the time without one. */
export function outcomePart({ outcome }: Answer): FindingPart | undefined {
  if (outcome === 'answered') return { status: true };
  return outcome === 'no-answer' ? { time: true } : undefined;
}

/** Throws where the connection was closed before any status: the outcome of the request is unknown. */
export function requireOutcome(answer: Answer, what: string): void {
  if (answer.outcome !== 'closed' || answer.status !== undefined) return;
  throw new NotExercised(
    `The connection was closed without an answer to ${what}, which neither accepts nor refuses it.`,
  );
}

/** A slow answer is not a finding where the interface gives no limit. */
function requireAnAnswer({ answer, limitMs, request, knownSilences }: Observation): void {
  if (answer.outcome !== 'no-answer') return;
  // Nothing was sent this time.
  if (knownSilences !== undefined) {
    const received = describeAnswer(answer);
    throw new HarnessFault('target-silent:kind', { url: request.url, count: knownSilences, received });
  }
  if (limitMs !== undefined) return;
  throw new HarnessFault('no-answer-yet', { url: request.url, received: describeAnswer(answer) });
}

function oneOf(values: readonly number[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}
