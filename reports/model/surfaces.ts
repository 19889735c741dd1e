import type { Surface } from '../../specs/requirements/catalogue.ts';

/** The config key of each surface, in display order. */
export const configKeys: Readonly<Record<Surface, string>> = {
  'crm-webhook': 'crmWebhook',
  'api-webhooks': 'apiWebhooks',
  'own-ai-chat': 'chat',
  'own-ai-phone': 'phone',
  'api-client': 'apiClient',
  'deep-links': 'deepLinks',
};

/** The surface that a requirement or check id belongs to. */
export function surfaceOf(id: string): string {
  return id.split('/', 1)[0] ?? id;
}
