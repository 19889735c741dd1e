import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { importersOf, loads, type ImportGraph } from './import-graph.ts';
import type { Noticer } from './noticer.ts';

/** Milliseconds for the test files of one fault: a fault may also make a test wait for ever. */
const testsMs = 150_000;
/** Files that run the whole proof, which is a separate noticer. */
const proofs = ['test/proving/run-proof.ts', 'test/proving/run-contracts-proof.ts'];
/** Tests that read the suites as text. */
const readingSuites = ['test/suites/timed-checks.test.ts'];
const resultFile = 'mutation-tests.json';

/** The unit tests that load the file of a fault: at most `most` files, the nearest by imports first. */
export function unitTests(graph: ImportGraph, most: number): Noticer {
  const runsProof = (path: string) => proofs.some((proof) => loads(graph, path, proof));
  return {
    name: 'unit tests',
    unitsFor: ({ path }) => {
      const importers = [...importersOf(graph, path)]
        .filter(([importer]) => importer.endsWith('.test.ts') && !runsProof(importer))
        .sort(([a, near], [b, far]) => near - far || (a < b ? -1 : 1))
        .slice(0, most)
        .map(([importer]) => importer);
      return [...(path.endsWith('.suite.ts') ? readingSuites : []), ...importers];
    },
    async firstFailing(root, units) {
      const together = await runTests(root, units);
      if (together !== 'late') return together;
      // One of them does not end; which one, they show alone.
      for (const unit of units) if ((await runTests(root, [unit])) !== undefined) return unit;
      return undefined;
    },
  };
}

/** The first of these test files that fails, or `late` when they do not end. */
async function runTests(root: string, files: readonly string[]): Promise<string | undefined> {
  if (files.length === 0) return undefined;
  const results = join(root, resultFile);
  await rm(results, { force: true });
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const options = ['--bail', '1', '--reporter', 'json', '--outputFile', results];
  const { code, isLate } = await run([vitest, 'run', ...files, ...options], root);
  if (isLate) return 'late';
  if (code === 0) return undefined;
  const text = await readFile(results, 'utf8').catch(() => '{}');
  const { testResults = [] } = JSON.parse(text) as { testResults?: { name: string; status: string }[] };
  const failed = testResults.find(({ status }) => status === 'failed');
  return failed ? relative(root, failed.name) : files[0];
}

function run(args: readonly string[], cwd: string): Promise<{ code: number | null; isLate: boolean }> {
  return new Promise((resolve, reject) => {
    // A process group, because tests start other processes.
    const child = spawn(process.execPath, args, { cwd, stdio: 'ignore', detached: true });
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
