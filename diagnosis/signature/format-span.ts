const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Relative deviation up to which an amount is rounded to a whole unit. */
const roundingPart = 0.02;

/** An amount of seconds in words, such as "7 minutes" or "90 seconds"; the sign is omitted. */
export function formatSpan(seconds: number): string {
  const amount = Math.abs(seconds);
  for (const [unit, size] of units) {
    const count = amount / size;
    const whole = Math.round(count);
    const isWhole = Math.abs(count - whole) <= Math.max(roundingPart * count, size === 1 ? 1 : 0);
    if (whole < 1 || !isWhole) continue;
    return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
  }
  return `${Math.round(amount)} seconds`;
}
