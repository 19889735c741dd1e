import type { Config, ContainerTarget } from '../../specs/generated/types.ts';
import {
  readySecondsDefault,
  startedEnvironment,
  type ReadReference,
  type StartedEnvironment,
} from '../start/started-environment.ts';
import type { ReadyCondition } from '../start/wait-until-ready.ts';

/** The container of a run. `env` includes the secrets of the config. */
export interface ContainerSettings extends StartedEnvironment {
  /** If missing, the command must name an image. */
  image?: string;
  /** The port on which it listens; default: the only port that the image exposes. */
  port?: number;
  /** Number of containers behind the address that replaces `{container}`. */
  instances: number;
  wait: ReadyCondition;
  /** An existing network to start it in. */
  network?: string;
}

/** Resolves the container settings with their secrets. */
export function containerSettings(
  config: Config,
  { image, port, env, instances = 1, wait = {}, network }: ContainerTarget,
  read: ReadReference,
): ContainerSettings {
  return {
    ...(image !== undefined && { image }),
    ...(port !== undefined && { port }),
    ...startedEnvironment(config, { key: 'container', env }, read),
    instances,
    wait: { ...wait, timeoutSeconds: wait.timeoutSeconds ?? readySecondsDefault },
    ...(network !== undefined && { network }),
  };
}
