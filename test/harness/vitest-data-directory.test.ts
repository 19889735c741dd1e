import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { vitestDataDirectory } from '../../harness/checks/vitest-data-directory.ts';
import { temporaryDirectory } from '../bin/run-command.ts';

const nobody = () => {
  throw new Error('ENOENT: uv_os_homedir returned ENOENT');
};
/** By platform: the variable that Vitest reads, and its directory below the value. */
const places = [
  ['linux', 'XDG_DATA_HOME', '.'],
  ['freebsd', 'XDG_DATA_HOME', '.'],
  ['darwin', 'HOME', 'Library/Application Support'],
  ['win32', 'LOCALAPPDATA', '.'],
] as const;

describe('the data directory of Vitest', () => {
  it.each(places)('on %s is a temporary one by %s where the user has no home', (platform, variable) => {
    const environment: NodeJS.ProcessEnv = {};
    let made: string;
    {
      using _data = vitestDataDirectory({ platform, environment, home: nobody });
      made = environment[variable] ?? '';
      expect(Object.keys(environment)).toEqual([variable]);
      expect(existsSync(made)).toBe(true);
    }
    expect(environment).toEqual({});
    expect(existsSync(made)).toBe(false);
  });

  it.each(places)('on %s is that of %s where it can be written, and nothing is changed', async (platform, variable, below) => {
    await using directory = await temporaryDirectory();
    const environment: NodeJS.ProcessEnv = { [variable]: directory.path };
    {
      using _data = vitestDataDirectory({ platform, environment, home: () => directory.path });
      expect(environment).toEqual({ [variable]: directory.path });
    }
    expect(existsSync(join(directory.path, below, 'vitest'))).toBe(true);
  }); // prettier-ignore

  it('is below the home where no variable names one, an empty one included', async () => {
    await using directory = await temporaryDirectory();
    for (const environment of [{}, { XDG_DATA_HOME: '' }]) {
      const before = { ...environment };
      using _data = vitestDataDirectory({ platform: 'linux', environment, home: () => directory.path });
      expect(environment).toEqual(before);
    }
    expect(existsSync(directory.at('.local/share/vitest'))).toBe(true);
  });

  it('gives back what a variable named that cannot be written', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('taken'), '');
    const environment = { XDG_DATA_HOME: directory.at('taken') };
    {
      using _data = vitestDataDirectory({ platform: 'linux', environment, home: nobody });
      expect(environment.XDG_DATA_HOME).not.toBe(directory.at('taken'));
    }
    expect(environment).toEqual({ XDG_DATA_HOME: directory.at('taken') });
  });
});
