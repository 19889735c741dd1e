import { SignedDelivery } from './signed-delivery.ts';

/** A correctly signed upgrade request of a call, which can be modified (interface: Authentication). */
export function signedUpgrade(
  callId: string,
  { secret, protocol }: { secret: string; protocol: string },
): SignedDelivery {
  const headers = [
    ['User-Agent', 'svc-conform'],
    ['X-Svc-Call-Id', callId],
    ['X-Svc-Agent-Protocol', protocol],
  ] as const;
  return SignedDelivery.upgrade(callId, headers, secret);
}
