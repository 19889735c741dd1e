import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Attempts, because another run may remove an empty parent, and create it again, at the same moment. */
const mostAttempts = 5;

/**
 * Creates a directory and its missing parents. Returns the first that it created; `undefined` when all existed.
 * Throws what the system reports. Node's recursive mkdir never returns where the system denies that the parent exists,
 * as below /proc.
 */
export function makeDirectory(path: string): string | undefined {
  const created: string[] = [];
  for (let attempt = 1; ; attempt++) {
    try {
      makeMissing(path, created);
      return created.find((place) => existsSync(place));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (attempt === mostAttempts || (code !== 'ENOENT' && code !== 'EEXIST')) throw error;
    }
  }
}

/** Creates what is missing, from the outermost, and adds it to `created`. */
function makeMissing(path: string, created: string[]): void {
  const missing: string[] = [];
  for (let place = resolve(path); !existsSync(place); place = dirname(place)) missing.unshift(place);
  for (const place of missing) {
    if (existsSync(place)) continue;
    mkdirSync(place);
    created.push(place);
  }
  // For an existing path this only throws when it is not a directory.
  mkdirSync(path, { recursive: true });
}
