import type { EndpointSurface } from '../specs/surfaces.ts';
import type { LoadStep, LoadSurface } from '../specs/generated/types.ts';
import { appointmentTraffic } from './appointment-traffic.ts';
import { arrivalTimes, seededNumbers } from './arrivals.ts';
import { chatTraffic } from './chat-traffic.ts';
import { crmTraffic } from './crm-traffic.ts';
import type { LoadPlan } from './load-plan.ts';
import type { LoadSession } from './load-session.ts';
import { measureCalls } from './measure-calls.ts';
import { measureStep } from './measure-step.ts';
import type { LoadViolation } from './traffic.ts';

/** Measures one surface at any load. */
export interface LoadMeter extends Pick<LoadSurface, 'url' | 'unit' | 'deadline'> {
  first: number;
  most: number;
  /** Rounds a load between two others. */
  round: (load: number) => number;
  measure: (load: number) => Promise<LoadStep>;
  /** A step with a single event or call. */
  measureSingle: () => Promise<LoadStep>;
}

/** Receives each violation with the load at which it was observed. */
type ReportViolation = (violation: LoadViolation, load: number) => void;

/** Milliseconds of the 99th percentile of our own delay: a twentieth of the shortest deadline. */
const mostOwnLagMs = 100;
/** Seconds of a step: long enough for a queue to show. */
const leastStepSeconds = 10;
/**
 * Duration of a step in deadlines: a queue that grows by half a second in each second reaches the deadline within two of
 * them.
 */
const deadlinesOfStep = 2;
/** Milliseconds in which a caller listens and thinks before each sentence. */
const usualThinkMs = 2_000;

const traffic = {
  'crm-webhook': crmTraffic,
  'api-webhooks': appointmentTraffic,
  'own-ai-chat': chatTraffic,
} as const;

/** The meter of a surface. */
export function loadMeter(
  session: LoadSession,
  surface: EndpointSurface,
  plan: LoadPlan,
  report: ReportViolation,
): LoadMeter {
  return surface === 'own-ai-phone'
    ? callsMeter(session, plan, report)
    : deliveriesMeter(session, surface, plan, report);
}

function deliveriesMeter(
  session: LoadSession,
  surface: keyof typeof traffic,
  plan: LoadPlan,
  report: ReportViolation,
): LoadMeter {
  const { ownLagMs = mostOwnLagMs, firstRate, mostRate, seed } = plan;
  const events = traffic[surface](session, plan.deadlineMs);
  const { deadline, url } = events;
  const { stepSeconds = Math.max(leastStepSeconds, (deadlinesOfStep * (deadline?.ms ?? 0)) / 1000) } = plan;
  const random = seededNumbers(seed);
  const step = (load: number, arrivals: readonly number[]) =>
    measureStep(events, { load, arrivals, lag: session.lag, ownLagMs, report });
  const { perMinute } = session.settings.config.limits ?? {};
  const permitted = surface === 'own-ai-chat' && perMinute !== undefined ? perMinute / 60 : mostRate;
  return {
    url,
    unit: 'deliveries-per-second',
    deadline: deadline ?? null,
    first: firstRate,
    most: Math.min(mostRate, permitted),
    round: (rate) => Number(rate.toPrecision(2)),
    measure: (load) => step(load, arrivalTimes(load, stepSeconds, random)),
    measureSingle: () => step(1, [0]),
  };
}

function callsMeter(session: LoadSession, plan: LoadPlan, report: ReportViolation): LoadMeter {
  const { ownLagMs = mostOwnLagMs, thinkMs = usualThinkMs, mostCalls, seed } = plan;
  const { url = '', timeoutSeconds = 0 } = session.settings.config.phone ?? {};
  const deadlineMs = plan.deadlineMs ?? timeoutSeconds * 1000;
  const random = seededNumbers(seed);
  const measure = (load: number) => measureCalls(session, { load, deadlineMs, random, ownLagMs, thinkMs, report });
  return {
    url,
    unit: 'concurrent-calls',
    deadline: { requirement: 'own-ai-phone/first-piece-within-timeout', ms: deadlineMs },
    first: 1,
    most: mostCalls,
    round: Math.round,
    measure,
    measureSingle: () => measure(1),
  };
}
