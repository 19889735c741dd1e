import type { ResolvedConfig } from '../harness/config/settings.ts';
import { limits } from '../specs/limits.ts';
import type { EndpointSurface } from '../specs/surfaces.ts';

/** Seconds of a step: long enough for a queue to show. */
const leastStepSeconds = 10;
/**
 * Duration of a step in deadlines: a queue that grows by half a second in each second reaches the deadline within two of
 * them.
 */
const deadlinesOfStep = 2;

/** What a load sends, and when it stops. */
export interface LoadPlan {
  /** In this order, one after the other. */
  surfaces: readonly EndpointSurface[];
  seed: number;
  /** Deliveries per second: of the first step, and at most. */
  firstRate: number;
  mostRate: number;
  /** Concurrent calls: of the first step (default: 1), and at most. */
  firstCalls?: number;
  mostCalls: number;
  /** Seconds for which a step sends. Default: ten, or twice the deadline if that is longer. */
  stepSeconds?: number | undefined;
  /** Seconds after which no further step of a surface begins. */
  mostSeconds: number;
  /** Milliseconds that replace the limit of the interface. */
  deadlineMs?: number;
  /** Milliseconds of our own delay above which a step says nothing about the endpoint. */
  ownLagMs?: number;
  /** Milliseconds in which a caller listens and thinks before each sentence. */
  thinkMs?: number;
}

/** Milliseconds in which the endpoint must answer; `undefined` where the interface has no limit. */
export function loadDeadlineMs(config: ResolvedConfig, surface: EndpointSurface): number | undefined {
  const seconds = {
    'crm-webhook': limits.crmLookupAnswerMs / 1000,
    'api-webhooks': undefined,
    'own-ai-chat': config.chat?.timeoutSeconds,
    'own-ai-phone': config.phone?.timeoutSeconds,
  }[surface];
  return seconds === undefined ? undefined : seconds * 1000;
}

/** Seconds for which a step sends. */
export function stepSeconds(config: ResolvedConfig, surface: EndpointSurface, plan: LoadPlan): number {
  const deadlineMs = plan.deadlineMs ?? loadDeadlineMs(config, surface) ?? 0;
  return plan.stepSeconds ?? Math.max(leastStepSeconds, (deadlinesOfStep * deadlineMs) / 1000);
}

/** The highest load of a surface that the plan and the limits of the config permit. */
export function mostLoad(config: ResolvedConfig, surface: EndpointSurface, { mostRate, mostCalls }: LoadPlan): number {
  if (surface === 'own-ai-phone') return mostCalls;
  const { perMinute } = config.limits ?? {};
  return surface === 'own-ai-chat' && perMinute !== undefined ? Math.min(mostRate, perMinute / 60) : mostRate;
}
