import type { IncomingMessage } from 'node:http';

/**
 * Whether a browser sends a request on behalf of a page of another site. Browsers state the site in `Sec-Fetch-Site` and,
 * for every POST, in `Origin` (Fetch Standard, 3.2); other clients send neither. Links from other sites may be followed.
 *
 * @param ownHosts hosts of the service in addition to the one in `Host`, which a proxy may have changed
 */
export function isFromOtherSite({ method, headers }: IncomingMessage, ownHosts: readonly string[]): boolean {
  const { origin, host, 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': place } = headers;
  const isRead = method === 'GET' || method === 'HEAD';
  const isLink = isRead && mode === 'navigate' && place === 'document' && origin === undefined;
  if ((site === 'cross-site' || site === 'same-site') && !isLink) return true;
  if (origin === undefined) return false;
  // A sandboxed frame has the origin `null`.
  return !URL.canParse(origin) || ![host, ...ownHosts].includes(new URL(origin).host);
}
