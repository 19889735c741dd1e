import { withoutRecord } from './check-record.ts';
import { HarnessFault } from './faults.ts';

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
    // The checks report a request that cannot be sent.
    trying = withoutRecord(tryEntrance).catch(() => undefined);
    bySurface.set(surface, trying);
  }
  const status = await trying;
  if (status !== undefined) throw new HarnessFault('not-tried', { surface, status });
}
