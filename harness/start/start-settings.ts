import { resolve } from 'node:path';
import type { ConfigProblem } from '../../specs/faults/config-problem.ts';
import type { Config, StartTarget } from '../../specs/generated/types.ts';
import { configKeyOf, endpointSurfaces } from '../../specs/surfaces.ts';
import {
  readySecondsDefault,
  startedEnvironment,
  type ReadReference,
  type StartedEnvironment,
} from './started-environment.ts';
import type { ReadyCondition } from './wait-until-ready.ts';

/** The command that starts the endpoint of a run. `env` includes the secrets of the config. */
export interface StartSettings extends StartedEnvironment {
  /** A shell command. */
  command: string;
  /** Its working directory. */
  directory: string;
  wait: ReadyCondition;
}

/**
 * Resolves the settings of `start` with their secrets.
 *
 * @param directory base of `cwd`
 */
export function startSettings(
  config: Config,
  { command, cwd, env, wait = {} }: StartTarget,
  { read, directory }: { read: ReadReference; directory: string },
): StartSettings {
  return {
    command,
    directory: resolve(directory, cwd ?? '.'),
    ...startedEnvironment(config, { key: 'start', env }, read),
    wait: { ...wait, timeoutSeconds: wait.timeoutSeconds ?? readySecondsDefault },
  };
}

/** The problem of a `start` or `chaos` that cannot be used; `undefined` if there is none. */
export function startProblem(config: Config): ConfigProblem | undefined {
  if (config.chaos === true && !config.start && !config.container) {
    return { key: 'chaos', expected: 'false, or start or container in the same config', received: 'true alone' };
  }
  if (!config.start) return undefined;
  if (config.container) {
    return { key: 'start', expected: 'either start or container, because one endpoint is started', received: 'both' };
  }
  if (endpointSurfaces.some((surface) => config[configKeyOf(surface)])) return undefined;
  return {
    key: 'start',
    expected: 'an address at which the command listens, such as chat.url',
    received: 'none, so the endpoint would not be checked',
  };
}
