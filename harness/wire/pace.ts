import { limits } from '../../specs/limits.ts';
import { sharedLanes } from './traffic-gate.ts';
import { header, type Answer } from './observation.ts';
import { placeAt } from './host-and-port.ts';

/**
 * Milliseconds up to which an answer is quick: however many exchanges run, they do not slow the endpoint down. Answers
 * that take a few times as long occupy as many lanes, whatever else is known.
 */
const quickMs = 400;
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
/** Pause in milliseconds if the endpoint does not state a duration, and the minimum pause. */
const usualPauseMs = 1_000;
const shortestPauseMs = 250;
/** Maximum pause of a diagnosis in milliseconds; it does not wait longer for one answer. */
export const longestDiagnosisPauseMs = 10_000;
/** One exchange with an address, or one check's calls. Disposing it ends it. */
export interface PacedExchange extends Disposable {
  /** The most exchanges that ran at the same time, including this one. */
  readonly concurrent: number;
  /** Whether no other exchange ran with the same host and port: another address may be served by the same process. */
  readonly isAlone: boolean;
  /** Number of changes of the limit before it began: only exchanges that began afterwards show its effect. */
  readonly period: number;
}

interface RunningExchange {
  concurrent: number;
  isAlone: boolean;
}

interface PacedAddress {
  /** Exchanges that may run concurrently. */
  limit: number;
  /** Number of changes of the limit so far. */
  period: number;
  running: Set<RunningExchange>;
  /** Milliseconds of the latest exchanges, and of the latest single ones. */
  latest: number[];
  single: number[];
  /** Fast exchanges since the limit changed, and how many are needed to raise it. */
  fast: number;
  needed: number;
  lastRefusalMs: number;
  /** Bytes of the longest answer. */
  longestBytes: number;
  /** Since exchanges have been running without a break: the most at once, and whether all of them were fast. */
  busy: { most: number; isFast: boolean };
}

/**
 * Controls the number of concurrent exchanges with one address. It begins with one and allows more as long as they do
 * not take longer than a single one: an endpoint that processes requests one after the other is not overloaded by us,
 * and one that is merely slow does not make the run slow.
 */
export class Pace {
  readonly #addresses = new Map<string, PacedAddress>();
  /** Running exchanges, by host and port. */
  readonly #places = new Map<string, Set<RunningExchange>>();

  /** Lanes for the next exchange with this address; a part of one while more exchanges than lanes may run. */
  lanes(url: string): number {
    const address = this.#address(url);
    const limit = Math.min(address.limit, mostAtOnce(address));
    if (limit > sharedLanes) return Math.floor((partsOfLane * sharedLanes) / limit) / partsOfLane;
    const { latest } = address;
    const ofSlowest = latest.length === 0 ? sharedLanes : Math.ceil(Math.max(...latest) / quickMs);
    return Math.min(Math.ceil(sharedLanes / limit), Math.max(ofSlowest, 1));
  }

  /**
   * Lanes for a delivery that should be rejected: all of them while rejections are quick, so that it is the only
   * suspect if it stops the process. If rejections are slow or silent, they are awaited concurrently.
   */
  lanesForRefusal(url: string): number {
    return this.#address(url).lastRefusalMs <= quickMs ? sharedLanes : this.lanes(url);
  }

  /** Milliseconds after which an unanswered exchange no longer keeps others waiting. */
  overdueMs(url: string): number {
    return Math.max(overdueMs, overdueFactor * this.slowestMs(url));
  }

  /** Milliseconds of the slowest of the latest answers. */
  slowestMs(url: string): number {
    return Math.max(0, ...this.#address(url).latest);
  }

  /** Milliseconds of the quickest of the latest answers; 0 without any. */
  quickestMs(url: string): number {
    const { latest } = this.#address(url);
    return latest.length === 0 ? 0 : Math.min(...latest);
  }

  /** Registers exchanges that begin together. */
  begin(url: string, count = 1): PacedExchange {
    const address = this.#address(url);
    const { running, period } = address;
    if (running.size === 0) address.busy = { most: 0, isFast: true };
    const atPlace = this.#places.get(placeAt(url)) ?? new Set();
    this.#places.set(placeAt(url), atPlace);
    const exchange = { concurrent: 0, isAlone: true };
    const begun = [exchange, ...Array.from({ length: count - 1 }, () => ({ concurrent: 0, isAlone: true }))];
    for (const one of begun) {
      running.add(one);
      atPlace.add(one);
    }
    for (const one of running) one.concurrent = Math.max(one.concurrent, running.size);
    if (atPlace.size > 1) for (const one of atPlace) one.isAlone = false;
    return {
      period,
      get concurrent() {
        return exchange.concurrent;
      },
      get isAlone() {
        return exchange.isAlone;
      },
      [Symbol.dispose]: () => {
        for (const one of begun) {
          running.delete(one);
          atPlace.delete(one);
        }
      },
    };
  }

  /** Records the time of a rejection in milliseconds; no answer counts as the whole timeout. */
  bookRefusal(url: string, ms: number): void {
    this.#address(url).lastRefusalMs = ms;
  }

  /** Records that no answer came. Among other exchanges, they may be the reason. */
  bookSilence(url: string, { concurrent, isAlone, period }: PacedExchange): void {
    const address = this.#address(url);
    address.busy.isFast = false;
    if (isAlone || period < address.period) return;
    this.#slowDown(address, concurrent);
  }

  /**
   * Records the time of an answer in milliseconds, and its length in bytes. `ownMs` is our own delay in it, at most, which
   * does not show that the endpoint is slower.
   */
  bookAnswer(
    url: string,
    measuredMs: number,
    { concurrent, isAlone, period }: PacedExchange,
    { bytes = 0, ownMs = 0 }: { bytes?: number; ownMs?: number } = {},
  ): void {
    const address = this.#address(url);
    const ms = Math.max(0, measuredMs - ownMs);
    address.longestBytes = Math.max(address.longestBytes, bytes);
    address.latest = [...address.latest, measuredMs].slice(-remembered);
    if (isAlone) address.single = [...address.single, ms].slice(-remembered);
    const usualMs = address.single.length === 0 ? 0 : Math.max(...address.single);
    const isFast = ms <= Math.max(quickMs, asFast * usualMs);
    const { busy, running } = address;
    busy.most = Math.max(busy.most, concurrent);
    busy.isFast &&= usualMs > 0 && isFast;
    const most = Math.min(ms > quickMs ? mostSlow : Math.max(sharedLanes, address.limit), mostAtOnce(address));
    // All that ran together have ended, so their number is known to be harmless.
    if (running.size === 1 && busy.isFast && busy.most > address.limit && address.needed === 1) {
      this.#limit(address, Math.min(2 * busy.most, most));
    }
    if (usualMs === 0 || period < address.period) return;
    if (ms > quickMs && ms > slower * usualMs) {
      this.#slowDown(address, concurrent);
    } else if (concurrent >= address.limit && isFast) {
      if (++address.fast < address.needed) return;
      this.#limit(address, Math.min(2 * address.limit, most));
    }
  }

  #slowDown(address: PacedAddress, concurrent: number): void {
    address.needed = Math.min(caution * address.needed, mostNeeded);
    this.#limit(address, Math.max(1, Math.floor(Math.min(address.limit, concurrent) / 2)));
    // Exchanges may take longer than they did: what is usual is measured again.
    if (address.limit === 1) address.single = [];
  }

  #limit(address: PacedAddress, limit: number): void {
    address.limit = limit;
    address.fast = 0;
    address.period++;
  }

  #address(url: string): PacedAddress {
    let address = this.#addresses.get(url);
    if (!address) {
      address = {
        limit: 1,
        period: 0,
        running: new Set(),
        latest: [],
        single: [],
        fast: 0,
        needed: 1,
        lastRefusalMs: 0,
        longestBytes: 0,
        busy: { most: 0, isFast: true },
      };
      this.#addresses.set(url, address);
    }
    return address;
  }
}

function mostAtOnce({ longestBytes }: PacedAddress): number {
  return longestBytes > largeBytes ? mostSlowAndLarge : mostSlow;
}

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
