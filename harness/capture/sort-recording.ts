import { matchOperation } from '../../specs/api-operations.ts';
import { header, type Answer, type Arrival } from '../wire/observation.ts';
import type { ResolvedConfig } from '../config/settings.ts';
import { apiBases, baseOf } from './api-bases.ts';
import { apiTraffic, captured } from './api-traffic.ts';
import type { Capture, CapturedCall, CapturedDelivery } from './capture.ts';
import { isWhole, type CapturedExchange, type Recording } from './captured-exchange.ts';
import { callbackAddresses, replyAddresses } from './given-addresses.ts';
import { eventOf, placeOf, recognise } from './recognise.ts';
import { serviceFaults } from './service-faults.ts';
import { signatureStandings, tokenStandings, type Standing } from './standing.ts';

/** Why a credential says nothing about whoever received it: most likely a gateway has checked it before. */
const elsewhere =
  'an event without a right credential, at an address that the config does not name and no right one went to';

/** Sorts a recording: what of it is of the interface, who made it, and what was left aside and why. */
export function sortRecording(recording: Recording, config: ResolvedConfig): Capture {
  const { exchanges } = recording;
  const aside = new Map<string, number[]>(recording.unreadable);
  const leave = (reason: string, { entry }: CapturedExchange) => {
    const entries = aside.get(reason);
    if (entries) entries.push(entry);
    else aside.set(reason, [entry]);
  };
  const kinds = Map.groupBy(exchanges, (exchange) => recognise(exchange, config));
  const of = (kind: 'crm' | 'hooks' | 'chat' | 'call', standings: Standings, address: string | undefined) =>
    heldOf(kinds.get(kind) ?? [], { standings, address, leave });
  const { crmWebhook, apiWebhooks, chat: assistant, phone, service } = config;
  const crm = deliveries(of('crm', crmStandings(exchanges, config), crmWebhook?.url), 'callbackUrl');
  const hooks = deliveries(of('hooks', signed(apiWebhooks?.secret), apiWebhooks?.url), 'id');
  const chat = deliveries(of('chat', signed(assistant?.secret), assistant?.url), 'id');
  const calls = of('call', signedCalls(phone?.secret), phone?.url).map(callOf);
  const rest = kinds.get(undefined) ?? [];
  const [callbacks, replies] = [callbackAddresses(crm), replyAddresses(chat)];
  const bases = apiBases(rest, replies.all, service.publicUrl);
  const misdirectedCallbacks: Arrival[] = [];
  const misdirectedReplies: Arrival[] = [];
  const requests: { exchange: CapturedExchange; base: string }[] = [];
  for (const exchange of rest) {
    const { request, startedAt } = exchange;
    const { url } = request;
    const asked = callbacks.first(url);
    const base = baseOf(url, bases);
    if (asked) asked.later.push(captured(exchange, 'callback', 'a callback'));
    else if (!isOperation(exchange, base) && callbacks.isMissed(request)) {
      misdirectedCallbacks.push(captured(exchange, 'callback', 'a callback to another address'));
    } else if (base !== undefined) {
      requests.push({ exchange, base });
      // A conversation has one address for all its replies: they belong to its latest event.
      const said = replies.latest(url, startedAt);
      if (said) said.later.push(captured(exchange, 'api', 'a reply'));
      else if (replies.isMissed(url, url.slice(base.length))) {
        misdirectedReplies.push(captured(exchange, 'api', 'a reply to another address'));
      }
    } else leave(reasonAside(exchange), exchange);
  }
  const sorted = { crm, hooks, chat, calls, requests };
  return {
    file: recording.file,
    kind: recording.kind,
    crm,
    hooks,
    chat,
    calls,
    misdirectedCallbacks,
    misdirectedReplies,
    traffic: apiTraffic(requests, config),
    serviceFaults: recording.kind === 'log' ? [] : serviceFaults(sorted),
    aside: [...aside].map(([reason, entries]) => ({ reason, entries })),
  };
}

/** Whether the service knows each of these. */
type Standings = (exchanges: readonly CapturedExchange[]) => Standing[];

interface Held {
  exchange: CapturedExchange;
  standing: Standing;
}

/**
 * What can be held against whoever received it. A gateway passes on what it has checked, without the credential: so a
 * credential counts at the address of the config, and where a right one went.
 */
function heldOf(
  exchanges: readonly CapturedExchange[],
  {
    standings,
    address,
    leave,
  }: {
    standings: Standings;
    address: string | undefined;
    leave: (reason: string, exchange: CapturedExchange) => void;
  },
): Held[] {
  const all = standings(exchanges).flatMap((standing, at): Held[] => {
    const exchange = exchanges[at];
    return exchange ? [{ exchange, standing }] : [];
  });
  const right = all.filter(({ standing }) => standing.is === 'authentic').map(({ exchange }) => exchange.request.url);
  const places = new Set([...right, ...(address === undefined ? [] : [address])].map(placeOf));
  return all.filter(({ exchange, standing }) => {
    const isHeld = standing.is !== 'spoilt' || places.has(placeOf(exchange.request.url));
    if (!isHeld) leave(elsewhere, exchange);
    return isHeld;
  });
}

function deliveries(held: readonly Held[], key: 'callbackUrl' | 'id'): CapturedDelivery[] {
  return held.map(({ exchange, standing }) => {
    const { entry, startedAt, request, requestBody, answer, times, told } = exchange;
    const whole = eventOf(exchange);
    const event = whole ?? eventOfLog(exchange);
    const name = key === 'id' ? (header(request, 'x-svc-delivery-id') ?? told?.deliveryId ?? event?.id) : event?.[key];
    return {
      kind: 'http',
      entry,
      label: labelOf(event, entry),
      startedAt,
      request,
      answer,
      times,
      event,
      isWhole: whole !== undefined && isWhole(requestBody),
      standing,
      key: typeof name === 'string' ? name : undefined,
      later: [],
    };
  });
}

function eventOfLog({ told }: CapturedExchange): Record<string, unknown> | undefined {
  if (typeof told?.eventType !== 'string') return undefined;
  return told.kind === 'crm-webhook' ? { eventType: told.eventType } : { type: told.eventType };
}

function labelOf(event: Record<string, unknown> | undefined, entry: number): string {
  const type = event?.eventType ?? event?.type;
  const name = typeof type === 'string' || typeof type === 'number' ? String(type) : 'a delivery';
  return `${name}, entry ${entry} of the recording`;
}

function crmStandings(all: readonly CapturedExchange[], { crmWebhook }: ResolvedConfig): Standings {
  const areShown = all.some(({ request }) => header(request, 'authorization') !== undefined);
  return (events) => {
    const values = events.map(({ request }) => header(request, 'authorization'));
    return tokenStandings(values, { token: crmWebhook?.token, areShown });
  };
}

function signed(secret: string | undefined): Standings {
  return (events) => {
    const messages = events.map(({ request, requestBody, answer, startedAt }) => ({
      signature: header(request, 'x-svc-signature'),
      // What was cut cannot fit; what may have been read in another encoding may fit all the same.
      signed: requestBody.bytes,
      isExact: requestBody.state === 'exact',
      id: header(request, 'x-svc-delivery-id'),
      isRefused: hasStatus(answer, 401),
      atMs: startedAt.getTime(),
    }));
    return signatureStandings(messages, secret);
  };
}

function signedCalls(secret: string | undefined): Standings {
  return (upgrades) => {
    const messages = upgrades.map(({ request, answer, startedAt }) => {
      const id = header(request, 'x-svc-call-id') ?? '';
      return {
        signature: header(request, 'x-svc-signature'),
        signed: Buffer.from(id, 'utf8'),
        isExact: id !== '',
        id,
        isRefused: hasStatus(answer, 401, 403),
        atMs: startedAt.getTime(),
      };
    });
    // The service names each call, so what is signed over no id is none of its calls.
    return signatureStandings(messages, secret).map((standing, at) =>
      messages[at]?.id === '' && standing.is === 'authentic'
        ? { is: 'unknown', why: 'the upgrade does not name its call' }
        : standing,
    );
  };
}

function hasStatus(answer: Answer, ...statuses: number[]): boolean {
  return answer.outcome === 'answered' && statuses.includes(answer.status);
}

function callOf({ exchange, standing }: Held): CapturedCall {
  const { entry, startedAt, request, answer, times, call } = exchange;
  return {
    kind: 'call',
    entry,
    label: `a call, entry ${entry} of the recording`,
    startedAt,
    request,
    answer,
    times,
    callId: header(request, 'x-svc-call-id') ?? '',
    frames: call?.frames ?? [],
    framesLeftOut: call?.framesLeftOut ?? 0,
    answers: [],
    ...(call?.end && { end: call.end }),
    standing,
  };
}

function isOperation({ request: { method, url } }: CapturedExchange, base: string | undefined): boolean {
  if (base === undefined) return false;
  const matched = matchOperation(method, url.slice(base.length).split(/[?#]/, 1)[0] ?? '');
  return matched !== undefined && 'id' in matched;
}

function reasonAside({ request, call }: CapturedExchange): string {
  const { pathname, host } = new URL(request.url);
  if (call !== undefined || /^wss?:/i.test(request.url)) return 'a WebSocket that is not a call of the service';
  const v1 = pathname.indexOf('/v1/');
  if (v1 >= 0 && matchOperation(request.method, pathname.slice(v1)) !== undefined) {
    return `like API v1, but nothing tells that ${host} is the service; service.publicUrl in the config names it`;
  }
  return 'not of this interface';
}
