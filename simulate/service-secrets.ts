import { randomBytes } from 'node:crypto';
import { Brand } from '../specs/brand.ts';
import type { ResolvedConfig } from '../harness/config/settings.ts';
import { envVariable, isEnvReference, readEnvReference } from '../specs/env-reference.ts';
import type { NamedSecret } from '../service/redact.ts';
import { HarnessFault } from '../harness/checks/faults.ts';

/** The credentials of the simulated service. */
export interface ServiceSecrets {
  apiKey: string;
  /** Secret of the own-AI assistant, for chat and phone. */
  agentSecret: string;
  /** Bearer token of the CRM webhook. */
  webhookToken: string;
  /** Secret of subscriptions to appointment events that were not created through the API. */
  webhookSecret: string;
}

/** Returns a secret that the config does not have; `make` generates a new one. */
export type OtherSecret = (name: keyof ServiceSecrets, make: () => string) => string;

/**
 * The secrets of the config, and others for the rest, by default random ones. `apiKey`: value of the flag. Throws
 * {@link HarnessFault}.
 */
export function serviceSecrets(
  config: ResolvedConfig | undefined,
  apiKey: string | undefined,
  environment: NodeJS.ProcessEnv,
  other: OtherSecret = (_, make) => make(),
): ServiceSecrets {
  const brand = Brand.named(config?.brand);
  const random = (name: keyof ServiceSecrets, prefix = '') => other(name, () => randomSecret(prefix));
  const ownKey = () => config?.service.apiKey ?? validKey(random('apiKey', brand.keyPrefix), brand, '--secrets');
  return {
    apiKey: apiKey === undefined ? ownKey() : givenKey(apiKey, brand, environment),
    agentSecret: config?.chat?.secret ?? config?.phone?.secret ?? random('agentSecret', 'whsec_'),
    webhookToken: config?.crmWebhook?.token ?? random('webhookToken'),
    webhookSecret: config?.apiWebhooks?.secret ?? random('webhookSecret', 'whk_'),
  };
}

/**
 * These secrets for display: those of the config, and a key from the environment, as references to their variables;
 * generated ones in clear text, because the developer needs them.
 */
export function shownSecrets(
  secrets: ServiceSecrets,
  references: Readonly<Record<string, string>>,
  apiKey: string | undefined,
): ServiceSecrets {
  const ofKey = apiKey !== undefined && envVariable(apiKey) !== undefined ? apiKey : undefined;
  return {
    apiKey: ofKey ?? (apiKey === undefined ? references['service.apiKey'] : undefined) ?? secrets.apiKey,
    agentSecret: references['chat.secret'] ?? references['phone.secret'] ?? secrets.agentSecret,
    webhookToken: references['crmWebhook.token'] ?? secrets.webhookToken,
    webhookSecret: references['apiWebhooks.secret'] ?? secrets.webhookSecret,
  };
}

/** The secrets with their names, for redaction. */
export function namedSecrets({ apiKey, agentSecret, webhookToken, webhookSecret }: ServiceSecrets): NamedSecret[] {
  return [
    { name: 'API key', value: apiKey },
    { name: 'agent secret', value: agentSecret },
    { name: 'webhook token', value: webhookToken },
    { name: 'webhook secret', value: webhookSecret },
  ];
}

function givenKey(text: string, brand: Brand, environment: NodeJS.ProcessEnv): string {
  const read = isEnvReference(text) ? readEnvReference(text, environment) : { value: text };
  if ('isEmpty' in read)
    throw new HarnessFault('secret-missing:variable', { key: '--api-key', reference: text, ...read });
  const place = isEnvReference(text) ? `The environment variable ${envVariable(text)}` : '--api-key';
  return validKey(read.value, brand, place);
}

function validKey(key: string, { keyPrefix }: Brand, place: string): string {
  // RFC 6750, 2.1; the prefix is that of the interface (Authentication).
  if (!key.startsWith(keyPrefix) || !/^[\w.~+/-]+=*$/.test(key.slice(keyPrefix.length))) {
    throw new HarnessFault('api-key-invalid', { place, keyPrefix });
  }
  return key;
}

function randomSecret(prefix: string): string {
  return prefix + randomBytes(24).toString('base64url');
}
