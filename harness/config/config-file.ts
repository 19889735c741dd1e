import { describeFileError } from '../../specs/faults/describe-file-error.ts';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fileBounds, readBoundedJson } from '../../specs/bounded-json.ts';
import { configFileNames } from './config-file-names.ts';
import { HarnessFault } from '../checks/faults.ts';

type Loader = (file: string, text: string) => Promise<unknown>;

const loadModule: Loader = async (path) => {
  using _silence = withoutWarning('MODULE_TYPELESS_PACKAGE_JSON');
  const module = (await import(pathToFileURL(path).href)) as { default?: unknown };
  if (module.default === undefined) throw new Error('it has no default export');
  return module.default;
};
const loadYaml: Loader = async (_, text) => (await import('yaml')).parse(text) as unknown;
const loadJson: Loader = async (_, text) => {
  const read = readBoundedJson(Buffer.from(text), fileBounds);
  if ('error' in read) throw new Error(read.cause ?? `it is ${read.error}`);
  return read.value;
};

const loaders: Record<string, Loader> = {
  '.ts': loadModule,
  '.js': loadModule,
  '.mjs': loadModule,
  '.json': loadJson,
  '.yaml': loadYaml,
  '.yml': loadYaml,
};

/**
 * Reads the config at `path`, or the nearest one from `directory` upwards; `undefined` when there is none. Throws
 * {@link HarnessFault}, whose message names the file: `config-not-found` for a path that does not exist,
 * `config-unreadable` for a file that cannot be read or is not a config.
 */
export async function readConfigFile(
  directory: string,
  path?: string,
): Promise<{ file: string; value: unknown } | undefined> {
  const file = path === undefined ? nearestConfig(directory) : resolve(directory, path);
  if (file === undefined) return undefined;
  const name = path ?? relative(directory, file);
  const load = loaders[extname(file)];
  if (!load) {
    throw new HarnessFault('config-unreadable:extension', { file: name, extensions: Object.keys(loaders) });
  }
  if (!existsSync(file)) throw new HarnessFault('config-not-found:file', { file: name });
  try {
    const text = await readFile(file, 'utf8');
    if (text.trim() === '') throw new Error('it is empty');
    return { file, value: await load(file, text) };
  } catch (error) {
    const why = error instanceof Error ? withoutContent(describeFileError(error)) : String(error);
    throw new HarnessFault(
      'config-unreadable:content',
      { file: name, reason: reasonOf(error) ?? why },
      { cause: error },
    );
  }
}

/** The config file in the directory or the nearest one above it; the search ends at the home directory or the root. */
export function nearestConfig(directory: string): string | undefined {
  for (let place = resolve(directory); ; place = dirname(place)) {
    const found = configFileNames.map((name) => join(place, name)).find((file) => existsSync(file));
    if (found !== undefined || place === homedir() || place === dirname(place)) return found;
  }
}

/** Omits one warning of Node until disposed of: the advice in it concerns all modules of the integrator's package. */
function withoutWarning(code: string): Disposable {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = ((warning: string | Error, ...rest: [{ code?: string }?]) => {
    if (rest[0]?.code !== code) emitWarning(warning, ...rest);
  }) as typeof emitWarning;
  return { [Symbol.dispose]: () => void (process.emitWarning = emitWarning) };
}

/** The message of a parser without the pieces of the file that it quotes, which may be secrets. */
function withoutContent(message: string): string {
  const [first = ''] = message.split('\n', 1);
  return first.replace(/, (\.\.\.)?".*$/, ' where it should not be').replace(/:$/, '');
}

function reasonOf(error: unknown): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ERR_MODULE_NOT_FOUND' && message.includes("'svc-conform'")) {
    return 'it imports svc-conform, which is not installed here. Run npm install --save-dev svc-conform, or export the object without defineConfig';
  }
  return undefined;
}
