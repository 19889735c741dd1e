import { setTimeout as delay } from 'node:timers/promises';
import type { LoadStep } from '../specs/generated/types.ts';
import type { LoadViolation } from './traffic.ts';

/** What a step measures in milliseconds. */
export type StepTime = 'response' | 'dead-air' | 'stop';

/** How one step is measured. */
export interface StepOptions {
  /** Deliveries per second, or concurrent calls. */
  load: number;
  /** A step in which this process was later than this cannot miss a deadline. */
  ownLagMs: number;
  report: (violation: LoadViolation, load: number) => void;
  /** Receives each time at once. */
  onTime?: ((time: StepTime, ms: number) => void) | undefined;
}

/** A step while it lasts. */
export interface RunningStep {
  /** Whether nothing more is sent: the result is certain, or a limit permits no more. */
  readonly isOver: boolean;
  /**
   * Sends one event or holds one call at this time (`performance.now()`), from which it is timed; nothing once the step
   * is over. None waits for another, so that an endpoint that delays our next event cannot hide it.
   */
  run: (intendedAt: number) => Promise<void>;
  /** Waits for all answers and judges what followed them. */
  end: () => Promise<LoadStep>;
}

/** Runs a step with events or calls at these milliseconds from now. */
export async function measureStep(step: RunningStep, dueMs: readonly number[]): Promise<LoadStep> {
  const startedAt = performance.now();
  for (const atMs of dueMs) {
    await waitUntil(startedAt + atMs);
    if (step.isOver) break;
    void step.run(startedAt + atMs);
  }
  return await step.end();
}

/** Waits until this time (`performance.now()`); not at all if it has passed. */
export async function waitUntil(at: number): Promise<void> {
  const waitMs = at - performance.now();
  if (waitMs > 0) await delay(waitMs);
}
