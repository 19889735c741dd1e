import { existsSync } from 'node:fs';
import { cp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HarnessFault } from '../harness/checks/faults.ts';
import { makeDirectory } from '../reports/write/make-directory.ts';
import { tryOutDirectory } from '../run/plan/try-out-directory.ts';
import { version } from '../run/version.ts';
import { describeFileError } from '../specs/faults/describe-file-error.ts';
import type { FleetReport } from '../specs/generated/types.ts';
import { addEntries } from './add-entries.ts';
import { showFleet } from './fleet-command.ts';
import { fleetFiles, reportPlace } from './fleet-files.ts';
import { buildFleetReport } from './fleet-report.ts';
import type { Ledger } from './ledger.ts';
import { readFleet } from './read-fleet.ts';
import type { WithoutEntry } from './run-fleet.ts';
import { openLedger } from './sqlite-ledger.ts';

/** A night after all others. */
const always = '9999-12-31';

/**
 * Merges the directories of all shards of one night into one, with their ledgers and reports. A directory that already
 * has a ledger keeps its history. Returns the exit code of the whole fleet. Throws {@link HarnessFault}.
 */
export async function mergeFleets(
  places: readonly string[],
  { out, json = false }: { out: string; json?: boolean },
): Promise<number> {
  const startedAt = new Date();
  const shards: FleetReport[] = [];
  for (const place of places) shards.push(await readFleet(place));
  const [first] = shards;
  if (!first) throw new HarnessFault('shards-not-mergeable', { reason: 'No directory was given' });
  assertMergeable(shards, places);
  await tryOutDirectory(out);
  makeDirectory(out);
  using ledger = await openLedger(join(out, fleetFiles.ledger));
  for (const [at, place] of places.entries()) {
    await addLedger(ledger, join(place, fleetFiles.ledger));
    for (const { id, report } of shards[at]?.targets ?? []) {
      if (report !== undefined) await copyReport(reportPlace(place, id), reportPlace(out, id));
    }
  }
  const targets = shards.flatMap((shard) => shard.targets).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const without = targets.flatMap(({ id, state, reason = '' }): [string, WithoutEntry][] =>
    state === 'unusable' || state === 'not-checked' ? [[id, { state, reason }]] : [],
  );
  const report = buildFleetReport(ledger, {
    version: version(),
    night: first.night,
    startedAt: new Date(Math.min(...shards.map((shard) => Date.parse(shard.startedAt)))),
    durationMs: startedAt.getTime() - Math.min(...shards.map((shard) => Date.parse(shard.startedAt))),
    targets: targets.map(({ id }) => id),
    without: new Map(without),
  });
  return await showFleet(report, ledger, { out, json });
}

function assertMergeable(shards: readonly FleetReport[], places: readonly string[]): void {
  const refuse = (reason: string) => new HarnessFault('shards-not-mergeable', { reason });
  const nights = new Set(shards.map(({ night }) => night));
  if (nights.size > 1) throw refuse(`The directories are of different nights: ${[...nights].join(', ')}`);
  const ofs = new Set(shards.map(({ shard }) => shard?.of));
  if (ofs.size > 1) throw refuse('The directories are of fleets with different numbers of shards');
  const ids = shards.flatMap(({ targets }) => targets.map(({ id }) => id));
  const repeated = ids.find((id, at) => ids.indexOf(id) !== at);
  if (repeated !== undefined) throw refuse(`The target ${repeated} is in more than one of ${places.join(', ')}`);
  const [of] = ofs;
  const missing = Array.from({ length: of ?? 0 }, (_, at) => at + 1).filter(
    (index) => !shards.some(({ shard }) => shard?.index === index),
  );
  if (missing.length > 0) throw refuse(`Shards of ${of} are missing: ${missing.join(', ')}`);
}

async function addLedger(ledger: Ledger, file: string): Promise<void> {
  if (!existsSync(file)) {
    throw new HarnessFault('file-unreadable:expected', {
      file,
      expected: 'the ledger of a fleet',
      reason: describeFileError(Object.assign(new Error(), { code: 'ENOENT' })),
    });
  }
  using other = await openLedger(file);
  for (const night of new Set(other.results(always).map((result) => result.night))) {
    addEntries(ledger, other.entries(night));
  }
}

async function copyReport(from: string, to: string): Promise<void> {
  // A directory may be merged into itself.
  if (existsSync(to) && (await realpath(from)) === (await realpath(to))) return;
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true });
}
