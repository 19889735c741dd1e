import { AsyncLocalStorage } from 'node:async_hooks';
import { evidenceBytes } from './evidence.ts';
import type { CheckSource } from '../../specs/generated/types.ts';
import type { AnswerTime } from './check-outcome.ts';
import type { Finding } from './finding.ts';
import type { RunPart } from './time-budget.ts';
import { firstBytes } from '../wire/kept-answers.ts';
import type { WireExchange } from '../wire/observation.ts';

/** Exchanges kept as evidence of one check: the first ones, and the latest ones, which include the decisive one. */
const keptFirst = 4;
const keptLast = 12;

/** The record of one running check: its evidence, its number of judgements, its samples of timed exchanges. */
export class CheckRecord {
  /** The part of the run to which the check belongs, whose time it uses. */
  part: RunPart | undefined;
  /** The check has the endpoint to itself, or the address of its surface. */
  alone = false;
  /** Meanwhile, other addresses of the endpoint have traffic. */
  othersHaveTraffic = false;
  /** It repeats, with no other traffic, what failed while other surfaces had some. */
  confirms = false;
  /** Its exchanges begin before others, because later checks wait for them. */
  waitsLong = false;
  /** A check of the integrator; `undefined` outside of checks. */
  readonly isOwn: boolean | undefined;
  judged = 0;
  finding: Finding | undefined;
  /** The origin of what was judged, if it is not that of the check. */
  source: CheckSource | undefined;
  /** Remark on a pass, for example that fewer events were sent than planned. */
  note: string | undefined;
  readonly samples: { name: string; limit: number; ms: number }[] = [];
  /** Times of its exchanges, whether they are judged or not. */
  readonly answerTimes: AnswerTime[] = [];
  /** Deliveries and calls that it sent. */
  sent = 0;
  readonly #first: WireExchange[] = [];
  readonly #last: WireExchange[] = [];

  constructor({ isOwn }: { isOwn?: boolean } = {}) {
    this.isOwn = isOwn;
  }

  /** Keeps an exchange as evidence; in a long series the oldest of the latest ones are dropped. */
  keep(exchange: WireExchange): void {
    const isKept = (kept: WireExchange) => isSame(kept, exchange);
    if (this.#first.some(isKept) || this.#last.some(isKept)) return;
    if (this.#first.length < keptFirst) {
      this.#first.push(asEvidence(exchange));
      return;
    }
    this.#last.push(asEvidence(exchange));
    if (this.#last.length > keptLast) this.#last.shift();
  }

  /** Moves the decisive exchange to the end, whether it was kept or not. */
  decideBy(exchange: WireExchange): void {
    for (const kept of [this.#first, this.#last]) {
      const at = kept.findIndex((one) => isSame(one, exchange));
      if (at >= 0) kept.splice(at, 1);
    }
    this.#last.push(asEvidence(exchange));
  }

  /** Begins an attempt. Returns a function that restores the judgement, the evidence and the times from before it. */
  attempt(): () => void {
    const { judged, finding, source, note } = this;
    const lists = [this.samples, this.answerTimes, this.#first, this.#last].map((list) => [list, [...list]] as const);
    return () => {
      Object.assign(this, { judged, finding, source, note });
      for (const [list, before] of lists) (list as unknown[]).splice(0, Infinity, ...before);
    };
  }

  /** Forgets times over their limit: among other traffic, only a time within it counts. */
  forgetLateTimes(): void {
    const { samples } = this;
    samples.splice(0, Infinity, ...samples.filter(({ ms, limit }) => ms <= limit));
  }

  get evidence(): readonly WireExchange[] {
    return [...this.#first, ...this.#last];
  }
}

/** Many checks run at once and keep their exchanges, so large answers are cut to what evidence shows. */
export function asEvidence<E extends WireExchange>(exchange: E): E {
  if (exchange.kind !== 'http' || exchange.answer.outcome !== 'answered') return exchange;
  const { answer } = exchange;
  if (answer.body.length <= evidenceBytes) return exchange;
  return { ...exchange, answer: { ...answer, body: firstBytes(answer.body, evidenceBytes), truncated: true } };
}

/** Drivers copy and extend observations; the request object identifies the exchange. */
function isSame(a: WireExchange, b: WireExchange): boolean {
  return a.request === b.request;
}

const records = new AsyncLocalStorage<CheckRecord>();

/** Runs a function so that everything it causes is added to this record. */
export function withRecord<T>(record: CheckRecord, run: () => Promise<T>): Promise<T> {
  return records.run(record, run);
}

/** Runs a function so that nothing it causes is added to a record. */
export function withoutRecord<T>(run: () => Promise<T>): Promise<T> {
  return records.exit(run);
}

/**
 * Begins what later checks judge: they get its error and its evidence, not the check that is running. It uses the time of
 * the same part of the run.
 */
export function beginForOthers(run: () => Promise<unknown>): void {
  const record = new CheckRecord();
  record.part = currentRecord()?.part;
  record.waitsLong = true;
  withRecord(record, run).catch(() => undefined);
}

/** The record of the check that is running, if one is. */
export function currentRecord(): CheckRecord | undefined {
  return records.getStore();
}

/**
 * Whether the running check belongs to those that wait long, and so begin before others of their phase. The same applies to
 * exchanges that later checks judge: they follow one another, and the run cannot end before them.
 */
export function waitsLong(): boolean {
  const record = currentRecord();
  return record?.waitsLong === true || record?.part?.group === 'waiting';
}
