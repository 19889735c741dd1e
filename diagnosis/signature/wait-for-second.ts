/** Milliseconds after the beginning of a second at which `t` is as fresh as it can be. */
export const earlyInSecondMs = 20;

/** Waits until our clock is this many milliseconds past a full second. */
export async function waitForSecond(ms: number): Promise<void> {
  const waitMs = (1000 + ms - (Date.now() % 1000)) % 1000;
  await new Promise((wake) => setTimeout(wake, waitMs));
}
