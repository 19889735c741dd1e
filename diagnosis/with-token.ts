import { SignedDelivery } from '../harness/wire/signed-delivery.ts';

/** A CRM event with the bearer token (interface: CRM webhook). */
export function withToken(event: Record<string, unknown>, text: string, token: string): SignedDelivery {
  const headers = [
    ['Content-Type', 'application/json'],
    ['User-Agent', 'svc-conform'],
    ['Authorization', `Bearer ${token}`],
  ] as const;
  return SignedDelivery.of(event, text, headers, '').with({ write: () => undefined });
}
