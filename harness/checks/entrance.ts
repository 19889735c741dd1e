import { withoutRecord } from './check-record.ts';
import { HarnessFault } from './faults.ts';

/**
 * Milliseconds that the checks of a surface wait for its entrance: an endpoint that answers at all answers three requests
 * in that time, and a slow one is judged without.
 */
const longestWaitMs = 1_500;

/** The requirement that decides whether a valid request is accepted. */
const requirements = /\/accepts-(?:the-token|valid-signature)$/;

/** Whether a requirement decides if valid requests are accepted: its failure prevents an endpoint from checking anything else. */
export function isEntrance(requirement: string): boolean {
  return requirements.test(requirement);
}

/**
 * Tries a surface before its checks, once in a run.
 *
 * @returns the status with which it refuses valid and forged requests alike; `undefined` when it accepts one, or differs
 */
export type TryEntrance<Kit> = (kit: Kit) => Promise<number | undefined>;

const tried = new WeakMap<object, Map<string, Promise<number | undefined>>>();

/**
 * Throws `not-tried` when this surface refuses every request: what its checks would send gets the same answer. Nothing is
 * thrown for an endpoint that is slow, limits the rate, cannot be reached or refuses for another reason.
 *
 * @param session of the run; the first check of a surface that calls this tries it
 */
export async function assertOpen(
  session: object,
  surface: string,
  tryEntrance: () => Promise<number | undefined>,
): Promise<void> {
  const bySurface = tried.get(session) ?? new Map<string, Promise<number | undefined>>();
  tried.set(session, bySurface);
  let trying = bySurface.get(surface);
  if (!trying) {
    trying = inTime(withoutRecord(tryEntrance));
    bySurface.set(surface, trying);
  }
  const status = await trying;
  if (status !== undefined) throw new HarnessFault('not-tried', { surface, status });
}

async function inTime(trying: Promise<number | undefined>): Promise<number | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), longestWaitMs);
  });
  try {
    // What cannot be sent here is reported by the checks.
    return await Promise.race([trying.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
