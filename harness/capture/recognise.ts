import { isJsonObject, parseJson } from '../checks/json.ts';
import { header } from '../wire/observation.ts';
import type { ResolvedConfig } from '../config/settings.ts';
import type { CapturedExchange } from './captured-exchange.ts';

/** What of the interface an exchange is, as far as it shows by itself. */
export type Recognised = 'crm' | 'hooks' | 'chat' | 'call' | undefined;

/** By the service's headers first, then by the shape of the body, then by the addresses of the config. */
export function recognise(exchange: CapturedExchange, config: ResolvedConfig): Recognised {
  const { request, call, logged } = exchange;
  const has = (name: string) => header(request, name) !== undefined;
  if (logged) return ofLog(logged.kind);
  if (call !== undefined || has('sec-websocket-key') || /^wss?:/i.test(request.url)) {
    return has('x-svc-call-id') || isAt(request.url, config.phone?.url) || startsSession(exchange) ? 'call' : undefined;
  }
  if (request.method !== 'POST') return undefined;
  if (has('x-svc-event') || has('x-svc-agent-protocol')) return 'chat';
  const event = parseEvent(exchange);
  if (typeof event?.type === 'string') {
    if (/^(message\.|ping$)/.test(event.type) && 'protocol' in event) return 'chat';
    if (event.type.startsWith('appointment.') && 'data' in event) return 'hooks';
  }
  if (event && 'eventType' in event && 'callbackUrl' in event) return 'crm';
  if (has('x-svc-delivery-id') || has('x-svc-signature')) return byAddress(exchange, config) ?? 'hooks';
  return byAddress(exchange, config);
}

/** Only one surface may have the address: what goes to an address of several is told by what it is. */
function byAddress({ request }: CapturedExchange, { crmWebhook, apiWebhooks, chat }: ResolvedConfig): Recognised {
  const surfaces = [
    ['crm', crmWebhook?.url],
    ['hooks', apiWebhooks?.url],
    ['chat', chat?.url],
  ] as const;
  const at = surfaces.filter(([, address]) => isAt(request.url, address));
  return at.length === 1 ? at[0]?.[0] : undefined;
}

function ofLog(kind: unknown): Recognised {
  const kinds = {
    'crm-webhook': 'crm',
    'api-webhook': 'hooks',
    'own-ai-chat': 'chat',
    'own-ai-phone': 'call',
  } as const;
  return typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind as keyof typeof kinds] : undefined;
}

function startsSession({ call }: CapturedExchange): boolean {
  return (call?.frames ?? []).some(({ value }) => isJsonObject(value) && value.type === 'session.started');
}

/** The JSON object that a request carries, where its body is whole. */
export function parseEvent({ request }: Pick<CapturedExchange, 'request'>): Record<string, unknown> | undefined {
  const parsed = parseJson(request.body);
  return 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : undefined;
}

/** Whether an address is one of the config; what stands after ? or # may differ. */
function isAt(url: string, address: string | undefined): boolean {
  return address !== undefined && URL.canParse(address) && normalizeAddress(url) === normalizeAddress(address);
}

/** An address without what stands after ? or #; that of a WebSocket as if it were of HTTP. */
export function normalizeAddress(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol.replace('ws', 'http')}//${host}${pathname}`;
}
