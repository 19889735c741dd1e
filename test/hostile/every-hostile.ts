import { hostileAnswers } from './answers.ts';
import { hostileArrivals } from './arrivals.ts';
import { hostileCalls } from './calls.ts';
import type { HostileEndpoint } from './hostile-endpoint.ts';
import { hostileProtocols } from './protocol.ts';
import { hostileReturnPath } from './return-path.ts';
import { hostileTls } from './tls.ts';
import { hostileValues } from './values.ts';
import { hostileWebSockets } from './web-socket.ts';

export const everyHostile: readonly HostileEndpoint[] = [
  ...hostileAnswers,
  ...hostileArrivals,
  ...hostileReturnPath,
  ...hostileCalls,
  ...hostileProtocols,
  ...hostileValues,
  ...hostileTls,
  ...hostileWebSockets,
];
