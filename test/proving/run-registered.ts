import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { CheckOutcome } from '../../harness/checks/check-outcome.ts';
import type { EngineOptions, FinishedCheck } from '../../harness/checks/engine.ts';
import { inStages } from '../../harness/checks/run-order.ts';
import type { RunSettings } from '../../harness/config/settings.ts';
import { observedNothing, observingSuites } from '../../harness/checks/observed-suites.ts';
import { Session } from '../../harness/checks/session.ts';
import { ownRoot, suiteFiles } from '../../harness/checks/suite-files.ts';
import type * as StandIn from './stand-in-vitest.ts';

const standIn = new URL('stand-in-vitest.ts', import.meta.url).href;

/** The checks of each suite by its file: the same for all runs, so a suite is loaded once. */
const checksOf = new Map<string, readonly StandIn.Registered[]>();
/**
 * Resolves when the current load has ended: suites register in one shared list, so they are loaded one set at a time.
 */
let loading: Promise<void> = Promise.resolve();

type AroundCheck = <T>(id: string, body: () => Promise<T>) => Promise<T>;

let around: AroundCheck = (_id, body) => body();

/** From now on, runs each check within this function. */
export function runEachCheckWithin(given: AroundCheck): void {
  around = given;
}

/**
 * Runs the checks that the settings select as the engine does, stage by stage and those of one phase at once, but
 * without starting Vitest, which takes longer than the checks: for hundreds of runs. From then on, the process has the
 * substitute for `vitest`.
 */
export async function runRegistered({ settings, surfaces }: EngineOptions): Promise<FinishedCheck[]> {
  const selected = suiteFiles(surfaces);
  const observing = observingSuites(selected, settings, ownRoot);
  const files = [...selected, ...observing];
  loading = loading.then(() => loadSuites(files, settings));
  await loading;
  const { only } = settings;
  const isSelected = ({ check: { id, requirement } }: StandIn.Registered) =>
    only.length === 0 || only.includes(requirement) || only.includes(id);
  const finished: FinishedCheck[] = [];
  const isObserving = observing.length > 0;
  await using session = await Session.open({ ...settings, surfaces, ...(isObserving && { observedOnly: true }) });
  for (const stage of inStages(files, settings.config)) {
    const runSequence = async (sequence: (typeof stage)[number]) => {
      for (const { files: together } of sequence) {
        const present = together.flatMap((file) => checksOf.get(file) ?? []).filter(isSelected);
        await Promise.all(
          present.map(async (one) => void finished.push(await around(one.check.id, () => runCheck(one, session)))),
        );
      }
    };
    await Promise.all(stage.map(runSequence));
  }
  return isObserving ? finished.filter((check) => !observedNothing(check)) : finished;
}

/** Loads the suites that are not loaded yet and registers their checks. */
export async function loadSuites(files: readonly string[], settings: RunSettings): Promise<void> {
  replaceVitestOnce();
  const { registering, checksIn } = (await import(standIn)) as typeof StandIn;
  for (const file of files) {
    if (checksOf.has(file)) continue;
    checksOf.set(file, checksIn(await registering({ ...settings, only: [] }, () => import(urlOf(file)))));
  }
}

/** Runs one check. Rejects if it ends without an outcome. */
export async function runCheck({ check, timeout, body }: StandIn.Registered, session: Session): Promise<FinishedCheck> {
  const meta: { outcome?: CheckOutcome } = {};
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${check.id} did not end.`)), timeout);
  });
  try {
    await Promise.race([body({ session, task: { meta } }), late]);
  } catch (error) {
    // The outcome contains the failures, too.
    if (!meta.outcome) throw error;
  } finally {
    clearTimeout(timer);
  }
  if (!meta.outcome) throw new Error(`${check.id} ended without an outcome.`);
  return { ...check, ...meta.outcome };
}

const urlOf = (file: string) => pathToFileURL(`${ownRoot}${file}`).href;

let isInPlace = false;

function replaceVitestOnce(): void {
  if (isInPlace) return;
  isInPlace = true;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vitest' ? { url: standIn, shortCircuit: true } : next(specifier, context),
  });
}
