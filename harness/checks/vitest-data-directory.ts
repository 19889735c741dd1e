import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

export interface DataDirectoryOptions {
  platform?: NodeJS.Platform;
  environment?: NodeJS.ProcessEnv;
  /** The user's home directory; throws if there is none. */
  home?: () => string;
}

/**
 * Ensures that Vitest can write the token of a page that we never open; without a place for it Vitest does not run. If
 * the user has no home directory or a read-only one, the environment variable that Vitest reads on this platform points
 * to a temporary directory until this is disposed of.
 */
export function vitestDataDirectory({
  platform = process.platform,
  environment = process.env,
  home = homedir,
}: DataDirectoryOptions = {}): Disposable {
  const { variable, below, belowHome } = placeOn(platform);
  const before = environment[variable];
  const isUsable = isWritable(() => {
    const named = before === undefined || before === '' ? undefined : join(before, below);
    return join(named ?? join(home(), belowHome), 'vitest');
  });
  if (isUsable) return { [Symbol.dispose]: () => undefined };
  const directory = mkdtempSync(join(tmpdir(), 'svc-conform-'));
  environment[variable] = directory;
  return {
    [Symbol.dispose]: () => {
      if (before === undefined) delete environment[variable];
      else environment[variable] = before;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The directory that Vitest 5 uses (`getUserDataDir`): below the directory in the variable, or else below the home directory. */
function placeOn(platform: NodeJS.Platform): { variable: string; below: string; belowHome: string } {
  if (platform === 'win32') return { variable: 'LOCALAPPDATA', below: '', belowHome: 'AppData/Local' };
  // macOS has no variable other than the home directory itself.
  const library = 'Library/Application Support';
  if (platform === 'darwin') return { variable: 'HOME', below: library, belowHome: library };
  return { variable: 'XDG_DATA_HOME', below: '', belowHome: '.local/share' };
}

function isWritable(place: () => string): boolean {
  try {
    const directory = place();
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
