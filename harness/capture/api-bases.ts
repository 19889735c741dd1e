import { apiKeyOf } from '../wire/agent-replies.ts';
import type { CapturedExchange } from './captured-exchange.ts';

/** Paths that no other API is likely to have. */
const unmistakable = /^(https?:\/\/[^?#]*?)\/v1\/projects\/\d+\/(?:agent-replies|skills\/[^/?#]+)(?:[?#]|$)/;

/**
 * Addresses below which `/v1` is the service's API, as far as a recording tells: where events send replies, where keys
 * of the service go, and where requests go that only this API has. A path alone proves nothing: others have
 * /v1/messages, too.
 *
 * @param replyUrls of the events in the recording
 */
export function apiBases(
  exchanges: readonly CapturedExchange[],
  replyUrls: readonly string[],
  publicUrl: string | undefined,
): string[] {
  const bases = new Set<string>(publicUrl === undefined ? [] : [publicUrl.replace(/\/+$/, '')]);
  for (const url of [...replyUrls, ...exchanges.map(({ request }) => request.url)]) {
    const base = unmistakable.exec(url)?.[1];
    if (base !== undefined) bases.add(base);
  }
  for (const { request } of exchanges) {
    if (!apiKeyOf(request)?.startsWith('svc_sk_')) continue;
    const base = /^(https?:\/\/[^?#]*?)\/v1(?:[/?#]|$)/.exec(request.url)?.[1];
    bases.add(base ?? new URL(request.url).origin);
  }
  return [...bases];
}

/** The base below which an address is one of the API, the longest where several are. */
export function baseOf(url: string, bases: readonly string[]): string | undefined {
  const within = (base: string) => url.startsWith(`${base}/`) && /^\/v1(?:[/?#]|$)/.test(url.slice(base.length));
  return bases.filter(within).toSorted((a, b) => b.length - a.length)[0];
}
