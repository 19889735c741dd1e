import type { Outbound } from '../../service/outbound.ts';

/**
 * An outbound side that sends nothing: the endpoint receives only the requests of checks, and addresses configured by a
 * client may be real.
 */
export const noOutbound: Outbound = {
  post: () => Promise.resolve({ outcome: 'unreachable', detail: 'nothing is sent during a check', ms: 0 }),
  call: () => Promise.resolve({ failed: 'no call is made during a check' }),
};
