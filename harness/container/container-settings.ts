import { envVariable, isEnvReference } from '../../specs/env-reference.ts';
import type { Config, ContainerTarget } from '../../specs/generated/types.ts';
import type { ResolvedConfig } from '../config/settings.ts';
import { HarnessFault } from '../checks/faults.ts';
import { isLocalNetwork } from '../wire/local-network.ts';
import { configKeyOf, endpointSurfaces, surfaceTable, type EndpointSurface } from '../../specs/surfaces.ts';

/** Default seconds until a container must be ready. */
const readySecondsDefault = 60;

/** Placeholder in an address for the host and port of the container. */
const placeholder = '{container}';

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

/** Fields of a config that contain an address of the integrator. */
const addressKeys = [...endpointSurfaces.map(configKeyOf), 'observe'] as const;

/** Replaces `{container}` in an address by a host, or a host and port. */
export function withPlace(address: string, place: string): string {
  return address.replace(`//${placeholder}`, `//${place}`);
}

/** Replaces `{container}` in each endpoint address of the config. */
export function placedConfig(config: ResolvedConfig, place: string): ResolvedConfig {
  const placed = addressKeys.flatMap((key) => {
    const { [key]: target } = config;
    return target ? [[key, { ...target, url: withPlace(target.url, place) }] as const] : [];
  });
  return { ...config, ...Object.fromEntries(placed) };
}

/** The first address of a config that contains the placeholder. */
export function containerAddress(config: ResolvedConfig): string | undefined {
  return addressKeys.map((key) => config[key]?.url).find((url) => url?.includes(placeholder));
}

/** Whether the container is reached over TLS: the scheme of the first address that refers to it. */
export function isContainerSafe(config: ResolvedConfig): boolean {
  return /^(?:https|wss):/.test(containerAddress(config) ?? '');
}

/**
 * Unencrypted traffic with credentials is allowed only to this machine and its local network, wherever Docker runs.
 *
 * @param host where containers run
 * @throws HarnessFault `address-not-allowed`
 */
export function assertReachedSafely(config: ResolvedConfig, host: string): void {
  const open = addressKeys
    .map((key) => config[key]?.url)
    .find((url) => /^(?:http|ws):\/\/\{container\}/.test(url ?? ''));
  if (open === undefined || isLocalNetwork(host)) return;
  throw new HarnessFault(
    'address-not-allowed',
    `${open}: expected https: or wss:, because containers run on ${host}, outside this machine and its local network.`,
  );
}

/** Describes a misplaced `{container}`; `undefined` if there is none. */
export function containerProblem(config: Config): string | undefined {
  const { service, container } = config;
  const named = addressKeys.flatMap((key) => {
    const url = config[key]?.url;
    return url?.includes(placeholder) === true ? { key: `${key}.url`, url: withoutCredentials(url) } : [];
  });
  const [first] = named;
  if (service?.publicUrl?.includes(placeholder) === true) {
    return `service.publicUrl: expected the address by which your endpoint reaches svc-conform, received one with ${placeholder}`;
  }
  if (container === undefined) {
    return (
      first &&
      `${first.key}: expected an address, or an image to start (--image, or the key container), received ${first.url}`
    );
  }
  if (first === undefined) {
    return `container: expected an address with ${placeholder}, such as http://${placeholder}/chat, received none, so the image would not be checked`;
  }
  const wrong = named.find(({ url }) => !/^\w+:\/\/\{container\}(?:[/?]|$)/.test(url));
  return wrong && `${wrong.key}: expected ${placeholder} in place of host and port, received ${wrong.url}`;
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

function withoutCredentials(address: string): string {
  return address.replace(/\/\/[^/]*@/, '//…@');
}
