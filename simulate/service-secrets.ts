import { randomBytes } from 'node:crypto';
import type { ResolvedConfig } from '../harness/config/settings.ts';
import { envVariable, isEnvReference, readEnvReference } from '../specs/env-reference.ts';
import type { NamedSecret } from '../service/redact.ts';
import { HarnessFault } from '../harness/checks/faults.ts';

/** What the simulated service is called with, and what it signs with. */
export interface ServiceSecrets {
  apiKey: string;
  /** Of the own-AI assistant: chat and phone. */
  agentSecret: string;
  /** Bearer token of the CRM webhook. */
  webhookToken: string;
  /** Of subscriptions to appointment events that were not made through the API. */
  webhookSecret: string;
}

/** The secrets of the config, and forged ones for the rest. `apiKey` as the flag has it. Throws {@link HarnessFault}. */
export function serviceSecrets(
  config: ResolvedConfig | undefined,
  apiKey: string | undefined,
  environment: NodeJS.ProcessEnv,
): ServiceSecrets {
  return {
    apiKey: apiKey === undefined ? (config?.service.apiKey ?? madeUp('svc_sk_')) : givenKey(apiKey, environment),
    agentSecret: config?.chat?.secret ?? config?.phone?.secret ?? madeUp('whsec_'),
    webhookToken: config?.crmWebhook?.token ?? madeUp(),
    webhookSecret: config?.apiWebhooks?.secret ?? madeUp('whk_'),
  };
}

/**
 * What is shown of these secrets: those of the config, and a key from the environment, by the variable that has them;
 * those that were generated as they are, since the developer needs them.
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

/** Their names in what is redacted. */
export function namedSecrets({ apiKey, agentSecret, webhookToken, webhookSecret }: ServiceSecrets): NamedSecret[] {
  return [
    { name: 'API key', value: apiKey },
    { name: 'agent secret', value: agentSecret },
    { name: 'webhook token', value: webhookToken },
    { name: 'webhook secret', value: webhookSecret },
  ];
}

function givenKey(text: string, environment: NodeJS.ProcessEnv): string {
  const read = isEnvReference(text) ? readEnvReference(text, environment) : { value: text };
  if ('isEmpty' in read) throw new HarnessFault('secret-missing:variable', { key: '--api-key', reference: text, ...read });
  const key = read.value;
  // RFC 6750, 2.1; the prefix is that of the interface (Authentication).
  if (!/^svc_sk_[\w.~+/-]+=*$/.test(key)) {
    const place = isEnvReference(text) ? `The environment variable ${envVariable(text)}` : '--api-key';
    throw new HarnessFault('api-key-invalid', { place });
  }
  return key;
}

function madeUp(prefix = ''): string {
  return prefix + randomBytes(24).toString('base64url');
}
