import { urlOfSurface } from '../config/url-of-surface.ts';
import type { CheckRecord } from './check-record.ts';
import { HarnessFault, NotExercised } from './faults.ts';
import { FindingError, type Finding } from './finding.ts';
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
  const forgetAttempt = record?.attempt();
  try {
    const result = await session.aloneAt(url, marked(true));
    record?.forgetLateTimes();
    return result;
  } catch (error) {
    // Matchers throw an error of Vitest, and leave their finding in the record.
    const finding = error instanceof FindingError ? error.finding : record?.finding;
    // A delivery of another surface may have ended the process. Unless it is started again, a repetition would show nothing.
    const isRepeated = finding?.stopped
      ? session.restarting !== undefined
      : alone === 'surface-first' && mayBeOfTraffic(error, finding);
    if (!isRepeated) throw error;
    forgetAttempt?.();
  }
  if (record) record.confirms = true;
  try {
    return await session.alone(marked(false));
  } finally {
    if (record) record.confirms = false;
  }
}

/** Whether traffic with other surfaces may be the reason why a check ended. */
function mayBeOfTraffic(error: unknown, finding: Finding | undefined): boolean {
  if (error instanceof NotExercised) return error.mayBeOfTraffic;
  if (error instanceof HarnessFault) return error.code === 'own-delay';
  return finding !== undefined;
}
