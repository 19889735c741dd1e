import { currentRecord } from '../harness/checks/check-record.ts';
import type { CheckKit } from '../harness/checks/check.ts';

/** Like a check with the option `alone`, for a part of a check. */
export async function withoutTraffic<T>({ session }: CheckKit, run: () => Promise<T>): Promise<T> {
  const record = currentRecord();
  return await session.alone(async () => {
    if (record) record.alone = true;
    try {
      return await run();
    } finally {
      if (record) record.alone = false;
    }
  });
}
