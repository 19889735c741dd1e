import { matchOperation } from '../../specs/api-operations.ts';
import { isJsonObject } from '../json.ts';
import { header } from '../observation.ts';
import type { ResolvedConfig } from '../settings.ts';
import { apiBases, baseOf } from './api-bases.ts';
import { apiTraffic, captured } from './api-traffic.ts';
import type { Capture, CapturedCall, CapturedDelivery } from './capture.ts';
import { isWhole, type CapturedExchange, type Recording } from './captured-exchange.ts';
import { eventOf, recognise } from './recognise.ts';
import { serviceFaults } from './service-faults.ts';
import { signatureStandings, tokenStandings, type Standing } from './standing.ts';

/** Characters of a path's last part from which on it is no chance that another address has it. */
const telltaleCharacters = 8;

/** Sorts a recording: what of it is of the interface, who made it, and what was left aside and why. */
export function sortRecording(recording: Recording, config: ResolvedConfig): Capture {
  const { exchanges } = recording;
  const kinds = Map.groupBy(exchanges, (exchange) => recognise(exchange, config));
  const [crmEvents, hookEvents, chatEvents] = (['crm', 'hooks', 'chat'] as const).map((kind) => kinds.get(kind) ?? []);
  const crm = deliveries(crmEvents ?? [], 'callbackUrl', crmStandings(crmEvents ?? [], exchanges, config));
  const hooks = deliveries(hookEvents ?? [], 'id', signed(hookEvents ?? [], config.apiWebhooks?.secret));
  const chat = deliveries(chatEvents ?? [], 'id', signed(chatEvents ?? [], config.chat?.secret));
  const calls = callsOf(kinds.get('call') ?? [], config);
  const aside = new Map<string, number[]>(recording.unreadable);
  const rest = kinds.get(undefined) ?? [];
  const replyUrls = chat.flatMap(({ event }) => replyUrlOf(event) ?? []);
  const bases = apiBases(rest, replyUrls, config.service.publicUrl);
  const misdirectedCallbacks: Capture['misdirectedCallbacks'][number][] = [];
  const misdirectedReplies: typeof misdirectedCallbacks = [];
  const requests: { exchange: CapturedExchange; base: string }[] = [];
  for (const exchange of rest) {
    const { url } = exchange.request;
    const called = crm.filter(({ key }) => key !== undefined && isSame(key, url));
    const base = baseOf(url, bases);
    const reply = chat.filter(({ event, startedAt }) => {
      const replyUrl = replyUrlOf(event);
      return replyUrl !== undefined && isSame(replyUrl, url) && startedAt <= exchange.startedAt;
    });
    if (called.length > 0) called[0]?.later.push(captured(exchange, 'callback', 'a callback'));
    else if (crm.some(({ key }) => key !== undefined && bears(url, key))) {
      misdirectedCallbacks.push(captured(exchange, 'callback', 'a callback to another address'));
    } else if (base !== undefined) {
      requests.push({ exchange, base });
      // A conversation has one address for all its replies: they belong to its latest event.
      if (reply.length > 0) reply.at(-1)?.later.push(captured(exchange, 'api', 'a reply'));
      else if (isReplyTo(chat, url.slice(base.length))) {
        misdirectedReplies.push(captured(exchange, 'api', 'a reply to another address'));
      }
    } else {
      const reason = reasonAside(exchange);
      aside.set(reason, [...(aside.get(reason) ?? []), exchange.entry]);
    }
  }
  const last = exchanges.map(({ startedAt, times }) => startedAt.getTime() + (times.totalMs ?? 0));
  const sorted = { crm, hooks, chat, calls, requests };
  return {
    file: recording.file,
    kind: recording.kind,
    untilMs: last.reduce((latest, ms) => Math.max(latest, ms), 0),
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

function deliveries(
  exchanges: readonly CapturedExchange[],
  key: 'callbackUrl' | 'id',
  standings: readonly Standing[],
): CapturedDelivery[] {
  return exchanges.map((exchange, at) => {
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
      standing: standings[at] ?? { is: 'unknown', why: 'it was not looked at' },
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

function crmStandings(
  events: readonly CapturedExchange[],
  all: readonly CapturedExchange[],
  { crmWebhook }: ResolvedConfig,
): Standing[] {
  const values = events.map(({ request }) => header(request, 'authorization'));
  const areShown = all.some(({ request }) => header(request, 'authorization') !== undefined);
  return tokenStandings(values, { token: crmWebhook?.token, areShown });
}

function signed(events: readonly CapturedExchange[], secret: string | undefined): Standing[] {
  const messages = events.map(({ request, requestBody, startedAt }) => ({
    signature: header(request, 'x-svc-signature'),
    // What was cut cannot fit; what may have been read in another encoding may fit all the same.
    signed: requestBody.bytes,
    isExact: requestBody.state === 'exact',
    atMs: startedAt.getTime(),
  }));
  return signatureStandings(messages, secret);
}

function callsOf(exchanges: readonly CapturedExchange[], { phone }: ResolvedConfig): CapturedCall[] {
  const callIds = exchanges.map(({ request }) => header(request, 'x-svc-call-id') ?? '');
  const messages = exchanges.map(({ request, startedAt }, at) => ({
    signature: header(request, 'x-svc-signature'),
    signed: Buffer.from(callIds[at] ?? '', 'utf8'),
    isExact: callIds[at] !== '',
    atMs: startedAt.getTime(),
  }));
  const standings = signatureStandings(messages, phone?.secret);
  return exchanges.map(({ entry, startedAt, request, answer, times, call }, at) => ({
    kind: 'call',
    entry,
    label: `a call, entry ${entry} of the recording`,
    startedAt,
    request,
    answer,
    times,
    callId: callIds[at] ?? '',
    frames: call?.frames ?? [],
    framesLeftOut: call?.framesLeftOut ?? 0,
    answers: [],
    ...(call?.end && { end: call.end }),
    standing: standings[at] ?? { is: 'unknown', why: 'it was not looked at' },
  }));
}

/** Address that an event gives for later replies. */
export function replyUrlOf(event: Record<string, unknown> | undefined): string | undefined {
  const replyUrl = isJsonObject(event?.data) ? event.data.replyUrl : undefined;
  return typeof replyUrl === 'string' && URL.canParse(replyUrl) ? replyUrl : undefined;
}

function isSame(address: string, url: string): boolean {
  return URL.canParse(address) && new URL(address).href === new URL(url).href;
}

/** Whether a request has the telltale end of a callback address, on the same host, and is another address. */
function bears(url: string, callbackUrl: string): boolean {
  if (!URL.canParse(callbackUrl)) return false;
  const given = new URL(callbackUrl);
  const last = given.pathname.split('/').findLast((part) => part !== '') ?? '';
  return last.length >= telltaleCharacters && new URL(url).host === given.host && url.includes(last);
}

/** Where an event could not be read, a reply may go to the address that it gave. */
function isReplyTo(chat: readonly CapturedDelivery[], path: string): boolean {
  if (!chat.every(({ isWhole: isRead }) => isRead)) return false;
  const id = /^\/v1\/projects\/(\d+)\/agent-replies(?:[?#]|$)/.exec(path)?.[1];
  return id !== undefined && chat.some(({ event }) => isJsonObject(event?.data) && String(event.data.projectId) === id);
}

function reasonAside({ request, call }: CapturedExchange): string {
  const { pathname, host } = new URL(request.url);
  if (call !== undefined || /^wss?:/i.test(request.url)) return 'a WebSocket that is no call of the service';
  const v1 = pathname.indexOf('/v1/');
  if (v1 >= 0 && matchOperation(request.method, pathname.slice(v1)) !== undefined) {
    return `like API v1, but nothing tells that ${host} is the service; service.publicUrl in the config names it`;
  }
  return 'not of this interface';
}
