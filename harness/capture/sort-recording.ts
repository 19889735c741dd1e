import { matchOperation } from '../../specs/api-operations.ts';
import { Brand } from '../../specs/brand.ts';
import { header, type Answer, type Arrival } from '../wire/observation.ts';
import type { ResolvedConfig } from '../config/settings.ts';
import type { AsideReason } from './aside-reason.ts';
import { apiBases, baseOf } from './api-bases.ts';
import { apiTraffic, toArrival } from './api-traffic.ts';
import type { Capture, CapturedCall, CapturedDelivery } from './capture.ts';
import { isComplete, type CapturedExchange, type Recording } from './captured-exchange.ts';
import { callbackAddresses, replyAddresses } from './given-addresses.ts';
import { parseEvent, normalizeAddress, recognise } from './recognise.ts';
import { signatureStates, tokenStates, type CredentialState } from './credential-state.ts';

/** Sorts a recording by the parts of the interface; entries that are not judged are set aside with the reason. */
export function sortRecording(recording: Recording, config: ResolvedConfig): Capture {
  const { exchanges } = recording;
  const aside: { reason: AsideReason; entry: number }[] = [];
  for (const [why, entries] of recording.unreadable) {
    for (const entry of entries) aside.push({ reason: { kind: 'unreadable', why }, entry });
  }
  const leave = (reason: AsideReason, { entry }: CapturedExchange) => void aside.push({ reason, entry });
  const kinds = Map.groupBy(exchanges, (exchange) => recognise(exchange, config));
  const of = (kind: 'crm' | 'hooks' | 'chat' | 'call', readCredentials: ReadCredentials, address: string | undefined) =>
    attributable(kinds.get(kind) ?? [], { readCredentials, address, leave });
  const { crmWebhook, apiWebhooks, chat: assistant, phone, service } = config;
  const crm = deliveries(of('crm', crmCredentials(exchanges, config), crmWebhook?.url), 'callbackUrl');
  const hooks = deliveries(of('hooks', signatureCredentials(apiWebhooks?.secret), apiWebhooks?.url), 'id');
  const chat = deliveries(of('chat', signatureCredentials(assistant?.secret), assistant?.url), 'id');
  const calls = of('call', callCredentials(phone?.secret), phone?.url).map(callOf);
  const rest = kinds.get(undefined) ?? [];
  const [callbacks, replies] = [callbackAddresses(crm), replyAddresses(chat)];
  const bases = apiBases(rest, replies.all, {
    publicUrl: service.publicUrl,
    keyPrefix: Brand.named(config.brand).keyPrefix,
  });
  const misdirectedCallbacks: Arrival[] = [];
  const misdirectedReplies: Arrival[] = [];
  const requests: { exchange: CapturedExchange; base: string }[] = [];
  for (const exchange of rest) {
    const { request, startedAt } = exchange;
    const { url } = request;
    const asked = callbacks.first(url);
    const base = baseOf(url, bases);
    if (asked) asked.later.push(toArrival(exchange, 'callback', 'a callback'));
    else if (!isOperation(exchange, base) && callbacks.isMissed(request)) {
      misdirectedCallbacks.push(toArrival(exchange, 'callback', 'a callback to another address'));
    } else if (base !== undefined) {
      requests.push({ exchange, base });
      // All replies of a conversation have one address; they belong to its latest event.
      const said = replies.latest(url, startedAt);
      if (said) said.later.push(toArrival(exchange, 'api', 'a reply'));
      else if (replies.isMissed(url, url.slice(base.length))) {
        misdirectedReplies.push(toArrival(exchange, 'api', 'a reply to another address'));
      }
    } else leave(reasonAside(exchange), exchange);
  }
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
    requests,
    aside: byReason(aside),
  };
}

function byReason(aside: readonly { reason: AsideReason; entry: number }[]): Capture['aside'] {
  const groups = Map.groupBy(aside, ({ reason }) => JSON.stringify(reason));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ reason: first.reason, entries: group.map(({ entry }) => entry) }] : [];
  });
}

/** Determines the credential state of each exchange. */
type ReadCredentials = (exchanges: readonly CapturedExchange[]) => CredentialState[];

interface Attributed {
  exchange: CapturedExchange;
  credential: CredentialState;
}

/**
 * Exchanges that can be attributed to their receiver. A gateway forwards checked events without the credential, so a
 * credential counts only at the configured address and where a valid one was sent.
 */
function attributable(
  exchanges: readonly CapturedExchange[],
  {
    readCredentials,
    address,
    leave,
  }: {
    readCredentials: ReadCredentials;
    address: string | undefined;
    leave: (reason: AsideReason, exchange: CapturedExchange) => void;
  },
): Attributed[] {
  const all = readCredentials(exchanges).flatMap((credential, at): Attributed[] => {
    const exchange = exchanges[at];
    return exchange ? [{ exchange, credential }] : [];
  });
  const right = all
    .filter(({ credential }) => credential.is === 'authentic')
    .map(({ exchange }) => exchange.request.url);
  const places = new Set([...right, ...(address === undefined ? [] : [address])].map(normalizeAddress));
  return all.filter(({ exchange, credential }) => {
    const isAttributable = credential.is !== 'invalid' || places.has(normalizeAddress(exchange.request.url));
    if (!isAttributable) leave({ kind: 'not-attributable' }, exchange);
    return isAttributable;
  });
}

function deliveries(attributed: readonly Attributed[], key: 'callbackUrl' | 'id'): CapturedDelivery[] {
  return attributed.map(({ exchange, credential }) => {
    const { entry, startedAt, request, requestBody, answer, times, logged } = exchange;
    const whole = parseEvent(exchange);
    const event = whole ?? eventOfLog(exchange);
    const name =
      key === 'id' ? (header(request, 'x-svc-delivery-id') ?? logged?.deliveryId ?? event?.id) : event?.[key];
    return {
      kind: 'http',
      entry,
      label: labelOf(event, entry),
      startedAt,
      at: startedAt.getTime(),
      request,
      answer,
      times,
      event,
      isWhole: whole !== undefined && isComplete(requestBody),
      credential,
      key: typeof name === 'string' ? name : undefined,
      later: [],
    };
  });
}

function eventOfLog({ logged }: CapturedExchange): Record<string, unknown> | undefined {
  if (typeof logged?.eventType !== 'string') return undefined;
  return logged.kind === 'crm-webhook' ? { eventType: logged.eventType } : { type: logged.eventType };
}

function labelOf(event: Record<string, unknown> | undefined, entry: number): string {
  const type = event?.eventType ?? event?.type;
  const name = typeof type === 'string' || typeof type === 'number' ? String(type) : 'a delivery';
  return `${name}, entry ${entry} of the recording`;
}

function crmCredentials(all: readonly CapturedExchange[], { crmWebhook }: ResolvedConfig): ReadCredentials {
  const areShown = all.some(({ request }) => header(request, 'authorization') !== undefined);
  return (events) => {
    const values = events.map(({ request }) => header(request, 'authorization'));
    return tokenStates(values, { token: crmWebhook?.token, areShown });
  };
}

function signatureCredentials(secret: string | undefined): ReadCredentials {
  return (events) => {
    const messages = events.map(({ request, requestBody, answer, startedAt }) => ({
      signature: header(request, 'x-svc-signature'),
      // A truncated body cannot match; a differently decoded one may.
      signed: requestBody.bytes,
      isExact: requestBody.state === 'exact',
      id: header(request, 'x-svc-delivery-id'),
      isRefused: hasStatus(answer, 401),
      atMs: startedAt.getTime(),
    }));
    return signatureStates(messages, secret);
  };
}

function callCredentials(secret: string | undefined): ReadCredentials {
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
    // The service always sends a call id, so a signature over an empty id is not its own.
    return signatureStates(messages, secret).map((credential, at) =>
      messages[at]?.id === '' && credential.is === 'authentic'
        ? { is: 'unknown', why: 'the upgrade has no call id' }
        : credential,
    );
  };
}

function hasStatus(answer: Answer, ...statuses: number[]): boolean {
  return answer.outcome === 'answered' && statuses.includes(answer.status);
}

function callOf({ exchange, credential }: Attributed): CapturedCall {
  const { entry, startedAt, request, answer, times, call } = exchange;
  return {
    kind: 'call',
    entry,
    label: `a call, entry ${entry} of the recording`,
    startedAt,
    at: startedAt.getTime(),
    request,
    answer,
    times,
    callId: header(request, 'x-svc-call-id') ?? '',
    frames: call?.frames ?? [],
    framesOmitted: call?.framesOmitted ?? 0,
    answers: [],
    ...(call?.end && { end: call.end }),
    credential,
  };
}

function isOperation({ request: { method, url } }: CapturedExchange, base: string | undefined): boolean {
  if (base === undefined) return false;
  const matched = matchOperation(method, url.slice(base.length).split(/[?#]/, 1)[0] ?? '');
  return matched !== undefined && 'id' in matched;
}

function reasonAside({ request, call }: CapturedExchange): AsideReason {
  const { pathname, host } = new URL(request.url);
  if (call !== undefined || /^wss?:/i.test(request.url)) return { kind: 'other-websocket' };
  const v1 = pathname.indexOf('/v1/');
  if (v1 >= 0 && matchOperation(request.method, pathname.slice(v1)) !== undefined) {
    return { kind: 'unproven-api', host };
  }
  return { kind: 'other-traffic' };
}
