import type { Connection } from '../connection.ts';
import { header } from '../../harness/wire/observation.ts';
import type { Offer } from './reception.ts';

/** Deliveries that show whether a valid signature is always accepted. */
const controls = 3;

/**
 * A refusal of a valid signature by an endpoint that accepted one, and that refused a delivery before any forged one was
 * sent: later refusals are then no effect of forged ones.
 */
export async function refusalAmongValid(
  { exchanges }: Connection,
  sendValid: () => Promise<Offer>,
): Promise<Offer | undefined> {
  const isRefused = exchanges.some(
    (exchange) =>
      'answer' in exchange &&
      header(exchange.request, 'X-Svc-Signature') !== undefined &&
      exchange.answer.outcome === 'answered' &&
      [401, 403].includes(exchange.answer.status),
  );
  for (let times = 0; isRefused && times < controls; times++) {
    const again = await sendValid();
    if (again.reception === 'refused') return again;
  }
  return undefined;
}
