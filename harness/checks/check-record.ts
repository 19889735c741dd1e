import { AsyncLocalStorage } from 'node:async_hooks';
import { evidenceBytes } from './evidence.ts';
import type { Finding } from './finding.ts';
import { firstBytes } from '../wire/kept-answers.ts';
import type { WireExchange } from '../wire/observation.ts';

/** Exchanges kept as evidence of one check: the first ones, and the latest ones, which decide. */
const keptFirst = 4;
const keptLast = 12;

/** What happens while one check runs: its evidence, its judgements, its samples of timed exchanges. */
export class CheckRecord {
  /** The check has the endpoint for itself. */
  alone = false;
  judged = 0;
  finding: Finding | undefined;
  /** What to know of a pass: that less was sent than meant, say. */
  note: string | undefined;
  readonly samples: { name: string; limit: number; ms: number }[] = [];
  readonly #first: WireExchange[] = [];
  readonly #last: WireExchange[] = [];

  /** Keeps an exchange as evidence; in the middle of a long series older ones make place. */
  keep(exchange: WireExchange): void {
    if (this.evidence.some((kept) => isSame(kept, exchange))) return;
    if (this.#first.length < keptFirst) {
      this.#first.push(asEvidence(exchange));
      return;
    }
    this.#last.push(asEvidence(exchange));
    if (this.#last.length > keptLast) this.#last.shift();
  }

  /** Puts the exchange that decides last, whether it was kept or not. */
  decideBy(exchange: WireExchange): void {
    for (const kept of [this.#first, this.#last]) {
      const at = kept.findIndex((one) => isSame(one, exchange));
      if (at >= 0) kept.splice(at, 1);
    }
    this.#last.push(asEvidence(exchange));
  }

  get evidence(): readonly WireExchange[] {
    return [...this.#first, ...this.#last];
  }
}

/** Many checks run at once, and each keeps its exchanges to its end: of large answers as much as evidence shows. */
function asEvidence(exchange: WireExchange): WireExchange {
  if (exchange.kind !== 'http' || exchange.answer.outcome !== 'answered') return exchange;
  const { answer } = exchange;
  if (answer.body.length <= evidenceBytes) return exchange;
  return { ...exchange, answer: { ...answer, body: firstBytes(answer.body, evidenceBytes), truncated: true } };
}

/** Drivers add to what the wire gave them, so the same exchange may come as another object: its request stays. */
function isSame(a: WireExchange, b: WireExchange): boolean {
  return a.request === b.request;
}

const records = new AsyncLocalStorage<CheckRecord>();

/** Runs a check's body so that everything it causes is booked to its record. */
export function withRecord<T>(record: CheckRecord, run: () => Promise<T>): Promise<T> {
  return records.run(record, run);
}

/** The record of the check that is running, if one is. */
export function currentRecord(): CheckRecord | undefined {
  return records.getStore();
}
