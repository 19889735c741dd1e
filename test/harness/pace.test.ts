import { describe, expect, it } from 'vitest';
import { Pace, type AddressPace, type PacedExchange } from '../../harness/wire/pace.ts';
import { TrafficGate, sharedLanes } from '../../harness/wire/traffic-gate.ts';

const url = 'http://127.0.0.1:1/';

/** The concurrent exchanges in each of `rounds` rounds, if an endpoint takes `msOf(concurrent)` for each. */
function concurrencies(msOf: (concurrent: number) => number, rounds: number, bytes = 0): number[] {
  const pace = new Pace();
  return Array.from({ length: rounds }, () => {
    const count = Math.floor(sharedLanes / pace.of(url).lanes);
    wave(pace, count, () => msOf(count), bytes);
    return count;
  });
}

/** So many concurrent exchanges, each of its duration. */
function wave(pace: Pace, count: number, ms: () => number, bytes = 0): void {
  const running = Array.from({ length: count }, () => pace.of(url).begin());
  for (const exchange of running) pace.of(url).bookAnswer(ms(), exchange, { bytes });
  for (const exchange of running) exchange[Symbol.dispose]();
}

describe('the pace of an address', () => {
  it('begins with one exchange and allows all of them once one was quick', () => {
    expect(concurrencies(() => 5, 3)).toEqual([1, 8, 8]);
    expect(concurrencies((concurrent) => 40 * concurrent, 3)).toEqual([1, 8, 8]);
  });

  it('doubles while concurrent exchanges take no longer, however slow the endpoint is', () => {
    expect(concurrencies(() => 9_000, 7)).toEqual([1, 2, 4, 8, 16, 32, 32]);
    expect(concurrencies(() => 9_000, 5, 70_000)).toEqual([1, 2, 4, 4, 4]);
  });

  it('stays at one, and tries two ever more rarely, if exchanges are processed one at a time', () => {
    const counts = concurrencies((concurrent) => 2_000 * concurrent, 60);
    expect(counts.slice(0, 3)).toEqual([1, 2, 1]);
    expect(Math.max(...counts)).toBe(2);
    expect(counts.filter((count) => count > 1).length).toBeLessThan(5);
  });

  it('finds how many exchanges an endpoint processes concurrently', () => {
    const counts = concurrencies((concurrent) => 2_000 * Math.ceil(concurrent / 4), 40);
    expect(counts.filter((count) => count > 4).length).toBeLessThan(5);
    expect(counts.filter((count) => count === 4).length).toBeGreaterThan(20);
  });

  it('halves more exchanges than lanes once they take longer, and keeps them for a quick answer among them', () => {
    const counts = concurrencies((concurrent) => 1_000 * Math.ceil(concurrent / 8), 40);
    expect(counts.slice(0, 6)).toEqual([1, 2, 4, 8, 16, 8]);
    expect(counts.filter((count) => count === 8).length).toBeGreaterThan(20);
    let answers = 0;
    expect(concurrencies(() => (answers++ < 15 ? 9_000 : 5), 6)).toEqual([1, 2, 4, 8, 16, 16]);
  });

  it.each(Array.from({ length: 14 }, (_, at) => 18 + at))(
    'leaves the gate free after %i exchanges of which half as many were in time',
    { timeout: 5_000 },
    async (count) => {
      const pace = new Pace();
      for (let round = 0; round < 5; round++) wave(pace, 2 ** round, () => 1_000);
      wave(pace, count, () => 3_000);
      const lanes = pace.of(url).lanes;
      const gate = new TrafficGate();
      const held = await Promise.all(
        Array.from({ length: Math.floor(sharedLanes / lanes) }, () => gate.shared(lanes, { place: 'one' })),
      );
      expect(held.length).toBeGreaterThanOrEqual(8);
      for (const one of held) one[Symbol.dispose]();
      using alone = await gate.alone();
      expect(alone).toBeDefined();
    },
  );

  it('takes no time for the usual one while the same process handles requests to another address', () => {
    const lanesWith = (other: string) => {
      const pace = new Pace();
      const book = (ms: number, elsewhere = 'http://127.0.0.1:2/') => {
        using _other = pace.of(elsewhere).begin();
        using exchange = pace.of(url).begin();
        pace.of(url).bookAnswer(ms, exchange);
      };
      book(10_000, other);
      book(5_000);
      using _one = pace.of(url).begin();
      book(12_000);
      return pace.of(url).lanes;
    };
    expect(lanesWith('http://127.0.0.1:3/')).toBeLessThan(sharedLanes);
    expect(lanesWith(`${url}other`)).toBe(sharedLanes);
  });

  it.each([
    {
      answers: [1_000, 1_000, 1_000, 1_000, 1_000],
      atOnce: 10,
      what: 'doubles the number of exchanges that all were fast',
    },
    { answers: [1_000, 2_000, 3_000, 4_000, 5_000], atOnce: 1, what: 'does not if some of them had to wait' },
  ])('$what', ({ answers, atOnce }) => {
    const pace = new Pace();
    wave(pace, 1, () => 1_000);
    const running = answers.map((ms) => ({ ms, exchange: pace.of(url).begin() }));
    for (const { ms, exchange } of running) {
      pace.of(url).bookAnswer(ms, exchange);
      exchange[Symbol.dispose]();
    }
    expect(Math.floor(sharedLanes / pace.of(url).lanes)).toBe(atOnce);
  });

  it('does not mistake our own delay for that of the endpoint', () => {
    const lanesAfter = (ownMs: number) => {
      const pace = new Pace();
      for (const count of [1, 2, 4]) wave(pace, count, () => 1_000);
      using exchange = pace.of(url).begin();
      using _other = pace.of(url).begin();
      pace.of(url).bookAnswer(2_000, exchange, { ownMs });
      return pace.of(url).lanes;
    };
    expect(lanesAfter(0)).toBeGreaterThan(1);
    expect(lanesAfter(900)).toBe(1);
  });

  it('permits a few concurrent exchanges that take little longer than quick ones', () => {
    expect(concurrencies(() => 500, 2)).toEqual([1, 4]);
  });

  it('sends rejected deliveries alone while rejections are quick, and otherwise as many as the endpoint bears', () => {
    const pace = new Pace();
    expect(pace.of(url, { toBeRefused: true }).lanes).toBe(sharedLanes);
    for (let nth = 0; nth < 3; nth++) {
      const running = Array.from({ length: sharedLanes / pace.of(url).lanes }, () => pace.of(url).begin());
      for (const exchange of running) pace.of(url).bookAnswer(5_000, exchange);
      for (const exchange of running) exchange[Symbol.dispose]();
    }
    const refused = pace.of(url, { toBeRefused: true });
    expect(refused.lanes).toBe(sharedLanes);
    using exchange = refused.begin();
    refused.bookAnswer(5_000, exchange);
    expect(refused.lanes).toBe(1);
    // One after the other, a hundred of these would take too long as well.
    refused.bookAnswer(300, exchange);
    expect(refused.lanes).toBe(1);
    refused.bookAnswer(200, exchange);
    expect(refused.lanes).toBe(sharedLanes);
    refused.bookAnswer(300, exchange);
    // After a stop, each is the only suspect again.
    refused.forgetTimes();
    expect(refused.lanes).toBe(sharedLanes);
  });
});

/**
 * Exchanges with three addresses of one host and port, `count` with each, whose process has so many workers for all of them.
 * Each takes a worker for `ms`. Returns the time of the one that waited longest, and the most at once.
 */
function simulate(workers: number, ms: number, count: number): { longestMs: number; most: number } {
  const pace = new Pace();
  const left = Array.from({ length: 3 * count }, (_, at) => pace.of(`${url}${at % 3}`));
  const running: { of: AddressPace; lanes: number; exchange: PacedExchange; from: number; until: number }[] = [];
  const free = Array.from({ length: Math.min(workers, left.length) }, () => 0);
  let [now, longestMs, most] = [0, 0, 0];
  while (left.length > 0 || running.length > 0) {
    const next = left.findIndex(
      (of) =>
        running.reduce((sum, { lanes }) => sum + lanes, of.lanes) <= sharedLanes &&
        running.filter((other) => other.of === of).length < of.most,
    );
    const [of] = next < 0 ? [] : left.splice(next, 1);
    if (of) {
      const until = Math.max(now, ...free.splice(free.indexOf(Math.min(...free)), 1)) + ms;
      free.push(until);
      running.push({ of, lanes: of.lanes, exchange: of.begin(), from: now, until });
      most = Math.max(most, running.length);
      continue;
    }
    const ended = running.reduce((first, one) => (one.until < first.until ? one : first));
    now = ended.until;
    longestMs = Math.max(longestMs, now - ended.from);
    ended.of.bookAnswer(now - ended.from, ended.exchange);
    ended.exchange[Symbol.dispose]();
    running.splice(running.indexOf(ended), 1);
  }
  return { longestMs, most };
}

describe('a slow address next to others of its host and port', () => {
  const other = `${url}other`;
  /** Slow exchanges with one address, as many at once as it bears. */
  const widen = (pace: Pace) => {
    for (const count of [1, 2, 4, 8, 16]) wave(pace, count, () => 1_000);
  };
  const exchangeWithOther = (pace: Pace, ms: number) => {
    using exchange = pace.of(other).begin();
    pace.of(other).bookAnswer(ms, exchange);
  };

  it('leaves lanes to the others, of which many at once were as fast as one', () => {
    const pace = new Pace();
    exchangeWithOther(pace, 2_000);
    expect(pace.of(other).lanes).toBe(4);
    widen(pace);
    expect(pace.of(other)).toMatchObject({ lanes: 0.25, ownLanes: 4, most: 2 });
  });

  it('needs all lanes for its first exchange, unless many of the others were as fast as one', () => {
    const pace = new Pace();
    expect(pace.of(other)).toMatchObject({ lanes: sharedLanes, most: 1 });
    widen(pace);
    expect(pace.of(other)).toMatchObject({ lanes: 0.25, most: 1 });
  });

  it('does so no longer once it was slower among them', () => {
    const pace = new Pace();
    exchangeWithOther(pace, 2_000);
    widen(pace);
    using _others = pace.of(url).begin(8);
    exchangeWithOther(pace, 4_000);
    expect(pace.of(other).lanes).toBe(pace.of(other).ownLanes);
    expect(pace.of(other).lanes).toBeGreaterThan(1);
  });

  it('takes more lanes if its answers are large', () => {
    const pace = new Pace();
    widen(pace);
    using exchange = pace.of(other).begin();
    pace.of(other).bookAnswer(2_000, exchange, { bytes: 70_000 });
    expect(pace.of(other).lanes).toBe(2);
  });

  it('is known to be able to wait for many only from those that it accepts and answers', () => {
    const pace = new Pace();
    wave(pace, 1, () => 1_000);
    const refused = pace.of(url, { toBeRefused: true });
    for (let round = 0; round < 6; round++) {
      const running = Array.from({ length: refused.most }, () => refused.begin());
      for (const exchange of running) refused.bookSilence(30_000, exchange);
      for (const exchange of running) exchange[Symbol.dispose]();
    }
    expect(refused.most).toBeLessThanOrEqual(pace.of(url).most);
    expect(pace.of(other).lanes).toBe(sharedLanes);
  });

  it('rejects no more large bodies at once than it accepts', () => {
    const pace = new Pace();
    for (const count of [1, 2, 4, 4]) wave(pace, count, () => 1_000, 70_000);
    const refused = pace.of(url, { toBeRefused: true });
    for (const count of [1, 4, 8]) {
      const running = Array.from({ length: count }, () => refused.begin());
      for (const exchange of running) refused.bookAnswer(1_000, exchange);
      for (const exchange of running) exchange[Symbol.dispose]();
    }
    expect(refused.most).toBe(4);
  });

  it.each([
    { workers: 1, longestMs: 12_000 },
    { workers: 4, longestMs: 12_000 },
    { workers: Infinity, longestMs: 6_000 },
  ])('answers at most twice as late as a single one with $workers workers for three addresses', (endpoint) => {
    const { longestMs, most } = simulate(endpoint.workers, 6_000, 25);
    expect(longestMs).toBeLessThanOrEqual(endpoint.longestMs);
    // Those of several workers have work to do, and more than that of all if they only wait.
    expect(most).toBeGreaterThanOrEqual(Math.min(endpoint.workers, 20));
  });

  it('rejects as many at once as it accepts, and then as many as it bears', () => {
    const pace = new Pace();
    widen(pace);
    const refused = pace.of(url, { toBeRefused: true });
    using first = refused.begin();
    refused.bookAnswer(1_000, first);
    expect(refused.most).toBe(32);
    using _others = refused.begin(8);
    using slow = refused.begin();
    refused.bookAnswer(3_000, slow);
    expect(refused.most).toBeLessThan(8);
    expect(pace.of(url).most).toBe(32);
  });
});
