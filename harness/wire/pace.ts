import { limits } from '../../specs/limits.ts';
import { sharedLanes } from './traffic-gate.ts';
import { placeAt } from './host-and-port.ts';

/**
 * Milliseconds up to which an answer is quick: however many exchanges run, they do not slow the endpoint down. Answers
 * that take a few times as long occupy as many lanes, whatever else is known.
 */
const quickMs = 400;
/** The same of a refusal: those that take longer run several at a time, since one after the other takes half a minute. */
const quickRefusalMs = 250;
/** Multiple of the usual time of a single exchange up to which concurrent ones are as fast. */
const asFast = 1.5;
/** The same from which they are slower: two that are processed one after the other take twice as long. */
const slower = 1.7;
/** Number of latest exchanges that determine the pace, and of latest single ones that determine the usual time. */
const remembered = 5;
/** After a slowdown, this many times as many fast exchanges are needed before more run concurrently again. */
const caution = 4;
const mostNeeded = 64;
/**
 * Milliseconds after which an exchange no longer keeps others waiting, and the multiple of the slowest answer: an
 * endpoint that processes requests one after the other has answered by then.
 */
const overdueMs = 5_000;
const overdueFactor = 2;
/** Exchanges at once while answers are not quick and no slower than a single one: the endpoint mostly waits, as we do. */
export const mostSlow = 4 * sharedLanes;
/** Exchanges at once that are not quick while an answer was longer than this: each may hold megabytes. */
const mostSlowAndLarge = sharedLanes / 2;
/** Smallest part of a lane: a power of two, so that the lanes of exchanges add up exactly. */
const partsOfLane = 1_024;
const largeBytes = limits.ownAiAnswerBytes;

/** One exchange with an address, or one check's calls. Disposing it ends it. */
export interface PacedExchange extends Disposable {
  /** The most exchanges of its pace that ran at the same time, including this one. */
  readonly concurrent: number;
  /** The same with any address of its host and port: they may be served by the same process. */
  readonly atPlace: number;
  /** Number of changes of both limits before it began: only exchanges that began afterwards show their effect. */
  readonly period: number;
  readonly periodOfPlace: number;
}

interface RunningExchange {
  concurrent: number;
  atPlace: number;
}

/** A number of concurrent exchanges that grows while they are as fast as a single one. */
class ConcurrencyLimit {
  #value = 1;
  #period = 0;
  /** Fast exchanges since it changed, and how many are needed at least to raise it. */
  #fast = 0;
  #needed = 1;

  get value(): number {
    return this.#value;
  }

  /** Number of changes so far. */
  get period(): number {
    return this.#period;
  }

  /** Whether exchanges were ever slower than a single one. */
  get wasTooHigh(): boolean {
    return this.#needed > 1;
  }

  /**
   * Records a fast exchange among as many as the limit permits. As many of them raise it, by default: the first ones of
   * those that run together are fast even if the others have to wait for them.
   */
  bookFast(limit: number, most: number, fewest = limit): void {
    if (++this.#fast >= Math.max(this.#needed, fewest)) this.set(Math.min(2 * limit, most));
  }

  /** Records a slow exchange among so many, unless they were more than the limit permits by now. */
  bookSlow(concurrent: number, period: number, limit = this.#value): void {
    if (period < this.#period && concurrent > limit) return;
    this.#needed = Math.min(caution * this.#needed, mostNeeded);
    this.set(Math.max(1, Math.floor(Math.min(limit, concurrent) / 2)));
  }

  set(value: number): void {
    this.#value = value;
    this.#fast = 0;
    this.#period++;
  }
}

/** Exchanges that run without a break: the most at once, and whether all of them were fast. */
interface BusyTime {
  most: number;
  isFast: boolean;
}

/** What runs with one host and port, and how many of its slow exchanges may. */
class PacedPlace {
  readonly running = new Set<RunningExchange>();
  readonly limit = new ConcurrencyLimit();
  readonly busy: BusyTime = { most: 0, isFast: true };

  /** Records an answer among so many. `isShown`: it was slow, but no slower than a single one, so they are handled at once. */
  bookAnswer(isShown: boolean, atPlace: number, period: number): void {
    const { limit, running } = this;
    const busy = bookBusy(this.busy, atPlace, isShown);
    if (running.size === 1 && busy.isFast && busy.most > limit.value && !limit.wasTooHigh) {
      limit.set(Math.min(2 * busy.most, mostSlow));
    }
    if (isShown && period >= limit.period && atPlace >= limit.value) limit.bookFast(limit.value, mostSlow);
  }

  /** Whether so many slow exchanges at once were as fast as a single one that one more makes no difference. */
  get isWide(): boolean {
    return this.limit.value >= sharedLanes;
  }
}

/**
 * Controls the number of concurrent exchanges with one address. It begins with one and allows more as long as they do
 * not take longer than a single one: an endpoint that processes requests one after the other is not overloaded by us,
 * and one that is merely slow does not make the run slow.
 */
export class AddressPace {
  readonly #place: PacedPlace;
  /** The pace of accepted deliveries, for those that should be rejected: while their own is unknown, it is theirs. */
  readonly #accepted: AddressPace | undefined;
  readonly #limit = new ConcurrencyLimit();
  readonly #running = new Set<RunningExchange>();
  /** Milliseconds of the latest exchanges, and of the latest single ones. */
  #latest: number[] = [];
  #single: number[] = [];
  #longestBytes = 0;
  readonly #busy: BusyTime = { most: 0, isFast: true };

  constructor(place: PacedPlace, accepted?: AddressPace) {
    this.#place = place;
    this.#accepted = accepted;
  }

  /**
   * Lanes for the next exchange; a part of one while more exchanges than lanes may run. All of them for a delivery that
   * should be rejected while rejections are quick, so that it is the only suspect if it stops the process.
   */
  get lanes(): number {
    const own = this.ownLanes;
    if (this.#accepted && own === sharedLanes) return own;
    const isUnknown = this.#latest.length === 0;
    const isSlow = isUnknown ? this.#place.isWide : this.slowestMs > quickMs;
    if (!isSlow || this.#limit.wasTooHigh) return own;
    // It was never slower among others: where many slow exchanges run, it runs among them.
    return Math.min(own, lanesOfOne(Math.min(this.#place.limit.value, this.#mostAtOnce)));
  }

  /** Exchanges with this address that may be in flight, however many lanes are free. */
  get most(): number {
    return Math.floor(sharedLanes / this.ownLanes);
  }

  /** {@link lanes} if no other address had traffic. */
  get ownLanes(): number {
    if (this.#accepted && (this.#latest.at(-1) ?? 0) <= quickRefusalMs) return sharedLanes;
    const limit = Math.min(this.#knownLimit, this.#mostAtOnce);
    if (limit > sharedLanes) return lanesOfOne(limit);
    const ofSlowest = this.#latest.length === 0 ? sharedLanes : Math.ceil(this.slowestMs / quickMs);
    return Math.min(lanesOfOne(limit), Math.max(ofSlowest, 1));
  }

  get #knownLimit(): number {
    const { value, wasTooHigh } = this.#limit;
    return this.#accepted && !wasTooHigh ? Math.max(value, this.#accepted.#limit.value) : value;
  }

  get #mostAtOnce(): number {
    const longest = Math.max(this.#longestBytes, this.#accepted ? this.#accepted.#longestBytes : 0);
    return longest > largeBytes ? mostSlowAndLarge : mostSlow;
  }

  /** Milliseconds after which an unanswered exchange no longer keeps others waiting. */
  get overdueMs(): number {
    return Math.max(overdueMs, overdueFactor * this.slowestMs);
  }

  /** Milliseconds of the slowest of the latest answers. */
  get slowestMs(): number {
    return Math.max(0, ...this.#latest);
  }

  /** Milliseconds of the quickest of the latest answers; 0 without any. */
  get quickestMs(): number {
    return this.#latest.length === 0 ? 0 : Math.min(...this.#latest);
  }

  /** Registers exchanges that begin together. */
  begin(count = 1): PacedExchange {
    const running = this.#running;
    const allRunning = this.#place.running;
    if (running.size === 0) Object.assign(this.#busy, { most: 0, isFast: true });
    if (allRunning.size === 0) Object.assign(this.#place.busy, { most: 0, isFast: true });
    const exchange = { concurrent: 0, atPlace: 0 };
    const begun = [exchange, ...Array.from({ length: count - 1 }, () => ({ concurrent: 0, atPlace: 0 }))];
    for (const one of begun) {
      running.add(one);
      allRunning.add(one);
    }
    for (const one of running) one.concurrent = Math.max(one.concurrent, running.size);
    for (const one of allRunning) one.atPlace = Math.max(one.atPlace, allRunning.size);
    return {
      period: this.#limit.period,
      periodOfPlace: this.#place.limit.period,
      get concurrent() {
        return exchange.concurrent;
      },
      get atPlace() {
        return exchange.atPlace;
      },
      [Symbol.dispose]: () => {
        for (const one of begun) {
          running.delete(one);
          allRunning.delete(one);
        }
      },
    };
  }

  /**
   * Records that no answer came for so many milliseconds. Among other exchanges, they may be the reason; a delivery that
   * should be rejected need not be answered, and says nothing about how many are handled at once.
   */
  bookSilence(waitedMs: number, exchange: PacedExchange): void {
    this.#busy.isFast = false;
    this.#place.busy.isFast = false;
    if (this.#accepted) this.#latest = [...this.#latest, waitedMs].slice(-remembered);
    else if (exchange.atPlace > 1) this.#bookSlow(exchange);
  }

  /** Forgets the times: after a stop, each delivery that should be rejected is the only suspect again. */
  forgetTimes(): void {
    this.#latest = [];
  }

  /**
   * Records the time of an answer in milliseconds, and its length in bytes. `ownMs` is our own delay in it, at most, which
   * does not show that the endpoint is slower; `fewest` the fast answers that allow more at once, by default as many as
   * are allowed.
   */
  bookAnswer(
    measuredMs: number,
    exchange: PacedExchange,
    { bytes = 0, ownMs = 0, fewest }: { bytes?: number; ownMs?: number; fewest?: number } = {},
  ): void {
    const { concurrent, atPlace, period, periodOfPlace } = exchange;
    const ms = Math.max(0, measuredMs - ownMs);
    this.#longestBytes = Math.max(this.#longestBytes, bytes);
    this.#latest = [...this.#latest, measuredMs].slice(-remembered);
    // Where many exchanges make no difference, the first one shows how long a single one takes.
    const isAsGood = this.#single.length === 0 && concurrent === 1 && this.#place.isWide;
    if (atPlace === 1 || (isAsGood && atPlace <= this.#place.limit.value)) {
      this.#single = [...this.#single, ms].slice(-remembered);
    }
    const usualMs = this.#usualMs;
    const isFast = ms <= Math.max(quickMs, asFast * usualMs);
    const limit = this.#knownLimit;
    const most = Math.min(ms > quickMs ? mostSlow : Math.max(sharedLanes, limit), this.#mostAtOnce);
    const busy = bookBusy(this.#busy, concurrent, usualMs > 0 && isFast);
    // All that ran together have ended, so their number is known to be harmless.
    if (this.#running.size === 1 && busy.isFast && busy.most > limit && !this.#limit.wasTooHigh) {
      this.#limit.set(Math.min(2 * busy.most, most));
    }
    if (usualMs > 0 && ms > quickMs && ms > slower * usualMs) this.#bookSlow(exchange);
    else if (usualMs > 0 && isFast && period >= this.#limit.period && concurrent >= limit) {
      this.#limit.bookFast(limit, most, fewest);
    }
    // Neither a quick answer nor a rejection shows how many slow exchanges are handled at once.
    const isShown = !this.#accepted && ms > quickMs && usualMs > 0 && isFast;
    this.#place.bookAnswer(isShown, atPlace, periodOfPlace);
  }

  /** Milliseconds of a single exchange; 0 while unknown. */
  get #usualMs(): number {
    if (this.#single.length > 0) return Math.max(...this.#single);
    return this.#accepted ? this.#accepted.#usualMs : 0;
  }

  #bookSlow({ concurrent, atPlace, period, periodOfPlace }: PacedExchange): void {
    if (!this.#accepted) this.#place.limit.bookSlow(atPlace, periodOfPlace);
    this.#limit.bookSlow(concurrent, period, this.#knownLimit);
    // Exchanges may take longer than they did: what is usual is measured again.
    if (this.#limit.value === 1) this.#single = [];
  }
}

function bookBusy(busy: BusyTime, concurrent: number, isFast: boolean): BusyTime {
  busy.most = Math.max(busy.most, concurrent);
  busy.isFast &&= isFast;
  return busy;
}

/** Lanes of one of so many concurrent exchanges; a part of one if there are more of them than lanes. */
function lanesOfOne(limit: number): number {
  if (limit <= sharedLanes) return Math.ceil(sharedLanes / limit);
  return Math.floor((partsOfLane * sharedLanes) / limit) / partsOfLane;
}

/** The pace of every address: of the deliveries that it should accept, and of those that it should reject. */
export class Pace {
  /** Addresses with which a first exchange was made or waits. */
  readonly #claimed = new Set<string>();
  readonly #addresses = new Map<string, { accepted: AddressPace; refused: AddressPace }>();
  /** By host and port. */
  readonly #places = new Map<string, PacedPlace>();

  /** Whether this is the first exchange of all with an address; `true` once for each. */
  claimFirst(url: string): boolean {
    const isFirst = !this.#claimed.has(url);
    this.#claimed.add(url);
    return isFirst;
  }

  of(url: string, { toBeRefused = false } = {}): AddressPace {
    let paces = this.#addresses.get(url);
    if (!paces) {
      const place = this.#places.get(placeAt(url)) ?? new PacedPlace();
      this.#places.set(placeAt(url), place);
      const accepted = new AddressPace(place);
      paces = { accepted, refused: new AddressPace(place, accepted) };
      this.#addresses.set(url, paces);
    }
    return toBeRefused ? paces.refused : paces.accepted;
  }
}
