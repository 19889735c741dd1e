import { Brand } from '../specs/brand.ts';
import { subscribedTypes } from '../harness/config/subscribed-types.ts';
import type { ResolvedConfig } from '../harness/config/settings.ts';
import { plainPhone } from '../service/contacts.ts';
import type { SeedAgent, SeedOptions, SeedSkill } from '../service/seed.ts';
import type { ServiceSecrets } from './service-secrets.ts';
import { configKeyOf, endpointSurfaces, surfaceTable } from '../specs/surfaces.ts';

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
    agents: agentsOf(config, secrets),
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

/** An assistant has one secret and one timeout; if chat and phone differ in them, they are two assistants. */
function agentsOf(config: ResolvedConfig | undefined, { agentSecret }: ServiceSecrets): SeedAgent[] {
  const { chat, phone, skills = [] } = config ?? {};
  const written: SeedAgent = {
    name: 'Own AI',
    secret: agentSecret,
    skills: skills.length > 0 || chat || phone ? skills : exampleSkills,
    ...(chat && { chatUrl: chat.url, timeoutSeconds: chat.timeoutSeconds }),
  };
  if (!phone) return [written];
  const isOther = chat && (chat.secret !== phone.secret || chat.timeoutSeconds !== phone.timeoutSeconds);
  const voice = { voiceUrl: phone.url, secret: phone.secret, timeoutSeconds: phone.timeoutSeconds };
  return isOther
    ? [written, { ...written, ...voice, name: 'Own AI (phone)', chatUrl: '' }]
    : [{ ...written, ...voice }];
}

/** Default skills without an own AI in the config. */
const exampleSkills: readonly SeedSkill[] = [
  {
    id: 1,
    key: 'sales',
    name: 'Sales',
    description: 'Puts the customer through to the sales team.',
    kind: 'forward',
    announcement: 'One moment, I am putting you through to sales.',
  },
  {
    id: 2,
    key: 'urgent',
    name: 'Urgent',
    description: 'Notifies the team at once.',
    kind: 'alert',
    announcement: null,
  },
];
