import type { ConfigProblem } from '../../specs/faults/config-problem.ts';
import type { Config } from '../../specs/generated/types.ts';
import { configKeyOf, endpointSurfaces } from '../../specs/surfaces.ts';
import { HarnessFault } from '../checks/faults.ts';
import type { ResolvedConfig } from '../config/settings.ts';
import { isLocalNetwork } from '../wire/is-local-network.ts';

/** Placeholder in an address for the host and port of the container. */
const placeholder = '{container}';

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
  throw new HarnessFault('address-not-allowed:container', { address: open, host });
}

/** The problem of a misplaced `{container}`; `undefined` if there is none. */
export function containerProblem(config: Config): ConfigProblem | undefined {
  const { service, container } = config;
  const named = addressKeys.flatMap((key) => {
    const url = config[key]?.url;
    return url?.includes(placeholder) === true ? { key: `${key}.url`, received: withoutCredentials(url) } : [];
  });
  const [first] = named;
  if (service?.publicUrl?.includes(placeholder) === true) {
    return {
      key: 'service.publicUrl',
      expected: 'the address by which your endpoint reaches svc-conform',
      received: `one with ${placeholder}`,
    };
  }
  if (container === undefined) {
    return first && { ...first, expected: 'an address, or an image to start (--image, or the key container)' };
  }
  if (first === undefined) {
    return {
      key: 'container',
      expected: `an address with ${placeholder}, such as http://${placeholder}/chat`,
      received: 'none, so the image would not be checked',
    };
  }
  const wrong = named.find(({ received }) => !/^\w+:\/\/\{container\}(?:[/?]|$)/.test(received));
  return wrong && { ...wrong, expected: `${placeholder} in place of host and port` };
}

function withoutCredentials(address: string): string {
  return address.replace(/\/\/[^/]*@/, '//…@');
}
