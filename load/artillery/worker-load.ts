import { configRedactor } from '../../harness/config/config-redactor.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { configuredSurfaces } from '../../harness/config/resolve-config.ts';
import { withoutTraffic } from '../../harness/wire/traffic-counts.ts';
import { tryServiceAddress } from '../../run/plan/try-service-address.ts';
import type { Redact } from '../../service/redact.ts';
import type { LoadStep } from '../../specs/generated/types.ts';
import { isRequirementId } from '../../specs/requirements/catalogue.ts';
import { isEndpointSurface, type EndpointSurface } from '../../specs/surfaces.ts';
import { loadMeter, type LoadMeter } from '../load-meters.ts';
import { LoadSession } from '../load-session.ts';
import type { LoadViolation } from '../traffic.ts';
import type { LoadMetrics } from './load-metrics.ts';
import { leadMs, type EngineSettings, type LoadPhase } from './load-script.ts';
import { dueTimes, partOf, type Segment } from './segment.ts';
import { SegmentStep } from './segment-step.ts';

/** What one worker of Artillery sends. */
export interface WorkerLoadOptions extends Pick<EngineSettings, 'seed' | 'ownLagMs'> {
  segment: Segment;
  /** This worker also sends the events that Artillery gives to the other workers of its machine. */
  sendsAll: boolean;
  /** Prints one line. */
  print: (line: string) => void;
}

/** The load of one worker: its segment of each step, judged by the code of `load`. */
export class WorkerLoad implements AsyncDisposable {
  readonly #session: LoadSession;
  readonly #options: WorkerLoadOptions;
  readonly #redact: Redact;
  readonly #meters = new Map<EndpointSurface, LoadMeter>();
  /** Surfaces that did not meet a step: they receive no more. */
  readonly #ended = new Set<EndpointSurface>();
  readonly #shown = new Set<string>();
  #metrics: LoadMetrics | undefined;
  #step: SegmentStep | undefined;

  private constructor(session: LoadSession, options: WorkerLoadOptions) {
    this.#session = session;
    this.#options = options;
    this.#redact = configRedactor(session.settings.config);
  }

  /** Starts the service of this worker. Throws HarnessFault. */
  static async open(config: ResolvedConfig, options: WorkerLoadOptions): Promise<WorkerLoad> {
    const own = configOfSegment(config, options);
    if (options.segment.worker.index === 0) {
      await tryServiceAddress(own, configuredSurfaces(own).filter(isEndpointSurface));
    }
    return new WorkerLoad(await LoadSession.open(own, options.seed), options);
  }

  /** Where metrics go, once Artillery accepts them. */
  set metrics(metrics: LoadMetrics) {
    this.#metrics = metrics;
  }

  /** Begins a step; `index` is that of its phase. */
  begin({ surface, load, duration }: LoadPhase, index: number): void {
    const { seed, segment } = this.#options;
    const due = dueTimes({ load, seconds: duration, seed: seed + index }, segment);
    this.#step = undefined;
    if (due.length === 0) return;
    if (this.#ended.has(surface)) {
      this.#metrics?.skipped(surface, load, due.length);
      return;
    }
    const isFirst = !this.#meters.has(surface);
    const meter = this.#meterOf(surface);
    const step = meter.begin(load, {
      calls: due.length,
      onTime: (time, ms) => this.#metrics?.time(surface, load, time, ms),
    });
    const startAt = performance.now() + leadMs;
    this.#step = new SegmentStep(
      step,
      due.map((ms) => startAt + ms),
      (measured) => this.#end(surface, measured, isFirst),
    );
    if (this.#options.sendsAll) this.#step.beginAll();
  }

  /** Sends one event or holds one call of the current step. */
  async arrive(): Promise<void> {
    await this.#step?.arrive();
  }

  /** Artillery begins no more events of the current step. */
  complete(): void {
    this.#step?.complete();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session[Symbol.asyncDispose]();
  }

  #meterOf(surface: EndpointSurface): LoadMeter {
    const known = this.#meters.get(surface);
    if (known) return known;
    const { seed, segment, ownLagMs } = this.#options;
    const { machine, worker } = segment;
    const plan = {
      ...noSearch,
      surfaces: [surface],
      // Pauses of callers differ between workers.
      seed: seed + machine.index * worker.of + worker.index,
      ...(ownLagMs !== undefined && { ownLagMs }),
    };
    const meter = loadMeter(this.#session, surface, plan, (violation, load) => this.#report(violation, load));
    this.#meters.set(surface, meter);
    return meter;
  }

  #report({ requirement, finding }: LoadViolation, load: number): void {
    this.#metrics?.violation(requirement);
    this.#print(`${requirement} at ${load}`, `expected ${finding.expected}, received ${finding.received}`, requirement);
  }

  #end(surface: EndpointSurface, measured: LoadStep, isFirst: boolean): void {
    const { outcome, load, sent, late, failure, ownLagMs } = measured;
    this.#metrics?.step(surface, measured);
    // A small segment may have no lookup in a step.
    if (outcome === 'met' || (outcome === 'nothing-timed' && (sent === 0 || !isFirst))) return;
    this.#ended.add(surface);
    const { deadline } = this.#meterOf(surface);
    if (outcome === 'own-lag') {
      this.#metrics?.incomplete(surface, 'own_lag');
      this.#print(`${surface} at ${load}`, `incomplete: this worker was ${ownLagMs} ms late (99th percentile)`);
    } else if (outcome === 'nothing-timed') {
      this.#metrics?.incomplete(surface, 'nothing_timed');
      this.#print(`${surface} at ${load}`, 'incomplete: no answer had a time to judge');
    } else if (outcome === 'process-limit') {
      this.#metrics?.incomplete(surface, 'process_limit');
      this.#print(`${surface} at ${load}`, 'incomplete: more answers are pending than one worker can await');
    } else if (outcome === 'limit') {
      this.#metrics?.incomplete(surface, 'limit');
      this.#print(`${surface} at ${load}`, 'incomplete: the limits of the config permit no more');
    } else {
      this.#print(`${surface} at ${load}`, failure ?? `${late} answers were late`);
      // As in load: the edge is not a failure, but an endpoint that is late or has no success from the start is not correct.
      if (!isFirst) return;
      if (late > 0 && deadline && isRequirementId(deadline.requirement)) this.#metrics?.violation(deadline.requirement);
      else this.#metrics?.incomplete(surface, 'no_success');
    }
  }

  /** Prints a line once for each key: a fault under load repeats thousands of times. */
  #print(subject: string, text: string, key = subject): void {
    if (this.#shown.has(key)) return;
    this.#shown.add(key);
    this.#options.print(this.#redact(`svc-conform: ${subject}: ${text}`));
  }
}

/** The phases of Artillery are the steps, so that no edge is searched. */
const noSearch = { firstRate: 1, mostRate: 1, mostCalls: 1, mostSeconds: 0 } as const;

/** The config with the limits of this worker, and with its own port where the config has one. */
function configOfSegment(config: ResolvedConfig, { segment, sendsAll }: WorkerLoadOptions): ResolvedConfig {
  const { service, limits } = config;
  const { index } = segment.worker;
  // If one worker sends all, no endpoint calls the others.
  const isAnyPort = service.port === 0 || (sendsAll && index > 0);
  const { used: _used, ...most } = limits ?? {};
  const parts = Object.entries<number>(most).map(([key, whole]): [string, number] => [key, partOf(whole, segment)]);
  return {
    ...config,
    service: { ...service, port: isAnyPort ? 0 : service.port + index },
    ...(limits && { limits: withoutTraffic(Object.fromEntries(parts)) }),
  };
}
