import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { addEntries } from '../add-entries.ts';
import { hasDigest, publishReport, reportPlace, workPlace } from '../fleet-files.ts';
import type { QueuedFleet, SharedLedger } from './fleet-store.ts';

/** Copies the entries of all machines up to a night into a ledger, and the reports of that night into its directory. */
export async function collectNight(shared: SharedLedger, { out, ledger, night, targets }: QueuedFleet): Promise<void> {
  for (const one of await shared.nights()) {
    if (one > night) continue;
    const [there, here] = [await shared.finished(one), ledger.finished(one)];
    if (there.length > here.length || one === night) addEntries(ledger, await shared.entries(one));
  }
  if (out === undefined) return;
  const known = new Set(targets);
  for (const entry of ledger.entries(night)) {
    const { target, result } = entry;
    if (result?.state !== 'complete' || !known.has(target)) continue;
    if (await hasDigest(reportPlace(out, target), result.digest)) continue;
    const report = await shared.report(target, night);
    if (report.size === 0) continue;
    const work = workPlace(out, entry);
    await mkdir(work, { recursive: true });
    for (const [name, content] of report) await writeFile(join(work, basename(name)), content);
    publishReport(out, ledger, entry);
  }
}
