import type { SeedOptions } from '../../service/seed.ts';
import { Brand } from '../../specs/brand.ts';
import type { Surface } from '../../specs/surfaces.ts';
import { seededAgents } from '../config/seeded-agents.ts';
import type { RunSettings } from '../config/settings.ts';
import { subscribedTypes } from '../config/subscribed-types.ts';

/** The workspace of a run: its assistant and its connections are those of the config. */
export function seedOptions({ config, surfaces }: RunSettings): SeedOptions {
  const { service, chat, phone, crmWebhook, apiWebhooks } = config;
  const has = (surface: Surface) => surfaces === undefined || surfaces.includes(surface);
  return {
    ...(service.apiKey !== undefined && { apiKeys: { [service.apiKey]: 'The endpoint' } }),
    keyPrefix: Brand.named(config.brand).keyPrefix,
    contacts: [],
    agents: seededAgents(config, chat?.secret ?? phone?.secret),
    ...(crmWebhook && has('crm-webhook') && { crmWebhook: { url: crmWebhook.url, token: crmWebhook.token } }),
    ...(apiWebhooks &&
      has('api-webhooks') && {
        subscriptions: [{ url: apiWebhooks.url, secret: apiWebhooks.secret, events: subscribedTypes({ apiWebhooks }) }],
      }),
  };
}
