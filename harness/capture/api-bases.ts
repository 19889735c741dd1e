import { apiKeyOf } from '../wire/agent-replies.ts';
import type { CapturedExchange } from './captured-exchange.ts';

/** Paths that are specific to this API. */
const unmistakable = /^(https?:\/\/[^?#]*?)\/v1\/projects\/\d+\/(?:agent-replies|skills\/[^/?#]+)(?:[?#]|$)/;

/**
 * Base addresses of the service's API in a recording: the reply addresses in events, requests with API keys of the
 * service, and paths that are specific to this API. Another path alone proves nothing: other APIs have /v1/messages,
 * too.
 *
 * @param replyUrls reply addresses of the events in the recording
 */
export function apiBases(
  exchanges: readonly CapturedExchange[],
  replyUrls: readonly string[],
  { publicUrl, keyPrefix }: { publicUrl: string | undefined; keyPrefix: string },
): string[] {
  const bases = new Set<string>(publicUrl === undefined ? [] : [publicUrl.replace(/\/+$/, '')]);
  for (const url of [...replyUrls, ...exchanges.map(({ request }) => request.url)]) {
    const base = unmistakable.exec(url)?.[1];
    if (base !== undefined) bases.add(base);
  }
  for (const { request } of exchanges) {
    if (!apiKeyOf(request)?.startsWith(keyPrefix)) continue;
    const base = /^(https?:\/\/[^?#]*?)\/v1(?:[/?#]|$)/.exec(request.url)?.[1];
    bases.add(base ?? new URL(request.url).origin);
  }
  return [...bases];
}

/** The base address of an API request; the longest one if several match. */
export function baseOf(url: string, bases: readonly string[]): string | undefined {
  const within = (base: string) => url.startsWith(`${base}/`) && /^\/v1(?:[/?#]|$)/.test(url.slice(base.length));
  return bases.filter(within).toSorted((a, b) => b.length - a.length)[0];
}
