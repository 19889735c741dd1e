import type { Outbound } from '../../service/outbound.ts';

/**
 * A service that sends and calls nothing: what an endpoint gets in a run comes from the checks, and the addresses that a
 * client names may be real ones.
 */
export const noOutbound: Outbound = {
  post: () => Promise.resolve({ outcome: 'unreachable', detail: 'nothing is sent during a check', ms: 0 }),
  call: () => Promise.resolve({ failed: 'nothing is called during a check' }),
};
