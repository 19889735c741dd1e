import type { ApiWebhookEvent, Report, Skill, Stimuli, Waiver } from '../../specs/generated/types.ts';
import { addressSecrets } from '../../service/address-secrets.ts';
import type { ClientTraffic } from '../client/api-exchange.ts';
import type { StartClient } from '../client/run-client.ts';
import type { Capture } from '../capture/capture.ts';
import type { ContainerSettings } from '../container/container-settings.ts';
import type { TrafficLimitSettings } from '../wire/traffic-counts.ts';
import type { RestartTimes } from '../start/restarts.ts';
import type { StartSettings } from '../start/start-settings.ts';
import type { LinkList } from '../client/deep-links.ts';
import type { NamedSecret } from '../../service/redact.ts';
import { configKeyOf, endpointSurfaces } from '../../specs/surfaces.ts';
import type { Route, RouteKey } from '../wire/route.ts';

/** A config whose secrets are read and whose addresses are checked. It can be posted to a worker. */
export interface ResolvedConfig {
  /** The vendor's brand; absent: that of the document. */
  brand?: string;
  crmWebhook?: { url: string; token: string };
  /** `events`: the types that the endpoint subscribed to; absent: all of them. */
  apiWebhooks?: { url: string; secret: string; events?: readonly ApiWebhookEvent['type'][] };
  /** Without `timeoutGiven` the config sets no timeout, and `timeoutSeconds` is the default. */
  chat?: { url: string; secret: string; timeoutSeconds: number; timeoutGiven?: true };
  /** A ws: or wss: address without a fragment. */
  phone?: { url: string; secret: string; timeoutSeconds: number; timeoutGiven?: true };
  /** The integrator's client: a shell command, its working directory, and seconds until it is terminated. */
  apiClient?: { command: string; timeoutSeconds: number; directory: string };
  /** The links under test and the file that lists them. */
  deepLinks?: LinkList;
  skills: Skill[];
  stimuli: Stimuli;
  observe?: { url: string };
  service: {
    host: string;
    port: number;
    publicUrl?: string;
    publicUrlCheck?: boolean;
    apiKey?: string;
    tunnel?: string;
  };
  /** The container that the run starts. Addresses contain {container} until it is running. */
  container?: ContainerSettings;
  /** The command that the run starts. */
  start?: StartSettings;
  /** The endpoint is killed on purpose in each run. */
  chaos?: boolean;
  /** Set once the run has started the endpoint, which it starts again whenever it ends. */
  restarts?: RestartTimes;
  /** The provider-states address of the endpoint and the broker that receives the results. */
  pact?: PactSettings;
  /** The integrator's suites: absolute paths or patterns. */
  suites?: string[];
  /** Known failures that do not fail the run until they expire. */
  waivers?: Waiver[];
  /** Hosts of the addresses that `allowHttp` lets this config send to without encryption. */
  openHosts?: readonly string[];
  /** How much an own AI may receive from this process. */
  limits?: TrafficLimitSettings;
  /** How the addresses are reached, where more than the address decides. */
  routes?: Partial<Record<RouteKey, Route>>;
  /** Additional secrets found in recorded traffic; redacted like configured ones. */
  otherSecrets?: NamedSecret[];
}

/** Settings of contract verification. */
export interface PactSettings {
  providerStates?: { url: string };
  broker?: { url: string; token?: string; publish: boolean; providerVersion?: string; providerBranch?: string };
}

/** Everything that a run depends on. */
export interface RunSettings {
  config: ResolvedConfig;
  /** Seed of all generated values except the ids of deliveries, which are new in each run. */
  seed: number;
  /** Generated events per property. */
  runs: number;
  /**
   * Milliseconds to wait for a callback after 202; if shorter than `callbackLimitMs`, a missing callback is
   * inconclusive.
   */
  callbackWaitMs: number;
  /** Milliseconds until a callback is late: the limit of the interface, except in proving runs. */
  callbackLimitMs: number;
  /** Timeout in milliseconds for answers without a limit in the interface. */
  answerTimeoutMs: number;
  /** Milliseconds in which no second callback or reply may follow, and a tolerated late reply may still come. */
  quietMs: number;
  /** Milliseconds in which a refused reply must not be repeated, and no second callback may follow the first. */
  retryWatchMs: number;
  /**
   * Milliseconds after which a property sends no further events, so that a slow endpoint does not delay the run; up to
   * {@link slowPropertyFactor} times as many if it could not send the fewest that a pass needs.
   */
  propertyMs: number;
  /** Milliseconds for shrinking a counterexample, per property. */
  shrinkMs: number;
  /** Milliseconds for the whole run, causes of failures included; absent: unlimited. */
  budgetMs?: number;
  /** The same for an endpoint that answers everything, however slowly; absent: `budgetMs`. */
  answeringBudgetMs?: number;
  /** Traffic of a client that connected on its own; no client is started then. */
  recorded?: ClientTraffic;
  /**
   * Requests to API v1 that the endpoint sent on its own while contracts were verified: judged instead of those of this
   * run.
   */
  observed?: ClientTraffic;
  /** Recorded traffic to judge; nothing is sent then. */
  capture?: Capture;
  /** Requirement or check ids; empty: all. */
  only: string[];
  /** Files of the integrator's suites, which run after ours. */
  ownSuites?: string[];
  /** Surfaces that run; absent: all. */
  surfaces?: readonly string[];
  /** The client of the config is not started: only requests that the endpoint sends during the run are judged. */
  observedOnly?: true;
  /**
   * Runs the client instead of {@link runClient}, which starts a process: for tests that run hundreds of clients. Only
   * without the engine, since a function cannot be passed to its worker.
   */
  startClient?: StartClient;
  /** No request of the endpoint to API v1 fails on purpose. */
  withoutTrouble?: true;
  /** The endpoint is killed after an effect, if the run started it. */
  chaos?: true;
  /** Path of a recorded counterexample: replays one property from seed and path. */
  path?: string;
  /**
   * A surface that refuses valid and forged requests alike is not tried any further; milliseconds for each of these
   * answers. Absent: every check is tried.
   */
  preflightMs?: number;
  /** The run stops after the first failure of one of these requirements. */
  bail?: readonly string[];
}

/** Multiple of `propertyMs` within which an endpoint so slow that too few events fit into it gets the fewest for a pass. */
export const slowPropertyFactor = 5;

/** Defaults of {@link RunSettings}, each with its reason. */
export const runDefaults = {
  /** Edge cases come first and need about 20; the rest mixes them. */
  runs: 60,
  thoroughRuns: 1_000,
  /** The interface sets no limit; clients of this kind rarely wait longer than half a minute. */
  answerTimeoutMs: 30_000,
  /** An endpoint that refuses a request does so at once; a slow one is judged without. */
  preflightMs: 1_000,
  /** Long enough for a second POST of the same code path, short enough not to delay the run. */
  quietMs: 400,
  /** A retrying client usually pauses a second or two first; a queue, up to half a minute. */
  retryWatchMs: 3_000,
  thoroughRetryWatchMs: 30_000,
  /** An endpoint that takes a second for each of several at once still receives most of the edge cases. */
  propertyMs: 6_000,
  thoroughPropertyMs: 600_000,
  shrinkMs: 10_000,
  /** A verdict is worth waiting two minutes for where waiting is in vain. */
  budgetMs: 120_000,
  /** An own AI that takes a second or two is correct, and an incomplete verdict would be of no use to it. */
  answeringBudgetMs: 600_000,
  /** The thorough properties alone may take ten minutes each. */
  thoroughBudgetMs: 3_600_000,
} as const;

type ConfigSecretName = NonNullable<NonNullable<Report['environment']>['weakSecrets']>[number];

/** The secrets that the config references, with their names. */
export function configSecrets(config: ResolvedConfig): { name: ConfigSecretName; value: string }[] {
  const { chat, phone } = config;
  return [
    { name: 'webhook token', value: config.crmWebhook?.token },
    { name: 'webhook secret', value: config.apiWebhooks?.secret },
    { name: 'agent secret', value: chat?.secret },
    // An assistant has one secret for both surfaces; two names for it would be confusing.
    { name: 'phone secret', value: phone?.secret === chat?.secret ? undefined : phone?.secret },
    { name: 'API key', value: config.service.apiKey },
    { name: 'broker token', value: config.pact?.broker?.token },
  ].flatMap(({ name, value }) => (value === undefined ? [] : { name: name as ConfigSecretName, value }));
}

/** All secrets of the config with their names, for redaction. */
export function secretsOf(config: ResolvedConfig): NamedSecret[] {
  const started = config.container ?? config.start;
  const named: NamedSecret[] = configSecrets(config);
  const isNamed = ({ value }: NamedSecret) => named.some((secret) => secret.value === value);
  const given = (started?.secret ?? [])
    .map((name) => ({ name, value: started?.env[name] ?? '' }))
    .filter((secret) => !isNamed(secret));
  const others = (config.otherSecrets ?? []).filter((secret) => !isNamed(secret));
  const endpoints = endpointSurfaces.map((surface) => config[configKeyOf(surface)]);
  const addresses = [...endpoints, config.observe, config.pact?.providerStates];
  const inAddresses = addresses.flatMap((address) => (address ? addressSecrets(address.url) : []));
  const onRoutes = Object.values(config.routes ?? {}).flatMap(routeSecrets);
  const unnamed = [...given.flatMap(variableSecrets), ...inAddresses, ...onRoutes].filter((secret) => !isNamed(secret));
  return [...named, ...unnamed, ...others];
}

/**
 * Values of gateway headers, also without their scheme (`Basic`, `Bearer`), and the password in one of `Basic`; the
 * client key, and the proxy's password.
 */
function routeSecrets({ headers, key, proxy }: Route): NamedSecret[] {
  const values = headers.flatMap(([name, value]) =>
    [value, value.replace(/^[A-Za-z]+ +/, ''), ...basicCredentials(value)].map((part) => ({
      name: `header ${name}`,
      value: part,
    })),
  );
  const { user = '', password = '' } = proxy?.credentials ?? {};
  const basic = Buffer.from(`${user}:${password}`, 'utf8').toString('base64');
  return [
    ...values,
    ...(key === undefined ? [] : variableSecrets({ name: 'client key', value: key })),
    ...(proxy?.credentials ? [password, basic].map((value) => ({ name: 'proxy password', value })) : []),
  ].filter(({ value }) => !trivialValue.test(value));
}

/** `user:password` and the password that a value of `Basic` encodes (RFC 7617). */
function basicCredentials(value: string): string[] {
  const [, encoded] = /^Basic +(\S+)$/i.exec(value) ?? [];
  const pair = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon === -1 ? [] : [pair, pair.slice(colon + 1)];
}

/** Switches and small numbers: redacting them would destroy unrelated output. */
const trivialValue = /^(?:.{0,3}|true|false)$/i;

/** Names of variables of which no part may be shown. */
const namesSecret = /key|secret|token|passw|pwd|credential/i;

/** Characters; shorter lines of a value are too common to redact. */
const minLineCharacters = 16;

/**
 * Secrets in a variable of the container or the command. The value is often an address, a mode or a number whose parts appear
 * elsewhere, so it is redacted only as a whole unless the variable's name marks it as a secret. Passwords in addresses
 * are redacted separately, as are the lines of multi-line keys.
 */
function variableSecrets({ name, value }: NamedSecret): NamedSecret[] {
  if (trivialValue.test(value)) return [];
  const lines = value.split(/\r?\n/).filter((line) => line !== value && line.length >= minLineCharacters);
  const passwords = Array.from(value.matchAll(passwordInAddress), ({ 1: password = '' }) => unescaped(password));
  return [
    ...[value, ...lines].map((whole) => ({
      name,
      value: whole,
      ...(!namesSecret.test(name) && { isWhole: true as const }),
    })),
    ...passwords.map((password) => ({ name, value: password })),
  ];
}

/** Any scheme and several hosts, which `URL` does not accept. */
const passwordInAddress = /:\/\/[^\s/?#:@]*:([^\s/?#]+)@/g;

function unescaped(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
