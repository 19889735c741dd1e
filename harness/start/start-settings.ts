import { resolve } from 'node:path';
import type { ConfigProblem } from '../../specs/faults/config-problem.ts';
import type { Config, StartTarget } from '../../specs/generated/types.ts';
import { isLoopback } from '../../specs/is-loopback.ts';
import { configKeyOf, endpointSurfaces } from '../../specs/surfaces.ts';
import { hostAndPort } from '../wire/host-and-port.ts';
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
  /** Number of processes that share the address of the config. */
  instances: number;
  wait: ReadyCondition;
}

/**
 * Resolves the settings of `start` with their secrets.
 *
 * @param directory base of `cwd`
 */
export function startSettings(
  config: Config,
  { command, cwd, env, instances = 1, wait = {} }: StartTarget,
  { read, directory }: { read: ReadReference; directory: string },
): StartSettings {
  return {
    command,
    directory: resolve(directory, cwd ?? '.'),
    ...startedEnvironment(config, { key: 'start', env }, read),
    instances,
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
  const addresses = endpointSurfaces.flatMap((surface) => config[configKeyOf(surface)]?.url ?? []);
  if (addresses.length === 0) {
    return {
      key: 'start',
      expected: 'an address at which the command listens, such as chat.url',
      received: 'none, so the endpoint would not be checked',
    };
  }
  return instancesProblem(config.start, addresses);
}

/** Several instances share one address, at which svc-conform listens. */
function instancesProblem({ instances = 1 }: StartTarget, addresses: readonly string[]): ConfigProblem | undefined {
  const valid = addresses.filter((address) => URL.canParse(address));
  const places = [...new Set(valid.map(hostAndPort))];
  const isHere = valid.every((address) => isLoopback(new URL(address).hostname));
  if (instances === 1 || (places.length <= 1 && isHere)) return undefined;
  return {
    key: 'start.instances',
    expected: 'one host and port of this machine in all addresses, because svc-conform listens there for the instances',
    received: places.join(', '),
  };
}
