import { hostileAnswers } from './answers.ts';
import { hostileArrivals } from './arrivals.ts';
import { hostileCalls } from './calls.ts';
import { hostileProtocols } from './protocol.ts';
import type { HostileEndpoint } from './hostile-endpoint.ts';

export const everyHostile: readonly HostileEndpoint[] = [
  ...hostileAnswers,
  ...hostileArrivals,
  ...hostileCalls,
  ...hostileProtocols,
];
