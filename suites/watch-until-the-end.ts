import type { CheckKit } from '../harness/checks/check.ts';

/**
 * Waits until `watchMs` milliseconds have passed since `fromMs`, which at the end of a run they usually have. Returns the
 * time watched as text for the report.
 *
 * @param watchMs default: `settings.retryWatchMs`
 */
export async function watchUntilTheEnd(
  { settings }: Pick<CheckKit, 'settings'>,
  fromMs: number,
  watchMs = settings.retryWatchMs,
): Promise<string> {
  const leftMs = fromMs + watchMs - performance.now();
  if (leftMs > 0) await new Promise((wake) => setTimeout(wake, leftMs));
  return `${Math.floor((performance.now() - fromMs) / 1000)} s`;
}
