import type { EndpointSurface } from '../specs/surfaces.ts';
import type { LoadStep, LoadSurface } from '../specs/generated/types.ts';
import { appointmentTraffic } from './appointment-traffic.ts';
import { arrivalTimes, seededNumbers } from './arrivals.ts';
import { CallsStep } from './calls-step.ts';
import { chatTraffic } from './chat-traffic.ts';
import { crmTraffic } from './crm-traffic.ts';
import { DeliveryStep } from './delivery-step.ts';
import { loadDeadlineMs, mostLoad, stepSeconds, type LoadPlan } from './load-plan.ts';
import type { LoadSession } from './load-session.ts';
import { measureStep, type RunningStep, type StepOptions } from './running-step.ts';

/** Measures one surface at any load. */
export interface LoadMeter extends Pick<LoadSurface, 'url' | 'unit' | 'deadline'> {
  first: number;
  most: number;
  /** Rounds a load between two others. */
  round: (load: number) => number;
  /** Begins a step; of concurrent calls, this process holds `calls`. */
  begin: (load: number, part?: { calls: number; onTime: StepOptions['onTime'] }) => RunningStep;
  measure: (load: number) => Promise<LoadStep>;
  /** A step with a single event or call, which has a deadline if the surface has any. */
  measureSingle: () => Promise<LoadStep>;
}

/** Receives each violation with the load at which it was observed. */
type ReportViolation = StepOptions['report'];

/** Milliseconds of the 99th percentile of our own delay: a twentieth of the shortest deadline. */
const mostOwnLagMs = 100;
/** Milliseconds in which a caller listens and thinks before each sentence. */
export const usualThinkMs = 2_000;
/** The calls of a step begin over this part of the pause before a sentence, so that a set-up is not delayed by all others. */
const rampPart = 0.5;

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
  const { ownLagMs = mostOwnLagMs, firstRate, seed } = plan;
  const { config } = session.settings;
  const events = traffic[surface](session, plan.deadlineMs);
  const { deadline, url } = events;
  const seconds = stepSeconds(config, surface, plan);
  const random = seededNumbers(seed);
  const begin: LoadMeter['begin'] = (load, part) =>
    new DeliveryStep(events, { load, lag: session.lag, ownLagMs, report, onTime: part?.onTime });
  return {
    url,
    unit: 'deliveries-per-second',
    deadline: deadline ?? null,
    first: firstRate,
    most: mostLoad(config, surface, plan),
    round: (rate) => Number(rate.toPrecision(2)),
    begin,
    measure: (load) => measureStep(begin(load), arrivalTimes(load, seconds, random)),
    measureSingle: () =>
      measureStep(new DeliveryStep(events, { load: 1, lag: session.lag, ownLagMs, report, isTimed: true }), [0]),
  };
}

function callsMeter(session: LoadSession, plan: LoadPlan, report: ReportViolation): LoadMeter {
  const { ownLagMs = mostOwnLagMs, thinkMs = usualThinkMs, seed } = plan;
  const { config } = session.settings;
  const deadlineMs = plan.deadlineMs ?? loadDeadlineMs(config, 'own-ai-phone') ?? 0;
  const random = seededNumbers(seed);
  const begin: LoadMeter['begin'] = (load, part = { calls: load, onTime: undefined }) =>
    new CallsStep(session, { load, ...part, deadlineMs, random, ownLagMs, thinkMs, report });
  const measure = (load: number) =>
    measureStep(
      begin(load),
      Array.from({ length: load }, (_, at) => (at * rampPart * thinkMs) / load),
    );
  return {
    url: config.phone?.url ?? '',
    unit: 'concurrent-calls',
    deadline: { requirement: 'own-ai-phone/first-piece-within-timeout', ms: deadlineMs },
    first: plan.firstCalls ?? 1,
    most: mostLoad(config, 'own-ai-phone', plan),
    round: Math.round,
    begin,
    measure,
    measureSingle: () => measure(1),
  };
}
