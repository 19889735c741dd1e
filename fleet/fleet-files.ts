import { existsSync, renameSync, rmSync } from 'node:fs';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { formatJson } from '../reports/text/format-json.ts';
import { renderFleetHtml } from '../reports/write/fleet/render-fleet-html.ts';
import { makeDirectory } from '../reports/write/make-directory.ts';
import { writeReport } from '../reports/write/write-report.ts';
import { reportFile } from '../run/input/read-report.ts';
import type { FleetReport } from '../specs/generated/types.ts';
import { digestOf } from './certified.ts';
import { reportsDirectory } from './fleet-report.ts';
import type { Claim, Ledger } from './ledger.ts';

/** Files of a fleet in its directory. */
export const fleetFiles = { json: 'fleet.json', html: 'index.html', ledger: 'ledger.sqlite' } as const;
/** Directory of reports that are being written, in that of the fleet. */
const workDirectory = 'work';

/** Where the check of a claim writes its report, until the claim is completed. */
export function workPlace(out: string, { target, token }: Pick<Claim, 'target' | 'token'>): string {
  return join(out, workDirectory, `${target}.${token}`);
}

/** Where the latest report of a target is. */
export function reportPlace(out: string, target: string): string {
  return join(out, reportsDirectory, target);
}

/** Moves the report of a completed claim to its place, unless another process that recovers work has done so. */
export function publishReport(out: string, ledger: Ledger, claim: Pick<Claim, 'target' | 'token'>): void {
  const [work, place] = [workPlace(out, claim), reportPlace(out, claim.target)];
  makeDirectory(join(out, reportsDirectory));
  ledger.exclusively(() => {
    if (!existsSync(work)) return;
    rmSync(place, { recursive: true, force: true });
    renameSync(work, place);
  });
}

/** Removes what the check of a claim has written. */
export async function discardWork(out: string, claim: Pick<Claim, 'target' | 'token'>): Promise<void> {
  await rm(workPlace(out, claim), { recursive: true, force: true });
}

/**
 * Completes what a process that died has left: moves reports of completed claims to their place, and removes those of
 * claims that are no longer valid.
 */
export async function recoverWork(out: string, ledger: Ledger, now: number): Promise<void> {
  const names = await readdir(join(out, workDirectory)).catch(() => []);
  for (const name of names) {
    const [target = '', token] = name.split('.');
    const entry = ledger.withToken(target, Number(token));
    if (entry?.leaseUntil !== undefined && entry.leaseUntil > now) continue;
    const place = join(out, workDirectory, name);
    const { result } = entry ?? {};
    if (entry && result?.state === 'complete' && (await hasDigest(place, result.digest))) {
      publishReport(out, ledger, entry);
    } else await rm(place, { recursive: true, force: true });
  }
}

/** Writes the report and the overview of a fleet. Returns the paths. */
export async function writeFleet(out: string, report: FleetReport): Promise<string[]> {
  return await writeReport(out, {
    [fleetFiles.json]: formatJson(report, 2),
    [fleetFiles.html]: renderFleetHtml(report),
  });
}

/** Whether the report.json of a directory has this digest. */
export async function hasDigest(directory: string, digest: string): Promise<boolean> {
  const text = await readFile(join(directory, reportFile), 'utf8').catch(() => undefined);
  return text !== undefined && digestOf(text) === digest;
}
