import { resolve } from 'node:path';
import { limits } from '../../specs/limits.ts';
import { isLoopback } from '../../specs/is-loopback.ts';
import { isLocalNetwork } from '../wire/is-local-network.ts';
import { Brand } from '../../specs/brand.ts';
import { surfaces, type Surface, configKeyOf, endpointSurfaces } from '../../specs/surfaces.ts';
import type { Config } from '../../specs/generated/types.ts';
import { containerSettings } from '../container/container-settings.ts';
import { containerProblem, withPlace } from '../container/container-address.ts';
import { startProblem, startSettings } from '../start/start-settings.ts';
import { readLinkList } from '../client/deep-links.ts';
import { HarnessFault } from '../checks/faults.ts';
import type { PactSettings, ResolvedConfig } from './settings.ts';
import { readEnvReference } from '../../specs/env-reference.ts';
import type { ConfigProblem } from '../../specs/faults/config-problem.ts';
import { allowHttpProblem, isPrivateHost, normalHost } from './allowed-http.ts';
import { configProblems } from './config-problems.ts';
import { resolveRoutes } from './resolve-routes.ts';
import { withoutTraffic } from '../wire/traffic-counts.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Seconds until a running client is terminated. */
const exerciseSecondsDefault = 60;

/** Surfaces that the config defines, in the catalogue's order. */
export function configuredSurfaces(config: ResolvedConfig): Surface[] {
  return surfaces.filter((surface) => config[configKeyOf(surface)] !== undefined);
}

/**
 * Checks a config and reads its secrets and its list of deep links. Throws {@link HarnessFault}: `config-invalid` with
 * the key, the expected and the received value; `secret-missing` with the variable; `address-not-allowed` with the
 * address.
 *
 * @param directory base of relative paths: the directory of the config file
 */
export function resolveConfig(
  value: unknown,
  environment: Environment,
  source: string,
  directory = process.cwd(),
): ResolvedConfig {
  const problems = configProblems(value);
  if (problems.length > 0) throw new HarnessFault('config-invalid:problems', { source, problems });
  const config = value as Config;
  const secret = (reference: string, key: string) => readSecret(reference, key, environment, source);
  const headerSecret = (reference: string, key: string) => {
    const value = secret(reference, key);
    checkHeaderValue(value, { key, reference, source });
    return value;
  };
  const {
    crmWebhook,
    apiWebhooks,
    chat,
    phone,
    observe,
    apiClient,
    deepLinks,
    service = {},
    suites = [],
    waivers = [],
    pact,
  } = config;
  if (apiClient && !apiClient.exercise) throw invalid(source, missingExercise);
  const misplaced =
    startProblem(config) ?? containerProblem(config) ?? allowHttpProblem(config.allowHttp) ?? tunnelProblem(config);
  if (misplaced !== undefined) throw invalid(source, misplaced);
  const openHosts = new Set<string>();
  const allowed = new Set((config.allowHttp ?? []).map(normalHost));
  const isAllowed = (hostname: string) => isLoopback(hostname) || allowed.has(normalHost(hostname));
  const check = (address: string, key: string, near: NearHosts = { isNear: isAllowed, hosts: loopbackOnly }) => {
    (key === 'phone.url' ? checkCallAddress : checkAddress)(address, key, source, near);
    const { protocol, hostname } = new URL(withPlace(address, 'localhost'));
    if (/^(?:http|ws):$/.test(protocol) && allowed.has(normalHost(hostname))) openHosts.add(normalHost(hostname));
  };
  for (const surface of endpointSurfaces) {
    const key = configKeyOf(surface);
    const { [key]: endpoint } = config;
    if (endpoint) check(endpoint.url, `${key}.url`);
  }
  if (observe) check(observe.url, 'observe.url');
  if (pact?.providerStates) check(pact.providerStates.url, 'pact.providerStates.url');
  if (pact?.broker) check(pact.broker.url, 'pact.broker.url');
  if (service.publicUrl !== undefined) {
    // A container reaches this process by a Docker host name or an address of the container network.
    const near = config.container && {
      isNear: (hostname: string) => isAllowed(hostname) || isLocalNetwork(hostname),
      hosts: 'this machine and its local network only',
    };
    check(service.publicUrl, 'service.publicUrl', near);
  }
  const brand = Brand.named(config.brand);
  const routes = resolveRoutes(config, { environment, source, directory, headerSecret, secret });
  return {
    ...(!brand.isDocuments && { brand: brand.name }),
    ...(crmWebhook && {
      crmWebhook: { url: crmWebhook.url, token: headerSecret(crmWebhook.token, 'crmWebhook.token') },
    }),
    ...(apiWebhooks && {
      apiWebhooks: {
        url: apiWebhooks.url,
        secret: secret(apiWebhooks.secret, 'apiWebhooks.secret'),
        ...(apiWebhooks.events && { events: apiWebhooks.events }),
      },
    }),
    ...(chat && {
      chat: {
        url: chat.url,
        secret: secret(chat.secret, 'chat.secret'),
        ...answerTimeout(chat.timeoutSeconds),
      },
    }),
    ...(phone && {
      phone: {
        url: phone.url,
        secret: secret(phone.secret, 'phone.secret'),
        ...answerTimeout(phone.timeoutSeconds),
      },
    }),
    ...(apiClient?.exercise && {
      apiClient: { timeoutSeconds: exerciseSecondsDefault, ...apiClient.exercise, directory },
    }),
    ...(deepLinks && { deepLinks: brand.value(readLinkList(deepLinks.file, { directory, source })) }),
    skills: (config.skills ?? []).map((skill) => ({ announcement: null, ...skill })),
    stimuli: config.stimuli ?? {},
    ...(observe && { observe }),
    ...(routes && { routes }),
    ...(openHosts.size > 0 && { openHosts: [...openHosts] }),
    ...(config.limits && { limits: withoutTraffic(config.limits) }),
    service: {
      host: service.host ?? '127.0.0.1',
      port: service.port ?? 0,
      ...(service.publicUrl !== undefined && { publicUrl: service.publicUrl }),
      ...(service.publicUrlCheck !== undefined && { publicUrlCheck: service.publicUrlCheck }),
      ...(service.tunnel !== undefined && { tunnel: service.tunnel }),
      ...(service.apiKey !== undefined && { apiKey: headerSecret(service.apiKey, 'service.apiKey') }),
    },
    ...(pact && { pact: pactSettings(pact, headerSecret, source) }),
    ...(config.container && { container: containerSettings(config, config.container, secret) }),
    ...(config.start && { start: startSettings(config, config.start, { read: secret, directory }) }),
    ...(config.chaos !== undefined && { chaos: config.chaos }),
    ...(suites.length > 0 && { suites: suites.map((pattern) => resolve(directory, pattern)) }),
    ...(waivers.length > 0 && { waivers }),
  };
}

/** A run needs a timeout; recorded traffic is not judged by a default that the user did not set. */
function answerTimeout(given: number | undefined): { timeoutSeconds: number; timeoutGiven?: true } {
  if (given === undefined) return { timeoutSeconds: limits.ownAiTimeoutSecondsDefault };
  return { timeoutSeconds: given, timeoutGiven: true };
}

function pactSettings(
  { providerStates, broker }: NonNullable<Config['pact']>,
  headerSecret: (reference: string, key: string) => string,
  source: string,
): PactSettings {
  const { token, publish = false, ...rest } = broker ?? {};
  if (publish && broker?.providerVersion === undefined) {
    throw invalid(source, {
      key: 'pact.broker.providerVersion',
      expected: 'the version of the endpoint (a commit), since pact.broker.publish is true',
      received: '(missing)',
    });
  }
  return {
    ...(providerStates && { providerStates }),
    ...(broker && {
      broker: {
        ...rest,
        url: broker.url,
        publish,
        ...(token !== undefined && { token: headerSecret(token, 'pact.broker.token') }),
      },
    }),
  };
}

function tunnelProblem({ service, container }: Config): ConfigProblem | undefined {
  if (service?.tunnel === undefined || !container) return undefined;
  const expected = 'none with a container, which reaches this process directly';
  return { key: 'service.tunnel', expected, received: 'a command' };
}

const missingExercise: ConfigProblem = {
  key: 'apiClient.exercise',
  expected: 'the command that starts your client',
  received: '(missing)',
  hint: 'To judge a client that starts on its own, run: npx svc-conform serve --record conformance-report',
};

function invalid(source: string, problem: ConfigProblem): HarnessFault {
  return new HarnessFault('config-invalid:problems', { source, problems: [problem] });
}

function readSecret(reference: string, key: string, environment: Environment, source: string): string {
  const read = readEnvReference(reference, environment);
  if ('value' in read) return read.value;
  throw new HarnessFault('secret-missing:variable', { source, key, reference, ...read });
}

/**
 * Characters that a header value cannot contain (RFC 9110, 5.5), with their descriptions. The value itself is not
 * printed.
 */
const invalidHeaderCharacters: readonly [RegExp, string][] = [
  [/[\r\n]/, 'a line break'],
  [/[^\t\x20-\x7e\x80-\u{10ffff}]/u, 'a control character'],
  [/[^\0-\xff]/, 'a character beyond U+00FF'],
  [/^[\t ]|[\t ]$/, 'white space at its beginning or end'],
];

function checkHeaderValue(
  value: string,
  { key, reference, source }: { key: string; reference: string; source: string },
): void {
  const found = invalidHeaderCharacters.find(([pattern]) => pattern.test(value));
  if (!found) return;
  const expected = `a valid HTTP header value in ${reference}`;
  throw invalid(source, { key, expected, received: `one with ${found[1]} (hidden)` });
}

/** Hosts to which an address may send unencrypted, and how a message names them. */
interface NearHosts {
  isNear: (hostname: string) => boolean;
  hosts: string;
}

const loopbackOnly = 'loopback only (localhost, 127.0.0.1, [::1])';

function checkAddress(address: string, key: string, source: string, near: NearHosts): void {
  assertAddress(address, key, source, { open: 'http:', safe: 'https:', ...near });
}

/** The address of a WebSocket (RFC 6455, 3). */
function checkCallAddress(address: string, key: string, source: string, near: NearHosts): void {
  assertAddress(address, key, source, { open: 'ws:', safe: 'wss:', ...near });
  if (address.includes('#')) {
    throw invalid(source, {
      key,
      expected: 'a WebSocket address without a fragment (#…)',
      received: address,
      hint: 'Remove the fragment, or write %23 for a # in the path or query.',
    });
  }
}

/** Rejects an address that is invalid, contains credentials, or sends unencrypted traffic to another machine. */
function assertAddress(
  address: string,
  key: string,
  source: string,
  scheme: NearHosts & { open: string; safe: string },
): void {
  const placed = withPlace(address, 'localhost');
  if (!URL.canParse(placed)) {
    throw invalid(source, { key, expected: 'an absolute address', received: JSON.stringify(address) });
  }
  const url = new URL(placed);
  if (url.username !== '' || url.password !== '') {
    throw invalid(source, {
      key,
      expected: 'an address without a user name or password, because addresses are printed',
      received: 'one with them (hidden)',
    });
  }
  if (url.protocol === scheme.open && !scheme.isNear(url.hostname)) {
    const { open, safe: use, hosts } = scheme;
    const instead = isPrivateHost(url.hostname) ? url.hostname : undefined;
    throw new HarnessFault('address-not-allowed:scheme', { source, key, address, scheme: open, hosts, use, instead });
  }
}
