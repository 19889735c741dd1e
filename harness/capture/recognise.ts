import { parseJson } from '../checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { header } from '../wire/observation.ts';
import type { ResolvedConfig } from '../config/settings.ts';
import type { CapturedExchange } from './captured-exchange.ts';

/** The kind of an exchange, as far as the exchange itself shows it. */
export type Recognised = 'crm' | 'hooks' | 'chat' | 'call' | undefined;

/** Classifies an exchange by the service's headers, then by the shape of the body, then by the configured addresses. */
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

/** Classifies by address only if exactly one surface has it. */
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

/** The JSON object in the body of a request, if the body is complete. */
export function parseEvent({ request }: Pick<CapturedExchange, 'request'>): Record<string, unknown> | undefined {
  const parsed = parseJson(request.body);
  return 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : undefined;
}

/** Whether two addresses are equal apart from query and fragment. */
function isAt(url: string, address: string | undefined): boolean {
  return address !== undefined && URL.canParse(address) && normalizeAddress(url) === normalizeAddress(address);
}

/** Removes query and fragment; maps ws: to http:. */
export function normalizeAddress(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol.replace('ws', 'http')}//${host}${pathname}`;
}
