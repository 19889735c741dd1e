/** Milliseconds of the calculation below on the machine for which the limits of the tests are set. */
const usualMs = 26;

function calculationMs(): number {
  const startedAt = performance.now();
  let value = 0;
  for (let index = 0; index < 1e7; index++) value = (value * 31 + index) | 0;
  // Uses the value, so that the loop is not optimised away.
  return performance.now() - startedAt + (value === 0.5 ? 1 : 0);
}

/** How many times slower this machine is than the usual one: 1 to 4. */
function measureSlowness(): number {
  const fastest = Math.min(...Array.from({ length: 8 }, calculationMs));
  return Math.min(4, Math.max(1, fastest / usualMs));
}

/** Measured once, before the tests begin: the processes of Vitest inherit it. */
export const slowness = readSlowness();

function readSlowness(): number {
  const inherited = Number(process.env['TEST_MACHINE_SLOWNESS']);
  const value = inherited >= 1 ? inherited : measureSlowness();
  process.env['TEST_MACHINE_SLOWNESS'] = String(value);
  return value;
}

/** The number of runs at the same time on this machine, if it is `atOnce` on the usual one: more would change verdicts about times. */
export function onThisMachine(atOnce: number): number {
  return Math.max(1, Math.round(atOnce / slowness));
}
