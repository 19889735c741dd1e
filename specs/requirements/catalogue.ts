import { apiClient } from './api-client.ts';
import { apiWebhooks } from './api-webhooks.ts';
import { crmWebhook } from './crm-webhook.ts';
import { deepLinks } from './deep-links.ts';
import { ownAiChat } from './own-ai-chat.ts';
import { ownAiPhone } from './own-ai-phone.ts';
import type { Requirement } from './requirement.ts';

export type { Level, Requirement } from './requirement.ts';

/** Every requirement on the integrator's side, by id. The only place for statement, level and fix. */
export const requirements = {
  ...crmWebhook,
  ...apiWebhooks,
  ...ownAiChat,
  ...ownAiPhone,
  ...apiClient,
  ...deepLinks,
};

/** Id of a requirement, `surface/what-holds`; stable once released. */
export type RequirementId = keyof typeof requirements;

/** The integrator's surfaces that have requirements, in the order of a report. */
export const surfaces = [
  'crm-webhook',
  'api-webhooks',
  'own-ai-chat',
  'own-ai-phone',
  'api-client',
  'deep-links',
] as const;

export type Surface = (typeof surfaces)[number];

/** Surface that a requirement belongs to: the part of its id before the slash. */
export function surfaceOf(id: RequirementId): Surface {
  return id.slice(0, id.indexOf('/')) as Surface;
}

/** The requirement with this id. */
export function requirement(id: RequirementId): Requirement {
  return requirements[id];
}

/** Whether a string from outside (a flag, a waiver, an old report) is the id of a requirement. */
export function isRequirementId(text: string): text is RequirementId {
  return Object.hasOwn(requirements, text);
}
