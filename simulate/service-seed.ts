import { seededAgents } from '../harness/config/seeded-agents.ts';
import { Brand } from '../specs/brand.ts';
import { subscribedTypes } from '../harness/config/subscribed-types.ts';
import type { ResolvedConfig } from '../harness/config/settings.ts';
import { plainPhone } from '../service/contacts.ts';
import type { SeedOptions } from '../service/seed.ts';
import type { ServiceSecrets } from './service-secrets.ts';
import { configKeyOf, endpointSurfaces, surfaceTable } from '../specs/surfaces.ts';

const noEndpoint = { skills: [] };
/** Name of the key in the inbox. */
const keyName = 'svc-conform';

/** The seed of an inbox with an endpoint: its addresses and secrets, as a user would enter them in the app. */
export function serviceSeed(config: ResolvedConfig | undefined, secrets: ServiceSecrets): SeedOptions {
  const { crmWebhook, apiWebhooks, stimuli } = config ?? {};
  const { apiKey, webhookToken, webhookSecret } = secrets;
  const { knownCaller } = stimuli ?? {};
  return {
    keyPrefix: Brand.named(config?.brand).keyPrefix,
    apiKeys: { [apiKey]: keyName },
    agents: seededAgents(config ?? noEndpoint, secrets.agentSecret),
    ...(crmWebhook && { crmWebhook: { url: crmWebhook.url, token: webhookToken } }),
    ...(apiWebhooks && {
      subscriptions: [{ url: apiWebhooks.url, secret: webhookSecret, events: subscribedTypes({ apiWebhooks }) }],
    }),
    // The known caller of the integrator's CRM is the default customer.
    ...(knownCaller !== undefined && {
      contacts: [{ phone: plainPhone(knownCaller), serviceConsent: true, marketingConsent: true }],
    }),
  };
}

/** Formats the endpoints with their kind of events, one line each. */
export function formatEndpoints(config: Partial<ResolvedConfig>): string[] {
  return endpointSurfaces.flatMap((surface) => {
    const { [configKeyOf(surface)]: endpoint } = config;
    return endpoint ? [`${endpoint.url}  (${surfaceTable[surface].endpoint.traffic})`] : [];
  });
}
