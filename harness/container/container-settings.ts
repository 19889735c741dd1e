import type { Config, ContainerTarget } from '../../specs/generated/types.ts';
import type { ResolvedConfig } from '../config/settings.ts';
import type { ConfigProblem } from '../../specs/faults/config-problem.ts';
import { HarnessFault } from '../checks/faults.ts';
import { isLocalNetwork } from '../wire/local-network.ts';

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
  throw new HarnessFault('address-not-allowed:container', { address: open.url, host });
}

/** The problem of a misplaced `{container}`; `undefined` if there is none. */
export function containerProblem(config: Config): ConfigProblem | undefined {
  const { crmWebhook, apiWebhooks, chat, phone, observe, service, container } = config;
  const addresses = { crmWebhook, apiWebhooks, chat, phone, observe };
  const named = Object.entries(addresses).flatMap(([key, target]) =>
    target?.url.includes(placeholder) === true ? { key: `${key}.url`, received: withoutCredentials(target.url) } : [],
  );
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

/**
 * Resolves the container settings with their secrets. The container gets each secret of the config, in the variable
 * that the config reads it from; `SVC_API_KEY` also contains the API key.
 *
 * @param read returns the value of a reference `env:NAME` at a key, or throws
 */
export function containerSettings(
  { crmWebhook, apiWebhooks, chat, phone, service }: Config,
  { image, port, env = {}, wait = {}, network }: ContainerTarget,
  read: (reference: string, key: string) => string,
): ContainerSettings {
  const given = Object.entries(env).map(([name, value]) => ({ name, value, key: `container.env.${name}` }));
  const handed = [
    { reference: crmWebhook?.token, key: 'crmWebhook.token' },
    { reference: apiWebhooks?.secret, key: 'apiWebhooks.secret' },
    { reference: chat?.secret, key: 'chat.secret' },
    { reference: phone?.secret, key: 'phone.secret' },
    { reference: service?.apiKey, key: 'service.apiKey' },
    { name: 'SVC_API_KEY', reference: service?.apiKey, key: 'service.apiKey' },
  ].flatMap(({ name, reference, key }) =>
    reference === undefined ? [] : { name: name ?? nameOf(reference), value: reference, key },
  );
  const variables = new Map([...handed, ...given].map((variable) => [variable.name, variable]));
  const secret = [...variables.values()].filter(({ value }) => isReference(value)).map(({ name }) => name);
  return {
    ...(image !== undefined && { image }),
    ...(port !== undefined && { port }),
    env: Object.fromEntries(
      [...variables.values()].map(({ name, value, key }) => [name, isReference(value) ? read(value, key) : value]),
    ),
    secret,
    wait: { ...wait, timeoutSeconds: wait.timeoutSeconds ?? readySecondsDefault },
    ...(network !== undefined && { network }),
  };
}

function withoutCredentials(address: string): string {
  return address.replace(/\/\/[^/]*@/, '//…@');
}

function isReference(value: string): boolean {
  return /^env:[A-Za-z_][A-Za-z0-9_]*$/.test(value);
}

function nameOf(reference: string): string {
  return reference.slice('env:'.length);
}
