import { readFile } from 'node:fs/promises';
import type { Level } from '../specs/types.ts';

/** A check as the build found it in the suites. */
export interface KnownCheck {
  id: string;
  requirement: string;
  title: string;
  level: Level;
}

/** What the proof of the suites found for one faulty endpoint. */
export interface KnownMutant {
  mutant: string;
  /** The fault in one sentence. */
  what: string;
  caught: boolean;
  /** Ids of the checks that failed. */
  checks: string[];
}

/** Every check of the suites in the order of the files; `undefined` where no build has listed them (plain sources). */
export function knownChecks(): Promise<KnownCheck[] | undefined> {
  return readBuilt<KnownCheck[]>('checks.json');
}

/** Faulty endpoints by the requirement that each breaks; `undefined` where the proof was not run. */
export function knownMutants(): Promise<Record<string, KnownMutant[]> | undefined> {
  return readBuilt<Record<string, KnownMutant[]>>('kill-matrix.json');
}

async function readBuilt<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(new URL(`../${file}`, import.meta.url), 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
