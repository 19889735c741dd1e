import type { HttpInteraction, Matched, MatchedHeaders } from './contract.ts';
import { exampleOf, regex } from './matchers-from-schema.ts';
import { surfaceTable, type EndpointSurface } from '../../specs/surfaces.ts';

type Request = HttpInteraction['request'];
type RequestCredentials = HttpInteraction['credentials'];

type Webhook = Exclude<EndpointSurface, 'own-ai-phone'>;

/** Path of a webhook in the contracts; verification sends to the configured address. */
export function webhookPath(surface: Webhook): string {
  return `/${surfaceTable[surface].endpoint.kit}`;
}

/** Placeholder for the token. */
export const exampleToken = 'WEBHOOK_TOKEN';

/** The form of a signature. Its value depends on the exact bytes sent, so a file cannot contain it. */
const signature = regex('^t=[0-9]{10},v1=[0-9a-f]{64}$', `t=1791711000,v1=${'0'.repeat(64)}`);

/** A CRM event with its bearer token (interface: CRM webhook). */
export function crmRequest(body: Matched, credentials?: RequestCredentials): Request {
  const authorization = regex('^Bearer [^ ]+$', `Bearer ${credentials === 'wrong' ? 'not-the-token' : exampleToken}`);
  return post('crm-webhook', body, credentials === 'none' ? {} : { Authorization: authorization });
}

/** A signed appointment event (interface: API webhook events). */
export function apiWebhookRequest(body: Matched, credentials?: RequestCredentials): Request {
  return post('api-webhooks', body, {
    'X-Svc-Delivery-Id': regex('^.{8,}$', 'whd_4f0c2a9d'),
    ...(credentials !== 'none' && { 'X-Svc-Signature': signature }),
  });
}

/** A signed chat event or ping, with headers that match its body (interface: Own-AI chat event). */
export function chatRequest(body: Matched, credentials?: RequestCredentials): Request {
  const { id, type, protocol } = exampleOf(body) as Readonly<Record<string, unknown>>;
  return post('own-ai-chat', body, {
    'X-Svc-Event': String(type),
    'X-Svc-Delivery-Id': regex('^evt_[A-Za-z0-9]{8,40}$', String(id)),
    'X-Svc-Agent-Protocol': String(protocol),
    ...(credentials !== 'none' && { 'X-Svc-Signature': signature }),
  });
}

function post(provider: Webhook, body: Matched, headers: MatchedHeaders): Request {
  return {
    method: 'POST',
    path: webhookPath(provider),
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  };
}
