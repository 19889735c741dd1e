import { urlOfSurface } from '../config/url-of-surface.ts';
import type { CheckRecord } from './check-record.ts';
import { HarnessFault, NotExercised } from './faults.ts';
import { FindingError } from './finding.ts';
import type { Session } from './session.ts';

/**
 * Where a check has no other exchange in flight. `true`: at no address. `surface`: at the address of the surface, for what
 * traffic with other surfaces cannot change. `surface-first`: the same, for times and for exchanges at once; a failure then
 * counts only if it shows again with no other exchange at any address.
 */
export type Exclusivity = boolean | 'surface' | 'surface-first';

/** Runs a check of this surface, or a part of one, without concurrent exchanges. */
export async function runExclusively<T>(
  session: Session,
  { record, surface, alone }: { record: CheckRecord | undefined; surface: string | undefined; alone: Exclusivity },
  run: () => Promise<T>,
): Promise<T> {
  const marked = (othersHaveTraffic: boolean) => async () => {
    if (record) {
      record.alone = true;
      record.othersHaveTraffic = othersHaveTraffic;
    }
    try {
      return await run();
    } finally {
      if (record) {
        record.alone = false;
        record.othersHaveTraffic = false;
      }
    }
  };
  const url = urlOfSurface(session.settings.config, surface);
  if (url === undefined || (alone !== 'surface' && alone !== 'surface-first'))
    return await session.alone(marked(false));
  const atSurface = () => session.aloneAt(url, marked(true));
  if (alone === 'surface') return await atSurface();
  const forgetAttempt = record?.attempt();
  try {
    const result = await atSurface();
    record?.forgetLateTimes();
    return result;
  } catch (error) {
    if (!mayBeOfTraffic(error, record)) throw error;
    forgetAttempt?.();
  }
  if (record) record.confirms = true;
  try {
    return await session.alone(marked(false));
  } finally {
    if (record) record.confirms = false;
  }
}

/**
 * Whether traffic with other surfaces may be the reason why a check ended. A stop of the endpoint has its own repetition.
 * Matchers throw an error of Vitest and leave their finding in the record.
 */
function mayBeOfTraffic(error: unknown, record: CheckRecord | undefined): boolean {
  if (error instanceof NotExercised) return error.mayBeOfTraffic;
  if (error instanceof HarnessFault) return error.code === 'own-delay';
  const finding = error instanceof FindingError ? error.finding : record?.finding;
  return finding !== undefined && finding.stopped !== true;
}
