import type { Config, ContainerTarget } from '../../specs/types.ts';
import type { ResolvedConfig } from '../config/settings.ts';
import { HarnessFault } from '../checks/faults.ts';
import { isLocalNetwork } from '../wire/local-network.ts';

/** Seconds that a container has for becoming ready. */
const readySecondsDefault = 60;

/** What stands in an address for the host and port by which a container is reached. */
const placeholder = '{container}';

/** What is started for a run. */
export interface ContainerSettings {
  /** Without it, whoever starts the run must name one. */
  image?: string;
  /** On which it listens; without it, the only port that the image exposes. */
  port?: number;
  /** Variables of the container, the secrets that the config names among them. */
  env: Record<string, string>;
  /** Names of the variables in `env` that hold secrets. */
  secret: string[];
  wait: {
    /** GET of it is answered with 2xx. */
    path?: string;
    /** A text that it writes. */
    log?: string;
    timeoutSeconds: number;
  };
  /** An existing network that it is started in. */
  network?: string;
}

/** The address with a host, or a host and a port, in place of `{container}`. */
export function withPlace(address: string, place: string): string {
  return address.replace(`//${placeholder}`, `//${place}`);
}

/** The config with a host and port in place of `{container}` in each address of the endpoint. */
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

/** The first address of a config that names the container. */
export function containerAddress({
  crmWebhook,
  apiWebhooks,
  chat,
  phone,
  observe,
}: ResolvedConfig): string | undefined {
  return [crmWebhook, apiWebhooks, chat, phone, observe].find((target) => target?.url.includes(placeholder))?.url;
}

/** Whether the container is reached by TLS: the scheme of the first address of it that a config names. */
export function isContainerSafe(config: ResolvedConfig): boolean {
  return /^(?:https|wss):/.test(containerAddress(config) ?? '');
}

/**
 * What is signed and secret goes unencrypted to this machine and its own network only, also where Docker runs elsewhere.
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
    `${open.url}: expected https: or wss:, since containers run on ${host} and not on this machine or in its own network.`,
  );
}

/** What is wrong with where `{container}` stands; `undefined` when nothing is. */
export function containerProblem(config: Config): string | undefined {
  const { crmWebhook, apiWebhooks, chat, phone, observe, service, container } = config;
  const addresses = { crmWebhook, apiWebhooks, chat, phone, observe };
  const named = Object.entries(addresses).flatMap(([key, target]) =>
    target?.url.includes(placeholder) === true ? { key: `${key}.url`, url: withoutCredentials(target.url) } : [],
  );
  const [first] = named;
  if (service?.publicUrl?.includes(placeholder) === true) {
    return `service.publicUrl: expected the address by which your endpoint reaches us, received one with ${placeholder}`;
  }
  if (container === undefined) {
    return (
      first &&
      `${first.key}: expected an address, or an image to start (--image, or the key container), received ${first.url}`
    );
  }
  if (first === undefined) {
    return `container: expected an address with ${placeholder}, such as http://${placeholder}/chat, received none; nothing of the image would be checked`;
  }
  const wrong = named.find(({ url }) => !/^\w+:\/\/\{container\}(?:[/?]|$)/.test(url));
  return wrong && `${wrong.key}: expected ${placeholder} in place of host and port, received ${wrong.url}`;
}

/**
 * What is started, its secrets read. The container gets each secret that the config names, under the name of the
 * variable that holds it; `SVC_API_KEY` is the key under its usual name.
 *
 * @param read gives the value of a reference `env:NAME` at a key, or throws
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
