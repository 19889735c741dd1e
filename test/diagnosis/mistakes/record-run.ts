import { extractFailing } from '../../../diagnosis/extract-failing.ts';
import { isOfSameSubject, probeFor, slugOf } from '../../../diagnosis/probe-for.ts';
import { runDefaults } from '../../../harness/config/settings.ts';
import type { CheckResult } from '../../../specs/generated/types.ts';
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
  return { failures: kept, open: openOf(checks, kept) };
}

/** Slugs of the requirements without a pass that leave a probe unsettled for which no failure is recorded. */
function openOf(checks: readonly CheckResult[], failures: readonly RecordedFailure[]): string[] {
  const failing = failures.map(({ requirement }) => probeFor(requirement));
  const unmet = checks.filter(({ requirement, verdict }) => {
    const probe = probeFor(requirement);
    if (verdict === 'pass' || verdict === 'not-applicable' || probe === undefined) return false;
    return !failing.some((other) => isOfSameSubject(probe, other));
  });
  return [...new Set(unmet.map(({ requirement }) => slugOf(requirement)))];
}
