import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { importersOf, loads, type ImportGraph } from './import-graph.ts';
import type { Noticer } from './noticer.ts';

/** Milliseconds for the test files of one fault: a fault may also make a test wait for ever. */
const testsMs = 150_000;
/** Files that run the whole proof, which detects faults separately. */
const proofs = ['test/proving/run-proof.ts', 'test/proving/run-contracts-proof.ts'];
/** Tests that read the suites as text. */
const readingSuites = ['test/suites/timed-checks.test.ts'];
const resultFile = 'mutation-tests.json';

/** The part of Vitest's JSON report that is read. */
interface TestFileResult {
  name: string;
  status: string;
  assertionResults: { status: string }[];
}

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
      const suspects = await failedTests(root, units);
      if (units.length === 1) return suspects[0];
      // Files that did not run to the end are run one at a time to find the one that fails.
      for (const unit of suspects) if ((await failedTests(root, [unit])).length > 0) return unit;
      return undefined;
    },
  };
}

/** The files with a failed test, then those that did not run to the end. */
async function failedTests(root: string, files: readonly string[]): Promise<string[]> {
  if (files.length === 0) return [];
  const results = join(root, resultFile);
  await rm(results, { force: true });
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const options = ['--bail', '1', '--reporter', 'json', '--outputFile', results];
  const { code, isLate } = await run([vitest, 'run', ...files, ...options], root);
  if (code === 0 && !isLate) return [];
  const text = await readFile(results, 'utf8').catch(() => '{}');
  const { testResults = [] } = JSON.parse(text) as { testResults?: TestFileResult[] };
  const passed = new Set(testResults.filter(({ status }) => status === 'passed').map(({ name }) => name));
  const red = testResults.filter(({ assertionResults }) => assertionResults.some(({ status }) => status === 'failed'));
  const named = red.map(({ name }) => relative(root, name));
  return [...new Set([...named, ...files.filter((file) => !passed.has(join(root, file)))])];
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
