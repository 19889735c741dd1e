import { HarnessFault } from '../harness/checks/faults.ts';
import type { LagMeter } from '../harness/wire/lag-meter.ts';
import { measuredTime, timelinessOf } from '../harness/wire/timeliness.ts';
import type { LoadStep } from '../specs/generated/types.ts';
import { describeAnswer } from '../suites/matchers/describe-answer.ts';
import { isSuccess } from '../suites/matchers/answer-status.ts';
import { OwnLag } from './own-lag.ts';
import { ResponseTimes } from './response-times.ts';
import { outcomeOf, type StepTally } from './step-outcome.ts';
import type { LoadDelivery, Traffic, LoadViolation } from './traffic.ts';

/** How one step is measured. */
export interface StepOptions {
  /** Deliveries per second. */
  load: number;
  /** Milliseconds from the start at which events are due. */
  arrivals: readonly number[];
  lag: LagMeter;
  /** A step in which this process was later than this cannot miss a deadline. */
  ownLagMs: number;
  report: (violation: LoadViolation, load: number) => void;
}

/** Answers without success or in time after which a step sends no more: the result is certain, and the endpoint may recover. */
const missesOfStep = 5;
/** Maximum number of deliveries under way: each has a connection, and a process may open few thousand. */
const mostUnderWay = 800;

/**
 * Sends events at this rate, none of which waits for an answer, and measures each from its intended start: an endpoint
 * that delays our next event cannot hide it.
 */
export async function measureStep(traffic: Traffic, options: StepOptions): Promise<LoadStep> {
  const { load, arrivals, lag, report } = options;
  using ownLag = new OwnLag();
  const times = new ResponseTimes();
  const tally: StepTally = { sent: 0, late: 0, failed: 0, uncertain: 0 };
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (const atMs of arrivals) {
    const intendedAt = startedAt + atMs;
    const waitMs = intendedAt - performance.now();
    if (waitMs > 0) await new Promise((wake) => setTimeout(wake, waitMs));
    if (tally.late + tally.failed >= missesOfStep) break;
    if (underWay.size >= mostUnderWay) tally.cut = 'own-lag';
    if (tally.cut !== undefined) break;
    tally.sent++;
    const sending = sendOne(traffic, intendedAt, { tally, times, lag, report: (violation) => report(violation, load) });
    underWay.add(sending);
    void sending.finally(() => underWay.delete(sending));
  }
  await Promise.all(underWay);
  const endedAt = performance.now();
  for (const violation of await traffic.judgeLater()) report(violation, load);
  const { cut, ...counts } = tally;
  const ownLagMs = Math.round(ownLag.p99Ms * 10) / 10;
  return {
    load,
    seconds: Math.round((endedAt - startedAt) / 100) / 10,
    ...counts,
    times: times.summary,
    ownLagMs,
    outcome: cut ?? outcomeOf(tally, { timed: times.count, isLagging: ownLagMs > options.ownLagMs }),
  };
}

interface StepRecord {
  tally: StepTally;
  times: ResponseTimes;
  lag: LagMeter;
  report: (violation: LoadViolation) => void;
}

async function sendOne(traffic: Traffic, intendedAt: number, { tally, times, lag, report }: StepRecord): Promise<void> {
  const sentAt = performance.now();
  let delivered: LoadDelivery;
  try {
    delivered = await traffic.send();
  } catch (error) {
    if (!(error instanceof HarnessFault) || error.code !== 'limit-used') throw error;
    tally.sent--;
    tally.cut = 'limit';
    return;
  }
  const endedAt = performance.now();
  const { observation, isTimed, judge } = delivered;
  const { answer } = observation;
  const limitMs = isTimed ? traffic.deadline?.ms : undefined;
  if (limitMs !== undefined || traffic.deadline === undefined) times.record(endedAt - intendedAt);
  for (const violation of judge()) report(violation);
  const isAnswered = answer.outcome === 'answered' && isSuccess(answer.status);
  const measured = limitMs === undefined ? undefined : measuredTime({ ...observation, limitMs });
  const timeliness =
    measured &&
    timelinessOf({
      ...measured,
      ms: answer.outcome === 'answered' ? endedAt - intendedAt : measured.ms,
      // Counted from the intended start, so a delay of ours before the request was on the wire is part of the time.
      lagMs: sentAt - intendedAt + (measured.proxyMs ?? 0) + lag.whileDialling(sentAt, endedAt),
    });
  if (timeliness === 'late' && (isAnswered || answer.outcome === 'no-answer')) tally.late++;
  else if (!isAnswered) {
    tally.failed++;
    tally.failure ??= describeAnswer(answer);
  } else if (timeliness === 'uncertain') tally.uncertain++;
}
