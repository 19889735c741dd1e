import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lilconfig, type Loader } from 'lilconfig';
import { HarnessFault } from './faults.ts';

/** File names that are looked for, in this order, in the working folder and above it. */
export const configFileNames = ['ts', 'js', 'mjs', 'json', 'yaml', 'yml'].map((ext) => `svc-conform.config.${ext}`);

const loadModule: Loader = async (path) => {
  const module = (await import(pathToFileURL(path).href)) as { default?: unknown };
  if (module.default === undefined) throw new Error('it has no default export');
  return module.default;
};
const loadYaml: Loader = async (_, text) => (await import('yaml')).parse(text) as unknown;
const loadJson: Loader = (_, text) => JSON.parse(text) as unknown;

const loaders: Record<string, Loader> = {
  '.ts': loadModule,
  '.js': loadModule,
  '.mjs': loadModule,
  '.json': loadJson,
  '.yaml': loadYaml,
  '.yml': loadYaml,
};

/**
 * Reads the config at `path`, or the nearest one from `folder` upwards; `undefined` when there is none to be found.
 * Throws {@link HarnessFault} `config-not-found` for a path that is not there, `config-unreadable` for one that is no
 * config.
 */
export async function readConfigFile(
  folder: string,
  path?: string,
): Promise<{ file: string; value: unknown } | undefined> {
  const search = lilconfig('svc-conform', { searchPlaces: configFileNames, loaders });
  if (path === undefined) {
    try {
      const found = await search.search(folder);
      return found && !found.isEmpty ? { file: found.filepath, value: found.config as unknown } : undefined;
    } catch (error) {
      throw unreadable('the config file', error);
    }
  }
  const file = resolve(folder, path);
  const load = loaders[extname(file)];
  if (!load) {
    throw new HarnessFault(
      'config-unreadable',
      `${path}: expected a file that ends in ${Object.keys(loaders).join(', ')}.`,
    );
  }
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new HarnessFault('config-not-found', `${path}: ${(error as Error).message}.`, { cause: error });
  }
  try {
    return { file, value: (await load(file, text)) as unknown };
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(name: string, error: unknown): HarnessFault {
  const why = error instanceof Error ? error.message : String(error);
  return new HarnessFault('config-unreadable', `${name} cannot be read: ${why}`, { cause: error });
}
