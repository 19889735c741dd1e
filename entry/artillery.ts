/**
 * `svc-conform/artillery`: the engine with which Artillery runs a load on several workers or machines. The package
 * `artillery-engine-svc-conform`, which is part of this one, gives it to Artillery; docs/load.md has a complete example.
 */
import { HarnessFault } from '../harness/checks/faults.ts';
import { configuredSurfaces } from '../harness/config/resolve-config.ts';
import { givenTarget } from '../run/config/read-target.ts';
import { isEndpointSurface } from '../specs/surfaces.ts';
import { assertConfirmed } from '../load/assert-confirmed.ts';
import { LoadMetrics, type MetricsEmitter } from '../load/artillery/load-metrics.ts';
import { engineName, type LoadPhase, type LoadScript, type PausePhase } from '../load/artillery/load-script.ts';
import { machineVariable, segmentOf } from '../load/artillery/segment.ts';
import { WorkerLoad } from '../load/artillery/worker-load.ts';

/** The emitter of a worker's run. */
export interface RunnerEvents {
  on: (event: 'phaseStarted' | 'phaseCompleted' | 'done', listener: (phase: ArtilleryPhase) => void) => unknown;
}

/** The emitter of the scenarios of a worker. */
export interface ScenarioEvents extends MetricsEmitter {
  emit: (kind: 'counter' | 'histogram' | 'started' | 'error', name?: string, value?: number) => unknown;
}

type ArtilleryPhase = (LoadPhase | PausePhase) & { index: number };
type Done<Context> = (error: unknown, context: Context) => void;

/**
 * The engine that Artillery loads in each worker: a virtual user is one event or one call of the worker's segment. The
 * script of `svc-conform load --export artillery` names it.
 */
export class LoadEngine {
  readonly #script: LoadScript;
  readonly #runner: RunnerEvents;
  #load: WorkerLoad | undefined;

  constructor(script: LoadScript, runner: RunnerEvents) {
    this.#script = script;
    this.#runner = runner;
  }

  /** Called by Artillery before the first phase: {@link start}, and the end of the process if it fails. */
  async init(): Promise<void> {
    try {
      await this.start();
    } catch (error) {
      if (!(error instanceof HarnessFault)) throw error;
      // Artillery waits forever for an engine that rejects, and ends the process for an error that nothing handles.
      setImmediate(() => {
        throw Object.assign(error, { stack: error.message });
      });
    }
  }

  /** Reads the secrets and starts the service that the endpoint calls. Rejects with HarnessFault. */
  async start(): Promise<void> {
    const { config: value, confirmedHosts, ...settings } = this.#script.config.engines[engineName];
    const [phase = {}] = this.#script.config.phases;
    const { config } = await givenTarget(value, process.env, 'The script');
    const all = segmentOf(phase, process.env[machineVariable]);
    // A public address leads to one process, which then sends the part of the whole machine.
    const sendsAll = config.service.publicUrl !== undefined && all.worker.of > 1;
    const segment = sendsAll ? { ...all, worker: { ...all.worker, of: 1 } } : all;
    const surfaces = configuredSurfaces(config).filter(isEndpointSurface);
    assertConfirmed(config, surfaces, (host) => confirmedHosts.includes(host));
    if (config.service.tunnel !== undefined) throw new HarnessFault('tunnel-failed:unsupported');
    const load = await WorkerLoad.open(config, {
      ...settings,
      segment,
      sendsAll,
      print: (line) => void console.log(line),
    });
    this.#load = load;
    this.#runner.on('phaseStarted', (started) => {
      if ('surface' in started) load.begin(started, started.index);
    });
    this.#runner.on('phaseCompleted', (completed) => {
      if ('surface' in completed) load.complete();
    });
    this.#runner.on('done', () => void load[Symbol.asyncDispose]());
  }

  /** The scenario of each virtual user. */
  createScenario(_scenario: unknown, events: ScenarioEvents) {
    const load = this.#load;
    if (load) load.metrics = new LoadMetrics(events);
    return <Context>(context: Context, done: Done<Context>): void => {
      events.emit('started');
      if (!load) {
        events.emit('error', 'svc-conform was not started');
        done(new Error('svc-conform was not started'), context);
        return;
      }
      load.arrive().then(
        () => done(null, context),
        (error: unknown) => {
          events.emit('error', error instanceof HarnessFault ? error.code : 'svc-conform failed');
          console.error(error);
          done(error, context);
        },
      );
    };
  }
}
