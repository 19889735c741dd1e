import { setTimeout as delay } from 'node:timers/promises';
import type { ResolvedConfig } from '../harness/config/settings.ts';
import type { Redact } from '../service/redact.ts';
import type { LoadFinding, LoadReport, LoadStep, LoadSurface } from '../specs/generated/types.ts';
import { protocolRevision } from '../specs/limits.ts';
import { requirement as requirementOf } from '../specs/requirements/catalogue.ts';
import type { EndpointSurface } from '../specs/surfaces.ts';
import { loadMeter } from './load-meters.ts';
import type { LoadPlan } from './load-plan.ts';
import { LoadSession } from './load-session.ts';
import { loadVerdict } from './load-verdict.ts';
import { searchEdge } from './search-edge.ts';
import type { LoadViolation } from './traffic.ts';

/** How a load reports while it lasts. */
export interface LoadProgress {
  version: string;
  redact: Redact;
  onSurface?: (surface: Pick<LoadSurface, 'unit'> & { surface: EndpointSurface }) => void;
  onStep?: (step: LoadStep) => void;
}

/** Milliseconds after a miss in which the endpoint must answer a single event in time again. */
const recoveryMs = 30_000;
/** Milliseconds between two single events. */
const recoveryPauseMs = 500;

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
    verdict: loadVerdict(surfaces),
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
  const steps: LoadStep[] = [];
  const findings = new Map<string, LoadFinding>();
  const meter = loadMeter(session, surface, plan, (violation, load) => addFinding(findings, violation, load, redact));
  const { url, unit, deadline, first, most, round } = meter;
  onSurface?.({ surface, unit });
  const until = performance.now() + plan.mostSeconds * 1000;
  let single: LoadStep | undefined;
  const shownOf = (measured: LoadStep): LoadStep => {
    const { failure } = measured;
    return failure === undefined ? measured : { ...measured, failure: redact(failure) };
  };
  const edge = await searchEdge({
    first,
    most,
    round,
    measure: async (load) => {
      const shown = shownOf(await meter.measure(load));
      steps.push(shown);
      onStep?.(shown);
      return shown.outcome;
    },
    recover: async () => {
      const until = performance.now() + recoveryMs;
      for (;;) {
        single = shownOf(await meter.measureSingle());
        const { outcome } = single;
        if (outcome === 'met' || outcome === 'limit' || performance.now() >= until) return outcome;
        await delay(recoveryPauseMs);
      }
    },
    isOver: () => performance.now() >= until,
  });
  return {
    surface,
    url: redact(url),
    unit,
    deadline,
    ...edge,
    steps,
    ...(edge.ended === 'not-recovered' && single && { recovery: single }),
    findings: [...findings.values()],
  };
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
