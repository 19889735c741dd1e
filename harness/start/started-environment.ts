import type { Config } from '../../specs/generated/types.ts';
import { envVariable, isEnvReference } from '../../specs/env-reference.ts';
import { configKeyOf, endpointSurfaces, surfaceTable, type EndpointSurface } from '../../specs/surfaces.ts';

/** Default seconds until an endpoint that was started must be ready. */
export const readySecondsDefault = 60;

/** The environment variables of an endpoint that is started for a run. */
export interface StartedEnvironment {
  env: Record<string, string>;
  /** Names of the variables in `env` that hold secrets. */
  secret: string[];
}

/** Returns the value of a reference `env:NAME` at a key, or throws. */
export type ReadReference = (reference: string, key: string) => string;

/**
 * Resolves the variables of an endpoint. It gets each secret of the config, in the variable that the config reads it
 * from; `SVC_API_KEY` also contains the API key.
 *
 * @param key the config key that has `env`
 */
export function startedEnvironment(
  config: Config,
  { key: parent, env = {} }: { key: 'container' | 'start'; env: Readonly<Record<string, string>> | undefined },
  read: ReadReference,
): StartedEnvironment {
  const given = Object.entries(env).map(([name, value]) => ({ name, value, key: `${parent}.env.${name}` }));
  const handed = [
    ...endpointSurfaces.map((surface) => credentialReference(config, surface)),
    { reference: config.service?.apiKey, key: 'service.apiKey' },
    { name: 'SVC_API_KEY', reference: config.service?.apiKey, key: 'service.apiKey' },
  ].flatMap(({ name, reference, key }: { name?: string; reference: string | undefined; key: string }) =>
    reference === undefined ? [] : { name: name ?? envVariable(reference) ?? '', value: reference, key },
  );
  const variables = new Map([...handed, ...given].map((variable) => [variable.name, variable]));
  const all = [...variables.values()];
  return {
    env: Object.fromEntries(
      all.map(({ name, value, key }) => [name, isEnvReference(value) ? read(value, key) : value]),
    ),
    secret: all.filter(({ value }) => isEnvReference(value)).map(({ name }) => name),
  };
}

function credentialReference(config: Config, surface: EndpointSurface): { reference: string | undefined; key: string } {
  const key = configKeyOf(surface);
  const field = surfaceTable[surface].endpoint.credential;
  const endpoint: { token?: string; secret?: string } = config[key] ?? {};
  return { reference: endpoint[field], key: `${key}.${field}` };
}
