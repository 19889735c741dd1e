import type { Config, ContainerTarget } from '../../specs/generated/types.ts';
import { envVariable, isEnvReference } from '../../specs/env-reference.ts';
import { configKeyOf, endpointSurfaces, surfaceTable, type EndpointSurface } from '../../specs/surfaces.ts';

/** Default seconds until a container must be ready. */
const readySecondsDefault = 60;

/** The container of a run. */
export interface ContainerSettings {
  /** If missing, the command must name an image. */
  image?: string;
  /** The port on which it listens; default: the only port that the image exposes. */
  port?: number;
  /** Environment variables of the container, including the secrets of the config. */
  env: Record<string, string>;
  /** Names of the variables in `env` that hold secrets. */
  secret: string[];
  wait: {
    /** Path of which a GET must be answered with 2xx. */
    path?: string;
    /** Text that it must write. */
    log?: string;
    timeoutSeconds: number;
  };
  /** An existing network to start it in. */
  network?: string;
}

/**
 * Resolves the container settings with their secrets. The container gets each secret of the config, in the variable
 * that the config reads it from; `SVC_API_KEY` also contains the API key.
 *
 * @param read returns the value of a reference `env:NAME` at a key, or throws
 */
export function containerSettings(
  config: Config,
  { image, port, env = {}, wait = {}, network }: ContainerTarget,
  read: (reference: string, key: string) => string,
): ContainerSettings {
  const given = Object.entries(env).map(([name, value]) => ({ name, value, key: `container.env.${name}` }));
  const handed = [
    ...endpointSurfaces.map((surface) => credentialReference(config, surface)),
    { reference: config.service?.apiKey, key: 'service.apiKey' },
    { name: 'SVC_API_KEY', reference: config.service?.apiKey, key: 'service.apiKey' },
  ].flatMap(({ name, reference, key }: { name?: string; reference: string | undefined; key: string }) =>
    reference === undefined ? [] : { name: name ?? envVariable(reference) ?? '', value: reference, key },
  );
  const variables = new Map([...handed, ...given].map((variable) => [variable.name, variable]));
  const secret = [...variables.values()].filter(({ value }) => isEnvReference(value)).map(({ name }) => name);
  return {
    ...(image !== undefined && { image }),
    ...(port !== undefined && { port }),
    env: Object.fromEntries(
      [...variables.values()].map(({ name, value, key }) => [name, isEnvReference(value) ? read(value, key) : value]),
    ),
    secret,
    wait: { ...wait, timeoutSeconds: wait.timeoutSeconds ?? readySecondsDefault },
    ...(network !== undefined && { network }),
  };
}

function credentialReference(config: Config, surface: EndpointSurface): { reference: string | undefined; key: string } {
  const key = configKeyOf(surface);
  const field = surfaceTable[surface].endpoint.credential;
  const endpoint: { token?: string; secret?: string } = config[key] ?? {};
  return { reference: endpoint[field], key: `${key}.${field}` };
}
