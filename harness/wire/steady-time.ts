/**
 * Unix milliseconds of the start of this process, plus the time since then: unlike `Date.now()`, it does not jump when
 * the system's clock is set, so that differences are durations.
 */
export function steadyTime(): number {
  return performance.timeOrigin + performance.now();
}
