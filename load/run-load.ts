import { setTimeout as delay } from 'node:timers/promises';
import type { ResolvedConfig } from '../harness/config/settings.ts';
import type { Redact } from '../service/redact.ts';
import type { LoadFinding, LoadReport, LoadStep, LoadSurface } from '../specs/generated/types.ts';
import { protocolRevision } from '../specs/limits.ts';
import { requirement as requirementOf } from '../specs/requirements/catalogue.ts';
import type { EndpointSurface } from '../specs/surfaces.ts';
import { arrivalTimes, seededNumbers } from './arrivals.ts';
import { appointmentTraffic } from './appointment-traffic.ts';
import { chatTraffic } from './chat-traffic.ts';
import { crmTraffic } from './crm-traffic.ts';
import { LoadSession } from './load-session.ts';
import { measureStep } from './measure-step.ts';
import { searchEdge } from './search-edge.ts';
import type { Traffic, LoadViolation } from './traffic.ts';

/** What a load sends, and when it stops. */
export interface LoadPlan {
  /** In this order, one after the other. */
  surfaces: readonly EndpointSurface[];
  seed: number;
  /** Deliveries per second: of the first step, and at most. */
  firstRate: number;
  mostRate: number;
  /** Seconds for which a step sends. Default: {@link stepSecondsOf}. */
  stepSeconds?: number | undefined;
  /** Seconds after which no further step of a surface begins. */
  mostSeconds: number;
  /** Milliseconds that replace the limit of the interface. */
  deadlineMs?: number;
  /** Default: {@link mostOwnLagMs}. */
  ownLagMs?: number;
}

/** How a load reports while it lasts. */
export interface LoadProgress {
  version: string;
  redact: Redact;
  onSurface?: (surface: Pick<LoadSurface, 'unit'> & { surface: EndpointSurface }) => void;
  onStep?: (step: LoadStep) => void;
}

/** The traffic of each surface that a load can send to. */
export const loadTraffic: Partial<Record<EndpointSurface, (session: LoadSession, deadlineMs?: number) => Traffic>> = {
  'crm-webhook': crmTraffic,
  'api-webhooks': appointmentTraffic,
  'own-ai-chat': chatTraffic,
};

/** Milliseconds of the 99th percentile of our own delay: a twentieth of the shortest deadline. */
const mostOwnLagMs = 100;
/** Seconds of a step: long enough for a queue to show. */
const leastStepSeconds = 10;
/**
 * Duration of a step in deadlines: a queue that grows by half a second in each second reaches the deadline within two of
 * them.
 */
const deadlinesOfStep = 2;
/** Milliseconds after a miss in which the endpoint must answer a single event in time again. */
const recoveryMs = 30_000;
/** Milliseconds between two single events. */
const recoveryPauseMs = 500;

/** Seconds for which each step sends, by default. */
export function stepSecondsOf(deadlineMs = 0): number {
  return Math.max(leastStepSeconds, (deadlinesOfStep * deadlineMs) / 1000);
}

/** Finds the edge of each surface and judges its answers on the way. Throws HarnessFault. */
export async function runLoad(config: ResolvedConfig, plan: LoadPlan, progress: LoadProgress): Promise<LoadReport> {
  const startedAt = new Date();
  const from = performance.now();
  const surfaces: LoadSurface[] = [];
  for (const surface of plan.surfaces) surfaces.push(await loadSurface(config, surface, plan, progress));
  return {
    schemaVersion: 1,
    harness: { name: 'svc-conform', version: progress.version },
    protocol: protocolRevision,
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(performance.now() - from),
    seed: plan.seed,
    verdict: verdictOf(surfaces),
    surfaces,
  };
}

async function loadSurface(
  config: ResolvedConfig,
  surface: EndpointSurface,
  plan: LoadPlan,
  { redact, onSurface, onStep }: LoadProgress,
): Promise<LoadSurface> {
  await using session = await LoadSession.open(config, plan.seed);
  const traffic = loadTraffic[surface]?.(session, plan.deadlineMs);
  if (!traffic) throw new RangeError(`expected a surface with traffic, received ${surface}`);
  const { deadline, url } = traffic;
  const unit = 'deliveries-per-second';
  onSurface?.({ surface, unit });
  const { stepSeconds = stepSecondsOf(deadline?.ms), ownLagMs = mostOwnLagMs, mostSeconds } = plan;
  const random = seededNumbers(plan.seed);
  const steps: LoadStep[] = [];
  const findings = new Map<string, LoadFinding>();
  const report = (violation: LoadViolation, load: number) => addFinding(findings, violation, load, redact);
  const step = (load: number, arrivals: readonly number[]) =>
    measureStep(traffic, { load, arrivals, ownLagMs, report });
  const until = performance.now() + mostSeconds * 1000;
  const edge = await searchEdge({
    first: plan.firstRate,
    most: Math.min(plan.mostRate, permittedRate(config, surface)),
    round: (rate) => Number(rate.toPrecision(2)),
    measure: async (load) => {
      const measured = await step(load, arrivalTimes(load, stepSeconds, random));
      const { failure } = measured;
      const shown = failure === undefined ? measured : { ...measured, failure: redact(failure) };
      steps.push(shown);
      onStep?.(shown);
      return shown.outcome;
    },
    recover: async () => {
      for (const before = performance.now(); performance.now() - before < recoveryMs; await delay(recoveryPauseMs)) {
        const { outcome } = await step(1, [0]);
        if (outcome !== 'missed') return true;
      }
      return false;
    },
    isOver: () => performance.now() >= until,
  });
  return {
    surface,
    url: redact(url),
    unit,
    deadline: deadline ?? null,
    ...edge,
    steps,
    findings: [...findings.values()],
  };
}

/** Deliveries per second that `limits.perMinute` of the config permits. */
function permittedRate({ limits }: ResolvedConfig, surface: EndpointSurface): number {
  const isLimited = surface === 'own-ai-chat' && limits?.perMinute !== undefined;
  return isLimited ? Number(limits.perMinute) / 60 : Infinity;
}

function addFinding(
  findings: Map<string, LoadFinding>,
  { requirement, finding }: LoadViolation,
  load: number,
  redact: Redact,
): void {
  const known = findings.get(requirement);
  if (known) {
    known.count++;
    return;
  }
  const { expected, received, hint } = finding;
  findings.set(requirement, {
    requirement,
    level: requirementOf(requirement).level,
    expected: redact(expected),
    received: redact(received),
    ...(hint !== undefined && { hint: redact(hint) }),
    count: 1,
    load,
  });
}

/**
 * Certain failures come first; the edge itself is not a failure. An endpoint without success at the first load has none to
 * measure: only `check` can judge why.
 */
function verdictOf(surfaces: readonly LoadSurface[]): LoadReport['verdict'] {
  const levels = new Set(surfaces.flatMap(({ findings }) => findings.map(({ level }) => level)));
  const isLate = surfaces.some(({ ended, steps }) => ended === 'first-load' && (steps.at(-1)?.late ?? 0) > 0);
  if (levels.has('must') || isLate) return 'non-conformant';
  if (surfaces.some(({ ended, meets }) => ended === 'own-lag' || ended === 'limit' || meets === null))
    return 'incomplete';
  return levels.has('should') ? 'conformant-with-warnings' : 'conformant';
}
