/** A generator of numbers from 0 to 1, exclusive; the same seed gives the same numbers (mulberry32). */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Milliseconds from the start of a step at which events arrive: independent of each other, as those of many customers are
 * (a Poisson process). The first one comes at once, so that no step is empty.
 *
 * @param rate arrivals per second on average
 */
export function arrivalTimes(rate: number, seconds: number, random: () => number): number[] {
  const times = [0];
  let at = 0;
  while ((at -= Math.log(1 - random()) / rate) < seconds) times.push(at * 1000);
  return times;
}
