/** A part of the interface that is configured and judged separately; the first part of a requirement id. */
export type Surface = 'crm-webhook' | 'api-webhooks' | 'own-ai-chat' | 'own-ai-phone' | 'api-client' | 'deep-links';

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
