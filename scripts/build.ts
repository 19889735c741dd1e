/**
 * `node scripts/build.ts [--if-stale]`: compiles the sources into dist/ and adds what the command line reads at run
 * time. It does not check types; `npm run typecheck` does. With `--if-stale`, it does nothing if no source has changed since
 * the last build, and otherwise writes no declarations.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, glob, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileValidators } from './compile-validators.ts';
import { listChecks } from './list-checks.ts';

const root = new URL('../', import.meta.url);
const at = (path: string) => fileURLToPath(new URL(path, root));

/** Everything that dist/ is made from. */
const sources = [
  '{bin,contracts,diagnosis,entry,examples,fleet,generators,harness,load,reports,run,scripts,service,simulate,specs,suites}/**/*.{ts,mjs,json,md,txt,yaml}',
  'diagnosis/snippets/*/*',
  'tsconfig*.json',
  'package-lock.json',
  'test/proving/kill-matrix.json',
];
/** The build directory until it replaces dist/, so that a failed build leaves the last good one. */
const stage = 'dist.new';
const stampFile = 'build-stamp';

/** A hash of all sources; dist/ is stale if it has another one. */
async function stampOfSources(): Promise<string> {
  const files: string[] = [];
  for await (const file of glob(sources, { cwd: at('.') })) files.push(file);
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(`${file}\0`).update(await readFile(at(file)));
  return hash.digest('hex');
}

async function build(stamp: string, typeArgs: readonly string[]): Promise<void> {
  await rm(at(stage), { recursive: true, force: true });
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const args = [tsc, '-p', at('tsconfig.build.json'), '--outDir', at(stage), ...typeArgs];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error('tsc found errors');
  await assertEndings();
  await removeUnusedTypes();
  await cp(at('specs/schemas'), at(`${stage}/specs/schemas`), { recursive: true });
  await cp(at('diagnosis/snippets'), at(`${stage}/diagnosis/snippets`), { recursive: true });
  await cp(at('specs/generated/contracts'), at(`${stage}/specs/generated/contracts`), { recursive: true });
  for (const file of ['integrator/README.md', 'links.txt'])
    await cp(at(`examples/${file}`), at(`${stage}/examples/${file}`));
  for (const directory of ['pact', 'scenarios'])
    await cp(at(`examples/${directory}`), at(`${stage}/examples/${directory}`), { recursive: true });
  await nameBuiltFiles(`${stage}/examples/svc-conform.config.json`);
  await writeFile(at(`${stage}/specs/compiled-validators.cjs`), compileValidators());
  await writeFile(at(`${stage}/checks.json`), JSON.stringify(await listChecks(at(stage), 'js'), undefined, 1));
  await cp(at('test/proving/kill-matrix.json'), at(`${stage}/kill-matrix.json`)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
  await writeFile(at(`${stage}/${stampFile}`), stamp);
  await rm(at('dist'), { recursive: true, force: true });
  await rename(at(stage), at('dist'));
}

/** Throws if an `import()` names a `.ts` file: tsc does not rewrite the ending in a function with `using`. */
async function assertEndings(): Promise<void> {
  for await (const file of glob('**/*.js', { cwd: at(stage) })) {
    const [left] = /\bimport\(['"]\.[^'"]*\.ts['"]\)/.exec(await readFile(at(`${stage}/${file}`), 'utf8')) ?? [];
    if (left !== undefined) throw new Error(`${file} has ${left}: move it into a function without using`);
  }
}

/** Removes the declarations that no module of `exports` in package.json reaches: nine of ten files. */
async function removeUnusedTypes(): Promise<void> {
  const used = new Set<string>();
  const visit = async (file: string): Promise<void> => {
    if (used.has(file)) return;
    used.add(file);
    const text = await readFile(at(`${stage}/${file}`), 'utf8').catch(() => '');
    for (const [, target = ''] of text.matchAll(/\b(?:from|import)\b[\s(]*['"](\.[^'"]+)\.[jt]s['"]/g)) {
      await visit(join(dirname(file), `${target}.d.ts`));
    }
  };
  for await (const file of glob('entry/*.d.ts', { cwd: at(stage) })) await visit(file);
  for await (const file of glob('**/*.d.ts', { cwd: at(stage) })) {
    if (!used.has(file)) await rm(at(`${stage}/${file}`));
  }
}

/** Replaces sources by compiled files in the commands of the example, because the package contains only those. */
async function nameBuiltFiles(config: string): Promise<void> {
  const text = await readFile(at(config), 'utf8');
  await writeFile(at(config), text.replace(/("command": "node [\w/-]+)\.ts"/g, '$1.js"'));
}

const stamp = await stampOfSources();
const built = await readFile(at(`dist/${stampFile}`), 'utf8').catch(() => undefined);
const isOnlyIfStale = process.argv.includes('--if-stale');
if (!isOnlyIfStale) await build(stamp, ['--noCheck']);
else if (built !== stamp) await build(stamp, ['--noCheck', '--declaration', 'false']);
