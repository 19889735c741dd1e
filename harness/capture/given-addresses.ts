import { isJsonObject } from '../../specs/json-object.ts';
import type { WireRequest } from '../wire/observation.ts';
import type { CapturedDelivery } from './capture.ts';

/** Characters from which the last part of a path identifies an address. */
const distinctiveCharacters = 8;

/** The callback addresses in CRM events. */
export interface CallbackAddresses {
  /** The first delivery with exactly this address. */
  first: (url: string) => CapturedDelivery | undefined;
  /** Whether a request was clearly meant for one of them but sent to another address. */
  isMissed: (request: WireRequest) => boolean;
}

/** Reads the callback addresses of events (interface: CRM webhook). */
export function callbackAddresses(crm: readonly CapturedDelivery[]): CallbackAddresses {
  const byAddress = new Map<string, CapturedDelivery>();
  const byLastPart = new Map<string, URL[]>();
  for (const delivery of crm) {
    if (delivery.key === undefined || !URL.canParse(delivery.key)) continue;
    const url = new URL(delivery.key);
    if (byAddress.has(url.href)) continue;
    byAddress.set(url.href, delivery);
    const name = lastPartOf(url);
    const alike = byLastPart.get(name);
    if (alike) alike.push(url);
    else byLastPart.set(name, [url]);
  }
  return {
    first: (url) => byAddress.get(new URL(url).href),
    isMissed: ({ method, url }) => {
      // Safe methods are not callbacks.
      if (/^(?:GET|HEAD|OPTIONS)$/i.test(method)) return false;
      const sent = new URL(url);
      const [given, ...others] = byLastPart.get(lastPartOf(sent)) ?? [];
      if (!given || others.length > 0 || given.href === sent.href || !isDistinctive(given)) return false;
      return given.pathname !== sent.pathname || isSameQuery(given.search, sent.search);
    },
  };
}

/** Host and complete last part of the path: addresses of other events often share a prefix or suffix. */
function lastPartOf({ host, pathname }: URL): string {
  return `${host} ${partOf(pathname)}`;
}

function isDistinctive({ pathname }: URL): boolean {
  return partOf(pathname).length >= distinctiveCharacters;
}

function partOf(pathname: string): string {
  return pathname.split('/').findLast((part) => part !== '') ?? '';
}

/** A different query may belong to an event that was not recorded; a missing or reordered one does not. */
function isSameQuery(given: string, sent: string): boolean {
  const sorted = (query: string) => [...new URLSearchParams(query)].map((pair) => JSON.stringify(pair)).toSorted();
  return sent === '' || sorted(given).join() === sorted(sent).join();
}

/** The reply addresses in messages. */
export interface ReplyAddresses {
  /** All addresses, without duplicates. */
  all: readonly string[];
  /** Whether one of the messages has exactly this address, before or after the request. */
  isGiven: (url: string) => boolean;
  /** The latest message with this address up to that time. */
  latest: (url: string, by: Date) => CapturedDelivery | undefined;
  /**
   * Whether a request was meant for one of them but sent to another address. If an event could not be read, the request
   * may use its address, and a request to another host may pass through a gateway.
   *
   * @param path below the base address of the API
   */
  isMissed: (url: string, path: string) => boolean;
}

/** Reads the reply addresses of messages (interface: Own-AI chat event). */
export function replyAddresses(chat: readonly CapturedDelivery[]): ReplyAddresses {
  const areAllRead = chat.every(({ isWhole }) => isWhole);
  const byAddress = new Map<string, CapturedDelivery[]>();
  const projects = new Set<string>();
  for (const delivery of chat) {
    const url = replyUrlOf(delivery.event);
    const data = delivery.event?.data;
    if (url === undefined || !isJsonObject(data)) continue;
    const same = byAddress.get(url.href);
    if (same) same.push(delivery);
    else byAddress.set(url.href, [delivery]);
    projects.add(`${url.host} ${String(data.projectId)}`);
  }
  const isGiven = (url: string) => byAddress.has(new URL(url).href);
  return {
    all: [...byAddress.keys()],
    isGiven,
    latest: (url, by) => byAddress.get(new URL(url).href)?.findLast(({ startedAt }) => startedAt <= by),
    isMissed: (url, path) => {
      const id = /^\/v1\/projects\/(\d+)\/agent-replies(?:[?#]|$)/.exec(path)?.[1];
      return areAllRead && id !== undefined && !isGiven(url) && projects.has(`${new URL(url).host} ${id}`);
    },
  };
}

function replyUrlOf(event: Record<string, unknown> | undefined): URL | undefined {
  const replyUrl = isJsonObject(event?.data) ? event.data.replyUrl : undefined;
  return typeof replyUrl === 'string' && URL.canParse(replyUrl) ? new URL(replyUrl) : undefined;
}
