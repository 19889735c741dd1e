import { subscribedType, subscribedTypes } from '../harness/config/subscribed-types.ts';
import type { ResolvedConfig } from '../harness/config/settings.ts';
import { appointmentEventTypes } from '../specs/appointment-event-types.ts';
import type { ApiWebhookEvent } from '../specs/generated/types.ts';
import { isJsonObject } from '../specs/json-object.ts';
import type { Observation } from '../harness/wire/observation.ts';
import type { Session } from '../harness/checks/session.ts';
import type { SignedDelivery } from '../harness/wire/signed-delivery.ts';
import type { ContractSurface } from './contract-files.ts';
import type { PactComments } from './pact-file.ts';

export interface DeliveryOptions {
  /** Label of the request in the evidence. */
  readonly label: string;
  /** Credentials that the endpoint must refuse. */
  readonly credentials?: PactComments['credentials'];
}

/**
 * Sends the request of an interaction as the service would: our drivers add addresses for callbacks and replies, unused
 * ids, the bearer token, or a signature over the exact bytes that are sent (interface: Authentication).
 *
 * @param body the event of the contract, including the values of its states
 * @throws HarnessFault when the endpoint cannot be reached
 */
export async function deliverInteraction(
  session: Session,
  surface: Exclude<ContractSurface, 'own-ai-phone'>,
  body: Readonly<Record<string, unknown>>,
  { label, credentials }: DeliveryOptions,
): Promise<Observation> {
  const { crm, hooks, chat, ids, settings } = session;
  const options = { label, ...(credentials && { toBeRefused: true }) };
  const signed = (delivery: SignedDelivery) => withCredentials(delivery, credentials);
  switch (surface) {
    case 'crm-webhook':
      if (credentials === undefined) return await crm.deliver(body, options);
      return await crm.deliver(body, {
        ...options,
        authorization: credentials === 'none' ? null : `Bearer ${ids.text()}`,
      });
    case 'api-webhooks':
      return await hooks.post(
        signed(hooks.sign({ ...body, type: subscribed(settings.config, body['type']), id: `whe_${ids.text()}` })),
        options,
      );
    case 'own-ai-chat': {
      if (!isJsonObject(body.data)) {
        // Only these two ids: a ping names nothing else of the workspace.
        const { workspaceId, agentId, id } = session.sample.ping();
        return await chat.post(signed(chat.sign({ ...body, workspaceId, agentId, id })), options);
      }
      const opened = chat.open(withNewIds(body, body.data, session));
      return credentials === undefined
        ? await chat.deliver(opened, options)
        : await chat.post(signed(opened.delivery), options);
    }
  }
}

/** Whether an interaction is about an event type that the endpoint did not subscribe to; it is not sent then. */
export function isUnsubscribed(config: ResolvedConfig, type: unknown): type is ApiWebhookEvent['type'] {
  const isDocumented = appointmentEventTypes.some((one) => one === type);
  return isDocumented && !subscribedTypes(config).some((one) => one === type);
}

/** This type, or one that the endpoint subscribed to; a type that does not exist yet stays. */
function subscribed(config: ResolvedConfig, type: unknown): unknown {
  return isUnsubscribed(config, type) ? subscribedType(config, type) : type;
}

function withCredentials(delivery: SignedDelivery, credentials: PactComments['credentials']): SignedDelivery {
  if (credentials === undefined) return delivery;
  return delivery.with(credentials === 'none' ? { write: () => undefined } : { secret: `${delivery.secret}x` });
}

/** Replaces the ids of message and conversation: an endpoint may ignore those that it already knows. */
function withNewIds(
  event: Readonly<Record<string, unknown>>,
  data: Readonly<Record<string, unknown>>,
  { ids }: Session,
): Record<string, unknown> {
  const { message } = data;
  return {
    ...event,
    id: ids.event(),
    data: {
      ...data,
      projectId: ids.integer(),
      ...(isJsonObject(message) && { message: { ...message, id: ids.integer() } }),
    },
  };
}
