/**
 * The engine of hosted commands. It registers the suites in the phases of a run and runs their checks in the same order
 * and concurrency as Vitest, but in this thread: Vitest's worker loads every module again, which takes longer than most
 * runs of these tests. The modules are therefore those of the command; only suites are loaded again for each run. Suites
 * of the integrator still run in Vitest.
 */
import { pathToFileURL } from 'node:url';
import * as engine from '../../harness/checks/engine.ts';
import type { EngineOptions, FinishedCheck } from '../../harness/checks/engine.ts';
import { observedNothing, observingSuites } from '../../harness/checks/observed-suites.ts';
import { registerPhases } from '../../harness/checks/register-phases.ts';
import { Session } from '../../harness/checks/session.ts';
import { shardOf } from '../../harness/checks/shard-suites.ts';
import { ownRoot, suiteFiles } from '../../harness/checks/suite-files.ts';
import { runCheck } from '../proving/run-registered.ts';
import { registering, type Group, type PlainTest, type Registered } from '../proving/stand-in-vitest.ts';

export * from '../../harness/checks/engine.ts';

/** Suites of the integrator need Vitest itself. */
function needsEngine({ root, settings: { ownSuites = [] } }: EngineOptions): boolean {
  return root !== undefined || ownSuites.length > 0;
}

/** Number of the run: a suite that is loaded under another address registers its checks again. */
let runs = 0;

export async function runSuites(options: EngineOptions): Promise<FinishedCheck[]> {
  if (needsEngine(options)) return await engine.runSuites(options);
  const { surfaces, shard, onStart, onCheck, onDeviations } = options;
  const settings = { ...structuredClone(options.settings), surfaces };
  const files = suiteFiles(surfaces);
  const mine = shard ? shardOf(files, shard) : files;
  const observing = observingSuites(mine, settings, ownRoot);
  const isObserving = observing.length > 0;
  const all = [...mine, ...observing];
  if (all.length === 0) return [];
  const number = runs++;
  const root = await registering(settings, () =>
    registerPhases(all, settings.config, (file) => import(`${pathToFileURL(`${ownRoot}${file}`).href}?run=${number}`)),
  );
  const opened = await Session.open({ ...settings, ...(isObserving && { observedOnly: true }) }).catch(() => undefined);
  // The engine reports the reason, such as a port in use.
  if (!opened) return await engine.runSuites(options);
  await using session = opened;
  const finished: FinishedCheck[] = [];
  const runTest = async (one: Registered | PlainTest) => {
    if ('report' in one) {
      const meta: Parameters<PlainTest['report']>[0]['task']['meta'] = {};
      one.report({ task: { meta } });
      if (meta.deviations) onDeviations?.(meta.deviations);
      return;
    }
    onStart?.(one.check);
    // Vitest's worker delivers copies.
    const check = structuredClone(await runCheck(one, session));
    if (isObserving && observedNothing(check)) return;
    finished.push(check);
    onCheck?.(check);
  };
  await runGroup(root, runTest);
  return finished;
}

type RunTest = (one: Registered | PlainTest) => Promise<void>;

/** Neighbours that are concurrent run at once, as in Vitest. */
async function runGroup({ isConcurrent, children }: Group, runTest: RunTest): Promise<void> {
  let together: Promise<void>[] = [];
  for (const child of children) {
    const isGroup = 'children' in child;
    const start = () => (isGroup ? runGroup(child, runTest) : runTest(child));
    if (isGroup ? child.isConcurrent : isConcurrent) {
      together.push(start());
      continue;
    }
    await Promise.all(together);
    together = [];
    await start();
  }
  await Promise.all(together);
}
