import { apiClient } from './api-client.ts';
import { apiWebhooks } from './api-webhooks.ts';
import { crmWebhook } from './crm-webhook.ts';
import { deepLinks } from './deep-links.ts';
import { ownAiChat } from './own-ai-chat.ts';
import { ownAiPhone } from './own-ai-phone.ts';
import type { Requirement } from './requirement.ts';

export type { Requirement } from './requirement.ts';

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

/** The requirement with this id. */
export function requirement(id: RequirementId): Requirement {
  return requirements[id];
}

/** Whether a string from outside (a flag, a waiver, an old report) is the id of a requirement. */
export function isRequirementId(text: string): text is RequirementId {
  return Object.hasOwn(requirements, text);
}
