import { apiAgentInteractions } from './api-agent-interactions.ts';
import { apiAppointmentInteractions } from './api-appointment-interactions.ts';
import { apiConversationInteractions } from './api-conversation-interactions.ts';
import { apiInboxInteractions } from './api-inbox-interactions.ts';
import { apiInteraction, type ApiInteraction, type ApiInteractionPlan } from './api-interaction.ts';
import { apiMessageInteractions } from './api-message-interactions.ts';
import type { Contract } from './contract.ts';

/** Every outcome of every operation of API v1, by `operation/outcome`. */
export const apiInteractionPlans = {
  ...apiInboxInteractions,
  ...apiMessageInteractions,
  ...apiAppointmentInteractions,
  ...apiAgentInteractions,
  ...apiConversationInteractions,
};

/** Name of an interaction of API v1, `operation/outcome`. */
export type ApiInteractionName = keyof typeof apiInteractionPlans;

/** Every name, in the order of the contract. */
export const apiInteractionNames = Object.keys(apiInteractionPlans) as readonly ApiInteractionName[];

/** Definition of the interaction with this name. */
export function apiInteractionPlan(name: ApiInteractionName): ApiInteractionPlan {
  return apiInteractionPlans[name];
}

/**
 * The contract of API v1 (interface: API v1, Errors): an interaction for each outcome of an operation.
 * Integrators use parts of it to test their clients (`svc-conform/pact`).
 */
export const apiV1Contract: Contract<ApiInteraction> = {
  consumer: 'integrator',
  provider: 'api-v1',
  interactions: apiInteractionNames.map((name) => apiInteraction(apiInteractionPlan(name))),
};
