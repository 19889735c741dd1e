import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../../specs/is-loopback.ts';

/**
 * Whether a request was sent on this machine and for this machine. The page can trigger deliveries and shows what was
 * said, so without the address of the control API it is for local visitors only. `Host` is compared because a page of
 * another site can let its own name resolve to 127.0.0.1 (DNS rebinding); the headers of proxies, because requests
 * through a tunnel arrive from this machine.
 */
export function isLocalVisit({ headers, socket }: IncomingMessage): boolean {
  if (proxyHeaders.some((name) => headers[name] !== undefined)) return false;
  const { remoteAddress = '' } = socket;
  const isHere = remoteAddress === '::1' || /^(?:::ffff:)?127\./.test(remoteAddress);
  const address = `http://${headers.host ?? ''}`;
  return isHere && URL.canParse(address) && isLoopback(new URL(address).hostname);
}

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'cf-connecting-ip'];
