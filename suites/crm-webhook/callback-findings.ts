import type { Finding } from '../../harness/checks/finding.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import type { DisclosedSecret } from '../../harness/wire/find-secret.ts';
import type { Arrival } from '../../harness/wire/observation.ts';
import { limits } from '../../specs/limits.ts';

/** Callbacks that came as POST requests to their own address. */
export function postsOf({ callback }: CrmObservation): readonly Arrival[] {
  return callback.arrivals.filter(({ request }) => request.method === 'POST');
}

/** The finding about more callbacks than one delivery permits. */
export function repeatedCallback(delivery: CrmObservation): Finding | undefined {
  const arrivals = postsOf(delivery);
  if (arrivals.length <= limits.crmCallbackPosts) return undefined;
  const isFull = arrivals.length === delivery.callback.arrivals.length;
  return {
    expected: `one callback for one callbackUrl (${delivery.label})`,
    received: `${isFull ? delivery.callback.count : arrivals.length}`,
    hint: 'Remember each callbackUrl before the work starts, and post to it once only.',
  };
}

/** The finding about a callback that contains a secret. */
export function secretFinding({ name, place, part }: DisclosedSecret): Finding {
  return {
    expected: `a callback without ${name}`,
    received: `${name} in ${place}`,
    hint: 'callbackUrl needs no authorisation.',
    ...(part && { part }),
  };
}

/** The finding about a callback of an event that was answered 200 or 204. */
export function needlessCallback({ answer, callback, label }: CrmObservation): Finding | undefined {
  const [arrival] = callback.arrivals;
  if (!arrival) return undefined;
  return {
    expected: `no callback, since ${label} was answered ${answer.outcome === 'answered' ? answer.status : ''}`,
    received: `a ${arrival.request.method} to its callbackUrl`,
  };
}
