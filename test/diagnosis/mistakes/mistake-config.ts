import type { ResolvedConfig } from '../../../harness/config/settings.ts';
import { apiKey, endpointPath, secret, token, type Mistake, type RunningMistake } from './mistake.ts';

/** The config of one started endpoint, as a user writes it. */
export function mistakeConfig({ surface }: Mistake, running: RunningMistake): ResolvedConfig {
  const { origin, path = endpointPath, stimuli = {} } = running;
  const url = `${origin}${path}`;
  return {
    skills: [],
    stimuli,
    service: { host: '127.0.0.1', port: 0, apiKey },
    ...(surface === 'own-ai-chat' && { chat: { url, secret, timeoutSeconds: 2 } }),
    ...(surface === 'api-webhooks' && { apiWebhooks: { url, secret } }),
    ...(surface === 'crm-webhook' && { crmWebhook: { url, token } }),
  };
}
