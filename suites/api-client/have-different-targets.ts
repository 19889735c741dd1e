import { targetValue } from './targets.ts';
import type { ClientRequest } from './traffic.ts';

/**
 * Whether two requests are certainly for different targets. Two requests for one target may have the same cause, such
 * as an event that was delivered twice: then the same key is correct, even if the text of one has a later time.
 */
export function haveDifferentTargets(one: ClientRequest, other: ClientRequest): boolean {
  if (one.parameters.id !== other.parameters.id) return true;
  return ['projectId', 'contactId', 'phone', 'email'].some((name) => {
    const [a, b] = [one, other].map(({ body }) => body && targetValue(body, name));
    return a !== undefined && b !== undefined && a !== b;
  });
}
