import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { labelLoad } from '../../reports/text/describe-load.ts';
import type { Config } from '../../specs/generated/types.ts';
import { configKeyOf, type EndpointSurface } from '../../specs/surfaces.ts';
import { longestCallMs } from '../calls-step.ts';
import { usualThinkMs } from '../load-meters.ts';
import { loadDeadlineMs, mostLoad, stepSeconds, type LoadPlan } from '../load-plan.ts';
import { beyondDeadlineMs, untimedTimeoutMs } from '../traffic.ts';

/** The name of the engine in a script: Artillery loads the package `artillery-engine-svc-conform`. */
export const engineName = 'svc-conform';

/** A phase in which events or calls begin. Artillery adds the number of the worker, and divides `arrivalRate`. */
export interface LoadPhase {
  name: string;
  surface: EndpointSurface;
  /** Deliveries per second, or concurrent calls, of all workers together. */
  load: number;
  duration: number;
  arrivalRate: number;
  worker?: number;
  totalWorkers?: number;
}

/** A phase in which answers arrive. */
export interface PausePhase {
  name: string;
  pause: number;
}

/** What the engine reads from a script. */
export interface EngineSettings {
  seed: number;
  /** Hosts other than this machine whose load the user confirmed. */
  confirmedHosts: readonly string[];
  /** A config with references to its secrets. */
  config: Config;
  /** Milliseconds of a worker's delay above which its step says nothing about the endpoint; absent: as in `load`. */
  ownLagMs?: number;
}

/** A script for `artillery run`. */
export interface LoadScript {
  config: {
    target: string;
    phases: readonly (LoadPhase | PausePhase)[];
    engines: { [engineName]: EngineSettings };
    plugins: { ensure: Record<string, never> };
    ensure: { conditions: readonly { expression: string }[] };
  };
  scenarios: readonly { name: string; engine: typeof engineName; flow: readonly never[] }[];
}

/** Milliseconds by which Artillery begins an event before it is due, so that its own delay changes nothing. */
export const leadMs = 2_000;
/** Milliseconds until a step is judged, once its last answer has arrived: a second callback may still come. */
const judgingMs = 1_000;

/** Conditions under which `artillery run` ends with exit code 0. */
const conditions = ['svc_conform.violations == 0', 'svc_conform.incomplete == 0', 'vusers.failed == 0'];

/** Keys of a config that a load needs in addition to the surfaces. */
const sharedKeys = [
  'headers',
  'tls',
  'proxy',
  'localAddress',
  'allowHttp',
  'limits',
  'skills',
  'stimuli',
  'service',
  'brand',
] as const satisfies readonly (keyof Config)[];

/**
 * A script with the steps of a load: each doubles the load, up to the maximum.
 *
 * @param value the config with references to its secrets
 */
export function loadScript(
  config: ResolvedConfig,
  value: Config,
  plan: LoadPlan,
  confirmedHosts: readonly string[],
): LoadScript {
  const keys = [...plan.surfaces.map(configKeyOf), ...sharedKeys];
  const [first] = plan.surfaces;
  return {
    config: {
      target: first === undefined ? '' : new URL(config[configKeyOf(first)]?.url ?? '').origin,
      phases: plan.surfaces.flatMap((surface) => phasesOf(config, surface, plan)),
      engines: {
        [engineName]: {
          seed: plan.seed,
          confirmedHosts,
          config: Object.fromEntries(keys.flatMap((key) => (value[key] === undefined ? [] : [[key, value[key]]]))),
        },
      },
      plugins: { ensure: {} },
      ensure: { conditions: conditions.map((expression) => ({ expression })) },
    },
    scenarios: [{ name: 'load', engine: engineName, flow: [] }],
  };
}

function phasesOf(config: ResolvedConfig, surface: EndpointSurface, plan: LoadPlan): (LoadPhase | PausePhase)[] {
  const isPhone = surface === 'own-ai-phone';
  const deadlineMs = loadDeadlineMs(config, surface);
  const duration = isPhone ? 1 : Math.ceil(stepSeconds(config, surface, plan));
  const answersMs = isPhone
    ? longestCallMs({ deadlineMs: deadlineMs ?? 0, thinkMs: plan.thinkMs ?? usualThinkMs })
    : (deadlineMs ?? untimedTimeoutMs);
  const pause = Math.ceil((leadMs + answersMs + beyondDeadlineMs + judgingMs) / 1000);
  const most = Math.max(1, Math.floor(mostLoad(config, surface, plan)));
  const phases: (LoadPhase | PausePhase)[] = [];
  let load = Math.min(isPhone ? (plan.firstCalls ?? 1) : Math.ceil(plan.firstRate), most);
  for (let seconds = 0; seconds < plan.mostSeconds; seconds += duration + pause) {
    const name = `${surface}, ${labelLoad(load, isPhone ? 'concurrent-calls' : 'deliveries-per-second')}`;
    phases.push(
      { name, surface, load, duration, arrivalRate: load },
      { name: `${surface}, ${isPhone ? 'calls' : 'answers'}`, pause },
    );
    if (load === most) break;
    load = Math.min(2 * load, most);
  }
  return phases;
}
