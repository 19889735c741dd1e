import type { FastifyRequest } from 'fastify';
import { matchOperation } from '../../specs/api-operations.ts';
import { Problem } from '../problem.ts';
import { documentPaths } from './add-documents.ts';

/** The path of a request, without its query. */
export function pathOf({ url }: FastifyRequest): string {
  const at = url.indexOf('?');
  return at < 0 ? url : url.slice(0, at);
}

/** The error for an unknown method and path: 405 with Allow when the path accepts another method, else 404. */
export function noSuchAddress(request: FastifyRequest): Problem {
  const methods = methodsOf(request);
  if (methods.length === 0) {
    return new Problem('not_found', 'The API has no such address; /v1/openapi.json lists those that it has.');
  }
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return new Problem('method_not_allowed', `expected ${allow} at this address, received ${request.method}`, { allow });
}

function methodsOf(request: FastifyRequest): string[] {
  const path = pathOf(request);
  if (documentPaths.some((one) => one === path) || path.startsWith('/v1/docs/')) return ['GET'];
  if (/^\/callbacks\/[^/]+$/.test(path)) return ['POST'];
  const matched = matchOperation(request.method, path);
  return matched && 'otherMethods' in matched ? matched.otherMethods : [];
}
