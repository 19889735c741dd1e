import { extractFailing } from '../../../diagnosis/extract-failing.ts';
import { probeFor, slugOf } from '../../../diagnosis/probe-for.ts';
import { runDefaults } from '../../../harness/config/settings.ts';
import type { ProbeName } from '../../../specs/requirements/probe.ts';
import { collectRun } from '../../../run/collect/collect-run.ts';
import { runRegistered } from '../../proving/run-registered.ts';
import type { RecordedFailure, RecordedRun } from './check-mistake.ts';
import type { Mistake } from './mistake.ts';
import { mistakeConfig } from './mistake-config.ts';

/** Bytes of an event that is recorded: larger ones are made by the search itself. */
const mostBytes = 1_500;
/** Failures recorded of one probe and verdict: further ones are explained by the same search. */
const mostOfProbe = 2;
/** Probes that begin with the event that failed. */
const ofEvents: readonly (ProbeName | undefined)[] = ['answer', 'payload', 'callback'];
/** Waits and extents that keep a run short: few events are generated, and no callback is due. */
const short = {
  runs: 10,
  callbackWaitMs: 1_000,
  callbackLimitMs: 1_000,
  answerTimeoutMs: 4_000,
  quietMs: 100,
  shrinkMs: 500,
  propertyMs: 2_000,
  retryWatchMs: 100,
};

/**
 * Runs the suites against an endpoint and returns failed and blocked requirements, each once, and those without a pass. Only
 * outside of Vitest, which the suites need a stand-in for.
 */
export async function recordRun(mistake: Mistake): Promise<RecordedRun> {
  await using running = await mistake.start();
  const config = mistakeConfig(mistake, running);
  const settings = { ...runDefaults, ...short, config, seed: 3, only: [] };
  const finished = await runRegistered({ settings, surfaces: [mistake.surface] });
  const { checks, exchanges } = collectRun(finished, () => '');
  const failures = new Map<string, RecordedFailure>();
  for (const check of checks) {
    const { requirement, verdict, code, pause } = check;
    if ((verdict !== 'fail' && verdict !== 'blocked') || failures.get(requirement)?.verdict === 'fail') continue;
    const event = JSON.stringify(extractFailing(check, exchanges).event);
    const isSmall = event !== undefined && event.length <= mostBytes && ofEvents.includes(probeFor(requirement));
    failures.set(requirement, {
      requirement,
      verdict,
      ...(code !== undefined && { code }),
      ...(pause && { pause }),
      ...(isSmall && verdict === 'fail' && { event }),
    });
  }
  const byProbe = Map.groupBy(failures.values(), ({ requirement, verdict }) => `${verdict} ${probeFor(requirement)}`);
  const kept = [...byProbe.values()].flatMap((some) => some.slice(0, mostOfProbe));
  const known = new Set(kept.map(({ requirement }) => requirement));
  const isUnmet = ({ verdict }: (typeof checks)[number]) => verdict !== 'pass' && verdict !== 'not-applicable';
  const open = new Set(checks.filter(isUnmet).map(({ requirement }) => requirement));
  return { failures: kept, open: [...open].filter((id) => !known.has(id)).map(slugOf) };
}
