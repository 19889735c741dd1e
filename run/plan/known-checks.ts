import { readFile } from 'node:fs/promises';
import type { Level, CheckSource } from '../../specs/generated/types.ts';
import { killMatrixBytes } from './kill-matrix-bytes.ts';

/** A check that the build found in the suites. */
export interface KnownCheck {
  id: string;
  requirement: string;
  title: string;
  level: Level;
  /** Default: `live`. */
  source?: CheckSource;
}

/** Whether a check judges recorded traffic: it runs with `check --capture` alone. */
export function isOfRecordings({ source }: Pick<KnownCheck, 'source'>): boolean {
  return source === 'recording';
}

/** The result of the proof for one faulty endpoint. */
export interface KnownMutant {
  mutant: string;
  /** The fault in one sentence. */
  what: string;
  caught: boolean;
  /** Ids of the checks that failed. */
  checks: string[];
}

/** Every check of the suites in the order of the files; `undefined` without a build (plain sources). */
export async function knownChecks(): Promise<KnownCheck[] | undefined> {
  try {
    return JSON.parse(await readFile(new URL('../../checks.json', import.meta.url), 'utf8')) as KnownCheck[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Faulty endpoints by the requirement that each violates; `undefined` without a proof. */
export async function knownMutants(): Promise<Record<string, KnownMutant[]> | undefined> {
  const bytes = await killMatrixBytes();
  return bytes && (JSON.parse(bytes.toString()) as Record<string, KnownMutant[]>);
}
