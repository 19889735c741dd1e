import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a directory and those above it that are missing. Returns the first that it made; `undefined` when all were there.
 * Throws what the system reports. Node's own recursive mkdir never returns where the system denies that the parent exists,
 * as it does below /proc.
 */
export function makeDirectory(path: string): string | undefined {
  const missing: string[] = [];
  for (let place = resolve(path); !existsSync(place); place = dirname(place)) missing.unshift(place);
  for (const place of missing) if (!existsSync(place)) mkdirSync(place);
  // Of an existing path this only reports that it is not a directory.
  mkdirSync(path, { recursive: true });
  return missing[0];
}
