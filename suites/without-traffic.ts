import { currentRecord } from '../harness/checks/check-record.ts';
import type { CheckKit } from '../harness/checks/check.ts';
import { runExclusively, type Exclusivity } from '../harness/checks/exclusive.ts';

/** Like a check with the option `alone`, for a part of a check. */
export async function withoutTraffic<T>(
  { session }: Pick<CheckKit, 'session'>,
  run: () => Promise<T>,
  alone: Exclusivity = true,
): Promise<T> {
  const record = currentRecord();
  return await runExclusively(session, { record, surface: record?.part?.surface, alone }, run);
}
