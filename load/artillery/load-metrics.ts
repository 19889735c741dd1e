import type { LoadStep } from '../../specs/generated/types.ts';
import { requirement as requirementOf, type RequirementId } from '../../specs/requirements/catalogue.ts';
import type { EndpointSurface } from '../../specs/surfaces.ts';
import type { StepTime } from '../running-step.ts';

/** Receives metrics: a scenario's emitter of Artillery. */
export interface MetricsEmitter {
  emit: (kind: 'counter' | 'histogram', name: string, value: number) => unknown;
}

const prefix = 'svc_conform';

/** Names of the times, in milliseconds. The first piece is the answer of a phone. */
const timeNames = { response: 'response_time', 'dead-air': 'dead_air', stop: 'stop_time' } as const satisfies Record<
  StepTime,
  string
>;

/** Writes what a worker measures as metrics of Artillery, which adds up those of all workers. */
export class LoadMetrics {
  readonly #emitter: MetricsEmitter;

  constructor(emitter: MetricsEmitter) {
    this.#emitter = emitter;
  }

  /** Writes one time, for the surface and for this load. */
  time(surface: EndpointSurface, load: number, time: StepTime, ms: number): void {
    const name = time === 'response' && surface === 'own-ai-phone' ? 'first_piece' : timeNames[time];
    for (const place of places(surface, load)) this.#emitter.emit('histogram', `${place}.${name}`, ms);
  }

  /** Counts a violation of a requirement; one of a SHOULD is a warning. */
  violation(requirement: RequirementId): void {
    this.#count(requirementOf(requirement).level === 'must' ? `${prefix}.violations` : `${prefix}.warnings`, 1);
    this.#count(`${prefix}.violation.${requirement}`, 1);
  }

  /** Counts a step that says nothing about the endpoint: this process was too slow, or a limit permitted no more. */
  incomplete(
    surface: EndpointSurface,
    reason: 'own_lag' | 'limit' | 'process_limit' | 'nothing_timed' | 'no_success',
  ): void {
    this.#count(`${prefix}.incomplete`, 1);
    this.#count(`${prefix}.${surface}.${reason}`, 1);
  }

  /** Counts the events that are not sent because an earlier step was not met. */
  skipped(surface: EndpointSurface, load: number, events: number): void {
    for (const place of places(surface, load)) this.#count(`${place}.skipped`, events);
  }

  /** Writes the counts of a step. */
  step(surface: EndpointSurface, { load, sent, late, failed, ownLagMs, feel }: LoadStep): void {
    for (const [name, count] of Object.entries({ sent, late, failed }))
      for (const place of places(surface, load)) this.#count(`${place}.${name}`, count);
    this.#emitter.emit('histogram', `${prefix}.own_lag`, ownLagMs);
    if (feel) {
      this.#count(`${prefix}.${surface}.interrupts`, feel.interrupts);
      this.#count(`${prefix}.${surface}.talk_over`, feel.pieces);
    }
    // Conditions on a counter that nothing has counted cannot be evaluated.
    for (const total of ['violations', 'warnings', 'incomplete']) this.#count(`${prefix}.${total}`, 0);
  }

  #count(name: string, value: number): void {
    this.#emitter.emit('counter', name, value);
  }
}

function places(surface: EndpointSurface, load: number): string[] {
  return [`${prefix}.${surface}`, `${prefix}.${surface}.at_${load}`];
}
