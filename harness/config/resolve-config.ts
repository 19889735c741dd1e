import { resolve } from 'node:path';
import { limits } from '../../specs/limits.ts';
import { isLoopback } from '../../specs/loopback.ts';
import { isLocalNetwork } from '../wire/local-network.ts';
import { surfaces, type Surface } from '../../specs/requirements/catalogue.ts';
import type { Config } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { containerProblem, containerSettings, withPlace } from '../container/container-settings.ts';
import { readLinkList } from '../client/deep-links.ts';
import { HarnessFault } from '../checks/faults.ts';
import type { PactSettings, ResolvedConfig } from './settings.ts';
import { waiverProblemLine, waiverProblems } from './waiver-problems.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Fields of a config that name a surface. */
export const surfaceKeys = {
  'crm-webhook': 'crmWebhook',
  'api-webhooks': 'apiWebhooks',
  'own-ai-chat': 'chat',
  'own-ai-phone': 'phone',
  'api-client': 'apiClient',
  'deep-links': 'deepLinks',
} as const satisfies Record<Surface, keyof ResolvedConfig>;

/** Seconds until a running client is terminated. */
const exerciseSecondsDefault = 60;

/** Keys of a config whose values are references to secrets. */
const secretKeys = /(?:^|\.)(?:token|secret|apiKey)$/;

/** Surfaces that the config defines, in the catalogue's order. */
export function configuredSurfaces(config: ResolvedConfig): Surface[] {
  return surfaces.filter((surface) => config[surfaceKeys[surface]] !== undefined);
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
  const violations = validate('config', value);
  if (violations.length > 0) {
    const lines = violations.map(({ pointer, expected, received, rule }) => {
      const key = pointer === '' ? 'the config' : pointer.slice(1).replaceAll('/', '.');
      // The value is most likely the secret in plain text, possibly under a misspelt key, so it is not printed.
      if (secretKeys.test(key) && rule.keyword !== 'required') {
        return `  ${key}: expected env:NAME, the environment variable that holds it, received another value (hidden)`;
      }
      if (rule.keyword === 'no-such-field') return `  ${key}: expected no such field, received one`;
      return `  ${key}: expected ${expected}, received ${received}`;
    });
    throw new HarnessFault('config-invalid', [`${source} is not valid:`, ...lines].join('\n'));
  }
  const config = value as Config;
  const secret = (reference: string, key: string) => readSecret(reference, key, environment, source);
  const headerSecret = (reference: string, key: string) => {
    const value = secret(reference, key);
    checkHeaderValue(value, `${source}: ${key} is ${reference}`);
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
  const problems = waiverProblems(waivers, { hasOwnSuites: suites.length > 0 }).map(waiverProblemLine);
  if (problems.length > 0)
    throw new HarnessFault('config-invalid', [`${source} is not valid:`, ...problems].join('\n'));
  if (apiClient && !apiClient.exercise) throw new HarnessFault('config-invalid', missingExercise(source));
  const misplaced = containerProblem(config);
  if (misplaced !== undefined) throw new HarnessFault('config-invalid', `${source} is not valid:\n  ${misplaced}`);
  if (crmWebhook) checkAddress(crmWebhook.url, 'crmWebhook.url', source);
  if (apiWebhooks) checkAddress(apiWebhooks.url, 'apiWebhooks.url', source);
  if (chat) checkAddress(chat.url, 'chat.url', source);
  if (phone) checkCallAddress(phone.url, 'phone.url', source);
  if (observe) checkAddress(observe.url, 'observe.url', source);
  if (pact?.providerStates) checkAddress(pact.providerStates.url, 'pact.providerStates.url', source);
  if (pact?.broker) checkAddress(pact.broker.url, 'pact.broker.url', source);
  if (service.publicUrl !== undefined) {
    // A container reaches this process by a Docker host name or an address of the container network.
    checkAddress(service.publicUrl, 'service.publicUrl', source, {
      isNear: config.container === undefined ? isLoopback : isLocalNetwork,
    });
  }
  return {
    ...(crmWebhook && {
      crmWebhook: { url: crmWebhook.url, token: headerSecret(crmWebhook.token, 'crmWebhook.token') },
    }),
    ...(apiWebhooks && {
      apiWebhooks: { url: apiWebhooks.url, secret: secret(apiWebhooks.secret, 'apiWebhooks.secret') },
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
    ...(deepLinks && { deepLinks: readLinkList(deepLinks.file, { directory, source }) }),
    skills: (config.skills ?? []).map((skill) => ({ announcement: null, ...skill })),
    stimuli: config.stimuli ?? {},
    ...(observe && { observe }),
    service: {
      host: service.host ?? '127.0.0.1',
      port: service.port ?? 0,
      ...(service.publicUrl !== undefined && { publicUrl: service.publicUrl }),
      ...(service.publicUrlCheck !== undefined && { publicUrlCheck: service.publicUrlCheck }),
      ...(service.apiKey !== undefined && { apiKey: headerSecret(service.apiKey, 'service.apiKey') }),
    },
    ...(pact && { pact: pactSettings(pact, headerSecret, source) }),
    ...(config.container && { container: containerSettings(config, config.container, secret) }),
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
    throw new HarnessFault(
      'config-invalid',
      `${source} is not valid:\n  pact.broker.providerVersion: expected the version of the endpoint (a commit), since pact.broker.publish is true, received (missing)`,
    );
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

function missingExercise(source: string): string {
  return [
    `${source} is not valid:`,
    '  apiClient.exercise: expected the command that starts your client, received (missing)',
    '  To judge a client that starts on its own, run: npx svc-conform serve --record conformance-report',
  ].join('\n');
}

function readSecret(reference: string, key: string, environment: Environment, source: string): string {
  const name = reference.slice('env:'.length);
  const value = environment[name];
  if (value === undefined || value === '') {
    throw new HarnessFault(
      'secret-missing',
      `${source}: ${key} is ${reference}, but the environment variable ${name} is ${value === '' ? 'empty' : 'not set'}.`,
    );
  }
  return value;
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

function checkHeaderValue(value: string, what: string): void {
  const found = invalidHeaderCharacters.find(([pattern]) => pattern.test(value));
  if (found) {
    throw new HarnessFault(
      'config-invalid',
      `${what}: expected a valid HTTP header value, received one with ${found[1]} (hidden).`,
    );
  }
}

function checkAddress(address: string, key: string, source: string, { isNear = isLoopback } = {}): void {
  assertAddress(address, key, source, { open: 'http:', safe: 'https:', isNear });
}

/** The address of a WebSocket (RFC 6455, 3). */
function checkCallAddress(address: string, key: string, source: string): void {
  assertAddress(address, key, source, { open: 'ws:', safe: 'wss:', isNear: isLoopback });
  if (address.includes('#')) {
    throw new HarnessFault(
      'config-invalid',
      `${source}: ${key} is ${address}; a WebSocket address cannot have a fragment (#…). Remove it, or write %23 for a # in the path or query.`,
    );
  }
}

function describeAllowedHosts({ isNear }: { isNear: (hostname: string) => boolean }): string {
  const here = 'loopback only (localhost, 127.0.0.1, [::1])';
  return isNear === isLoopback ? here : 'this machine and its local network only';
}

/** Rejects an address that is invalid, contains credentials, or sends unencrypted traffic to another machine. */
function assertAddress(
  address: string,
  key: string,
  source: string,
  scheme: { open: string; safe: string; isNear: (hostname: string) => boolean },
): void {
  const placed = withPlace(address, 'localhost');
  if (!URL.canParse(placed)) {
    throw new HarnessFault(
      'config-invalid',
      `${source} is not valid:\n  ${key}: expected an absolute address, received ${JSON.stringify(address)}`,
    );
  }
  const url = new URL(placed);
  if (url.username !== '' || url.password !== '') {
    throw new HarnessFault(
      'config-invalid',
      `${source}: ${key} must not contain a user name or password, because addresses are printed.`,
    );
  }
  if (url.protocol === scheme.open && !scheme.isNear(url.hostname)) {
    throw new HarnessFault(
      'address-not-allowed',
      `${source}: ${key} is ${address}; ${scheme.open} is allowed for ${describeAllowedHosts(scheme)}. Use ${scheme.safe}.`,
    );
  }
}
