import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importersOf, loads, type ImportGraph } from './import-graph.ts';
import type { Noticer } from './noticer.ts';
import type { PlantedSources } from './planted-sources.ts';

/** Milliseconds for the test files of one fault: a fault may also make a test wait for ever. */
const testsMs = 150_000;
/** Files that run the whole proof, which detects faults separately. */
const proofs = ['test/proving/run-proof.ts', 'test/proving/run-contracts-proof.ts'];
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const config = fileURLToPath(new URL('vitest.config.ts', import.meta.url));

/** The part of Vitest's JSON report that is read. */
interface TestFileResult {
  name: string;
  status: string;
  assertionResults: { status: string }[];
}

/** The unit tests that load the file of a fault: at most `most` files. */
export function unitTests(sources: PlantedSources, root: string, graph: ImportGraph, most: number): Noticer {
  /** Whether a file passes without a fault. */
  const sound = new Map<string, Promise<boolean>>();
  const isSound = (file: string) => {
    const known = sound.get(file) ?? failedTests(sources, root, [file]).then((failed) => failed.length === 0);
    sound.set(file, known);
    return known;
  };
  return {
    name: 'unit tests',
    async judge({ path }, key) {
      const files = testsThatLoad(path, graph).slice(0, most);
      let ran = files.length;
      for (let left = files; left.length > 0;) {
        const [failed] = await failedTests(sources, root, left, key);
        if (failed === undefined) break;
        if (await isSound(failed)) return { by: failed, ran };
        left = left.filter((file) => file !== failed);
        ran--;
      }
      return { ran };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/**
 * The test files that load this file, but not those that run the proof: the one with its name first, then the nearest by
 * imports.
 */
export function testsThatLoad(path: string, graph: ImportGraph): string[] {
  const isNamesake = (test: string) => Number(basename(test, '.test.ts') === basename(path, '.ts'));
  return [...importersOf(graph, path)]
    .filter(([importer]) => importer.endsWith('.test.ts') && !proofs.some((proof) => loads(graph, importer, proof)))
    .sort(([a, near], [b, far]) => isNamesake(b) - isNamesake(a) || near - far || (a < b ? -1 : 1))
    .map(([importer]) => importer);
}

/** The files with a failed test, then those that did not run to the end. */
async function failedTests(
  sources: PlantedSources,
  root: string,
  files: readonly string[],
  fault?: string,
): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-conform-mutation-'));
  try {
    const results = join(directory, 'tests.json');
    const options = ['--root', root, '--config', config, '--bail', '1', '--reporter', 'json', '--outputFile', results];
    const { code, isLate } = await run([vitest, 'run', ...files, ...options], root, sources.environment(fault));
    if (code === 0 && !isLate) return [];
    const text = await readFile(results, 'utf8').catch(() => '{}');
    const { testResults = [] } = JSON.parse(text) as { testResults?: TestFileResult[] };
    const passed = new Set(testResults.filter(({ status }) => status === 'passed').map(({ name }) => name));
    const red = testResults.filter(({ assertionResults }) =>
      assertionResults.some(({ status }) => status === 'failed'),
    );
    const named = red.map(({ name }) => relative(root, name));
    return [...new Set([...named, ...files.filter((file) => !passed.has(join(root, file)))])];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function run(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; isLate: boolean }> {
  return new Promise((resolve, reject) => {
    // A process group, because tests start other processes.
    const child = spawn(process.execPath, args, { cwd, env, stdio: 'ignore', detached: true });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, testsMs);
    child.on('error', reject);
    child.on('exit', (code) => {
      clearTimeout(timer);
      resolve({ code, isLate });
    });
  });
}
