import { apiOperations, matchOperation } from '../../specs/api-operations.ts';
import { nearest } from '../../specs/nearest.ts';
import { pathOf } from './traffic.ts';
import { each, type ClientRule } from './rules.ts';

/** Resources of API v1: a path with one of them is meant for the API. */
const resources = [
  'me',
  'contacts',
  'messages',
  'notes',
  'appointments',
  'webhooks',
  'projects',
  'senders',
  'whatsapp',
  'agents',
];

/**
 * Requests that the interface marks as not shown: reading appointments, the rest of subscriptions and projects, keys.
 * They may well exist, so using them is not a finding.
 */
const notShown = [
  { method: /^GET$/, path: /^\/v1\/appointments(\/[^/]+)?$/ },
  { method: /^(GET|PATCH|PUT|DELETE)$/, path: /^\/v1\/webhooks(\/[^/]+)?$/ },
  { method: /./, path: /^\/v1\/projects(\/[^/]+)?$/ },
  { method: /./, path: /^\/v1\/(api-?)?keys(\/.*)?$/ },
];

/** Whether a path is of the published description of the API (interface: Versioning). */
export function isDocument(path: string): boolean {
  return /^\/v1\/(openapi\.json|docs|changelog)(\/.*)?$/.test(path);
}

/** A hint at the listed path that is most similar to this one. */
function nearestPath(method: string, path: string): string | undefined {
  const listed = Object.values(apiOperations).filter((operation) => operation.method === method);
  const [similar] = nearest(
    path,
    listed.map((operation) => operation.path),
  );
  return similar === undefined ? undefined : `The nearest listed path is ${similar}.`;
}

/** Rules about where requests go (interface: API v1, Versioning). */
export const pathRules: readonly ClientRule[] = [
  {
    requirement: 'api-client/paths-under-v1',
    title: 'requests of the API go below v1',
    needs: 'The client sent no request of the API.',
    judge: each(({ exchange, path }) => {
      if (exchange.request.method === 'OPTIONS') return 'nothing';
      if (/^\/v1(\/|$)/.test(path)) return true;
      // The same host may receive other requests: for an icon, a health check.
      if (!path.split('/').some((part) => resources.includes(part.toLowerCase()))) return 'nothing';
      return {
        expected: 'a path that begins with /v1',
        received: 'another beginning',
        hint: 'The base address (SVC_BASE_URL) comes without /v1; append /v1/… to it as a whole.',
      };
    }),
  },
  {
    requirement: 'api-client/uses-listed-paths',
    title: 'paths below v1 are listed ones',
    needs: 'The client sent no request below /v1.',
    judge: each(({ exchange, path }) => {
      const { method } = exchange.request;
      if (!/^\/v1(\/|$)/.test(path) || method === 'OPTIONS' || isDocument(path) || isNotShown(method, path))
        return 'nothing';
      const sent = pathOf(exchange);
      if (matchOperation(method, sent)) return true;
      const meant = path.replace(/\/$/, '');
      const close =
        matchOperation(method, meant) !== undefined || matchOperation(method, meant.toLowerCase()) !== undefined;
      return {
        expected: 'a path of API v1',
        received: 'one that is not listed',
        hint: close ? 'Write it as listed: single slashes, none at the end, lower case.' : nearestPath(method, path),
      };
    }),
  },
  {
    requirement: 'api-client/uses-listed-methods',
    title: 'listed paths are called with their methods',
    needs: 'The client called no listed path.',
    judge: each(({ exchange, path }) => {
      const { method } = exchange.request;
      const matched = matchOperation(method, path);
      if (!matched || method === 'OPTIONS' || isNotShown(method, path)) return 'nothing';
      if ('id' in matched) return true;
      // HEAD is allowed wherever GET is (RFC 9110, 9.3.2).
      if (method === 'HEAD' && matched.otherMethods.includes('GET')) return 'nothing';
      return { expected: matched.otherMethods.join(' or '), received: method };
    }),
  },
  {
    requirement: 'api-client/ids-in-paths-are-integers',
    title: 'ids in paths are integers',
    needs: 'The client called no path with an id.',
    judge: each(({ parameters: { id } }) => {
      if (id === undefined) return 'nothing';
      return (
        /^\d+$/.test(id) || {
          expected: 'an integer id of the service',
          received: JSON.stringify(id.slice(0, 80)),
          hint: 'Use the id from an answer or event of the service.',
        }
      );
    }),
  },
];

/** Whether a request is for something that the interface marks as not shown. */
export function isNotShown(method: string, path: string): boolean {
  return notShown.some((one) => one.method.test(method) && one.path.test(path));
}
