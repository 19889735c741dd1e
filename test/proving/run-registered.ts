import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { CheckOutcome } from '../../harness/check.ts';
import { inRunOrder, type EngineOptions, type FinishedCheck } from '../../harness/engine.ts';
import { Session } from '../../harness/session.ts';
import { ownRoot, suiteFiles } from '../../harness/suite-files.ts';
import type * as StandIn from './stand-in-vitest.ts';

const standIn = new URL('stand-in-vitest.ts', import.meta.url).href;

/** Requirements of which a suite has checks, by its file. */
const requirementsOf = new Map<string, ReadonlySet<string>>();
let imports = 0;

/**
 * Runs the checks that the settings select as the engine does, suite by suite in its order and those of one suite at
 * once, but without starting Vitest, which takes longer than most checks: for hundreds of short runs. The process
 * has the stand-in in place of `vitest` from then on.
 */
export async function runRegistered({ settings, surfaces }: EngineOptions): Promise<FinishedCheck[]> {
  standInOnce();
  const { registering } = (await import(standIn)) as typeof StandIn;
  const files = inRunOrder(suiteFiles(surfaces), (file) => `/${file}`);
  const checksOf = async (file: string, only: string[]) =>
    await registering({ ...settings, only, surfaces }, () => import(`${urlOf(file)}?${++imports}`));
  for (const file of files) {
    if (requirementsOf.has(file)) continue;
    requirementsOf.set(file, new Set((await checksOf(file, [])).map(({ check }) => check.requirement)));
  }
  const finished: FinishedCheck[] = [];
  await using session = await Session.open(settings);
  for (const file of files) {
    if (!settings.only.some((id) => requirementsOf.get(file)?.has(id))) continue;
    const checks = await checksOf(file, settings.only);
    finished.push(...(await Promise.all(checks.map((one) => run(one, session)))));
  }
  return finished;
}

async function run({ check, timeout, body }: StandIn.Registered, session: Session): Promise<FinishedCheck> {
  const meta: { outcome?: CheckOutcome } = {};
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${check.id} did not end.`)), timeout);
  });
  try {
    await Promise.race([body({ session, task: { meta } }), late]);
  } catch (error) {
    // What did not hold is in the outcome, too.
    if (!meta.outcome) throw error;
  } finally {
    clearTimeout(timer);
  }
  if (!meta.outcome) throw new Error(`${check.id} ended without an outcome.`);
  return { ...check, ...meta.outcome };
}

const urlOf = (file: string) => pathToFileURL(`${ownRoot}${file}`).href;

let isInPlace = false;

function standInOnce(): void {
  if (isInPlace) return;
  isInPlace = true;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vitest' ? { url: standIn, shortCircuit: true } : next(specifier, context),
  });
}
