import type { Config } from '../../specs/generated/types.ts';
import { HarnessFault } from '../checks/faults.ts';
import type { ResolvedConfig } from '../config/settings.ts';
import { isLocalNetwork } from '../wire/is-local-network.ts';

/** Placeholder in an address for the host and port of the container. */
const placeholder = '{container}';

/** Replaces `{container}` in an address by a host, or a host and port. */
export function withPlace(address: string, place: string): string {
  return address.replace(`//${placeholder}`, `//${place}`);
}

/** Replaces `{container}` in each endpoint address of the config. */
export function placedConfig(config: ResolvedConfig, place: string): ResolvedConfig {
  const placed = <Target extends { url: string }>(target: Target): Target => ({
    ...target,
    url: withPlace(target.url, place),
  });
  const { crmWebhook, apiWebhooks, chat, phone, observe } = config;
  return {
    ...config,
    ...(crmWebhook && { crmWebhook: placed(crmWebhook) }),
    ...(apiWebhooks && { apiWebhooks: placed(apiWebhooks) }),
    ...(chat && { chat: placed(chat) }),
    ...(phone && { phone: placed(phone) }),
    ...(observe && { observe: placed(observe) }),
  };
}

/** The first address of a config that contains the placeholder. */
export function containerAddress({
  crmWebhook,
  apiWebhooks,
  chat,
  phone,
  observe,
}: ResolvedConfig): string | undefined {
  return [crmWebhook, apiWebhooks, chat, phone, observe].find((target) => target?.url.includes(placeholder))?.url;
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
  const { crmWebhook, apiWebhooks, chat, phone, observe } = config;
  const open = [crmWebhook, apiWebhooks, chat, phone, observe].find((target) =>
    /^(?:http|ws):\/\/\{container\}/.test(target?.url ?? ''),
  );
  if (!open || isLocalNetwork(host)) return;
  throw new HarnessFault(
    'address-not-allowed',
    `${open.url}: expected https: or wss:, because containers run on ${host}, outside this machine and its local network.`,
  );
}

/** Describes a misplaced `{container}`; `undefined` if there is none. */
export function containerProblem(config: Config): string | undefined {
  const { crmWebhook, apiWebhooks, chat, phone, observe, service, container } = config;
  const addresses = { crmWebhook, apiWebhooks, chat, phone, observe };
  const named = Object.entries(addresses).flatMap(([key, target]) =>
    target?.url.includes(placeholder) === true ? { key: `${key}.url`, url: withoutCredentials(target.url) } : [],
  );
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

function withoutCredentials(address: string): string {
  return address.replace(/\/\/[^/]*@/, '//…@');
}
