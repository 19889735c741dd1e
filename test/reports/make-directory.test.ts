import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { makeDirectory } from '../../reports/write/make-directory.ts';
import { temporaryDirectory } from '../bin/run-command.ts';

/** Lets another run act just before each directory is created, as often as `times`. */
function interfering(times: number, act: (path: string) => void): Disposable {
  const { mkdirSync } = fs;
  const replaceBy = (replacement: typeof mkdirSync) => {
    fs.mkdirSync = replacement;
    syncBuiltinESMExports();
  };
  let left = times;
  replaceBy(((path: string, options) => {
    if (options === undefined && left-- > 0) act(path);
    return mkdirSync(path, options);
  }) as typeof mkdirSync);
  return { [Symbol.dispose]: () => replaceBy(mkdirSync) };
}

it('returns the first directory that it created', async () => {
  await using directory = await temporaryDirectory();
  expect(makeDirectory(directory.at('fleet/work/one'))).toBe(directory.at('fleet'));
  expect(makeDirectory(directory.at('fleet/work/two'))).toBe(directory.at('fleet/work/two'));
  expect(makeDirectory(directory.at('fleet/work'))).toBeUndefined();
});

it('creates an empty parent again that another run removes', async () => {
  await using directory = await temporaryDirectory();
  fs.mkdirSync(directory.at('work'));
  using _other = interfering(1, (path) => fs.rmdirSync(dirname(path)));
  expect(makeDirectory(directory.at('work/one'))).toBe(directory.at('work'));
  expect(fs.existsSync(directory.at('work/one'))).toBe(true);
});

it('shares a parent that another run creates first', async () => {
  await using directory = await temporaryDirectory();
  const { mkdirSync } = fs;
  using _other = interfering(1, (path) => mkdirSync(path));
  makeDirectory(directory.at('work/one'));
  expect(fs.existsSync(directory.at('work/one'))).toBe(true);
});

it('returns the parent that it created, although another run created what is in it', async () => {
  await using directory = await temporaryDirectory();
  const { mkdirSync } = fs;
  using _other = interfering(Infinity, (path) => {
    if (path.endsWith('one')) mkdirSync(path);
  });
  expect(makeDirectory(directory.at('work/one'))).toBe(directory.at('work'));
});

it('reports a parent that is removed each time', async () => {
  await using directory = await temporaryDirectory();
  using _other = interfering(Infinity, (path) => {
    if (path.endsWith('one')) fs.rmdirSync(dirname(path));
  });
  expect(() => makeDirectory(directory.at('work/one'))).toThrow(/^ENOENT: /);
});
