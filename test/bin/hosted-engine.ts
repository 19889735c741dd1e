/**
 * The engine of hosted commands: it registers the suites in the phases of a run and runs their checks as Vitest does, one
 * group after the other or at once, but in this thread. Vitest's worker, which loads every module again, takes longer
 * than most runs of these tests. What needs Vitest itself goes to the engine.
 */
import { pathToFileURL } from 'node:url';
import * as engine from '../../harness/checks/engine.ts';
import type { EngineOptions, FinishedCheck } from '../../harness/checks/engine.ts';
import { observedNothing, observingSuites } from '../../harness/checks/observed-suites.ts';
import { registerPhases } from '../../harness/checks/register-phases.ts';
import { Session } from '../../harness/checks/session.ts';
import { shardOf } from '../../harness/checks/shard-suites.ts';
import { ownRoot, suiteFiles } from '../../harness/checks/suite-files.ts';
import { run } from '../proving/run-registered.ts';
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
  const finished: FinishedCheck[] = [];
  let opened: Promise<Session> | undefined;
  const runTest = async (one: Registered | PlainTest) => {
    if ('report' in one) {
      const meta: Parameters<PlainTest['report']>[0]['task']['meta'] = {};
      one.report({ task: { meta } });
      if (meta.deviations) onDeviations?.(meta.deviations);
      return;
    }
    const session = await (opened ??= Session.open({ ...settings, ...(isObserving && { observedOnly: true }) }));
    onStart?.(one.check);
    const check = await run(one, session);
    if (isObserving && observedNothing(check)) return;
    finished.push(check);
    onCheck?.(check);
  };
  try {
    await runGroup(root, runTest);
  } catch (error) {
    // The engine reports what prevents the first check, such as a port in use.
    if (finished.length > 0) throw error;
    return await engine.runSuites(options);
  } finally {
    await (await opened?.catch(() => undefined))?.[Symbol.asyncDispose]();
  }
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
