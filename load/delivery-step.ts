import { HarnessFault } from '../harness/checks/faults.ts';
import type { LagMeter } from '../harness/wire/lag-meter.ts';
import { measuredTime, timelinessOf } from '../harness/wire/timeliness.ts';
import type { LoadStep } from '../specs/generated/types.ts';
import { describeAnswer } from '../suites/matchers/describe-answer.ts';
import { isSuccess } from '../harness/wire/answer-status.ts';
import { OwnLag } from './own-lag.ts';
import { ResponseTimes } from './response-times.ts';
import { waitUntil, type RunningStep, type StepOptions } from './running-step.ts';
import { outcomeOf, type StepTally } from './step-outcome.ts';
import type { LoadDelivery, Traffic } from './traffic.ts';

/** Answers without success or in time after which a step sends no more: the result is certain, and the endpoint may recover. */
const missesOfStep = 5;
/** Maximum number of deliveries under way: each has a connection, and a process may open few thousand. */
const mostUnderWay = 800;

/** How one step of events is measured. */
export interface DeliveryStepOptions extends StepOptions {
  lag: LagMeter;
  /** Sends only events with a deadline. */
  isTimed?: boolean;
}

/** A step of events, each measured from its intended start. */
export class DeliveryStep implements RunningStep {
  readonly #traffic: Traffic;
  readonly #options: DeliveryStepOptions;
  readonly #lag = new OwnLag();
  readonly #times: ResponseTimes;
  readonly #tally: StepTally = { sent: 0, late: 0, failed: 0, uncertain: 0 };
  readonly #running = new Set<Promise<void>>();
  readonly #startedAt = performance.now();
  #underWay = 0;

  constructor(traffic: Traffic, options: DeliveryStepOptions) {
    this.#traffic = traffic;
    this.#options = options;
    this.#times = new ResponseTimes((ms) => options.onTime?.('response', ms));
  }

  get isOver(): boolean {
    const { late, failed, cut } = this.#tally;
    return cut !== undefined || late + failed >= missesOfStep;
  }

  async run(intendedAt: number): Promise<void> {
    const running = this.#sendAt(intendedAt);
    this.#running.add(running);
    await running;
    this.#running.delete(running);
  }

  async end(): Promise<LoadStep> {
    await Promise.all(this.#running);
    const endedAt = performance.now();
    const { load, report } = this.#options;
    // What follows an event late may belong to an earlier step.
    for (const violation of await this.#traffic.judgeLater()) report(violation, violation.load ?? load);
    const { cut, ...counts } = this.#tally;
    const ownLagMs = this.#lag.end();
    return {
      load,
      seconds: Math.round((endedAt - this.#startedAt) / 100) / 10,
      ...counts,
      times: this.#times.summary,
      ownLagMs,
      outcome:
        cut ?? outcomeOf(this.#tally, { timed: this.#times.count, isLagging: ownLagMs > this.#options.ownLagMs }),
    };
  }

  async #sendAt(intendedAt: number): Promise<void> {
    await waitUntil(intendedAt);
    if (this.isOver) return;
    if (this.#underWay >= mostUnderWay) {
      this.#tally.cut = 'process-limit';
      return;
    }
    this.#underWay++;
    await this.#send(intendedAt);
    this.#underWay--;
  }

  async #send(intendedAt: number): Promise<void> {
    const sentAt = performance.now();
    const tally = this.#tally;
    tally.sent++;
    let delivered: LoadDelivery;
    try {
      const { isTimed: mustBeTimed = false, load } = this.#options;
      delivered = await this.#traffic.send({ isTimed: mustBeTimed, load });
    } catch (error) {
      if (!(error instanceof HarnessFault) || error.code !== 'limit-used') throw error;
      tally.sent--;
      tally.cut = 'limit';
      return;
    }
    const endedAt = performance.now();
    const { observation, isTimed, judge } = delivered;
    const { answer } = observation;
    const { deadline } = this.#traffic;
    const limitMs = isTimed ? deadline?.ms : undefined;
    if (limitMs !== undefined || deadline === undefined) this.#times.record(endedAt - intendedAt);
    for (const violation of judge()) this.#options.report(violation, this.#options.load);
    const isAnswered = answer.outcome === 'answered' && isSuccess(answer.status);
    const measured = limitMs === undefined ? undefined : measuredTime({ ...observation, limitMs });
    const timeliness =
      measured &&
      timelinessOf({
        ...measured,
        ms: answer.outcome === 'answered' ? endedAt - intendedAt : measured.ms,
        // Counted from the intended start, so our delay before the request was on the wire is part of the time.
        lagMs: sentAt - intendedAt + (measured.proxyMs ?? 0) + this.#options.lag.whileDialling(sentAt, endedAt),
      });
    if (timeliness === 'late' && (isAnswered || answer.outcome === 'no-answer')) tally.late++;
    else if (!isAnswered) {
      tally.failed++;
      tally.failure ??= describeAnswer(answer);
    } else if (timeliness === 'uncertain') tally.uncertain++;
  }
}
