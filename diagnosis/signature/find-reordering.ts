import { subscribedType } from '../../harness/config/subscribed-types.ts';
import type { Connection } from '../connection.ts';
import type { Found } from '../outcome.ts';
import { formatOffer } from './questioner.ts';
import { describeAnswer, offer, type Offer } from './reception.ts';

/**
 * Tests whether the endpoint signs the fields of a body in another order than the one on the wire, whatever that order
 * is: of two fields, it accepts only the signature over the opposite order. No question about a whole event covers an
 * unknown order.
 *
 * @param refused the refusal of the valid signature of a whole event
 */
export async function findReordering(
  connection: Connection,
  refused: Offer,
  seen: string[],
): Promise<Found | undefined> {
  // A call has no body.
  if (connection.surface === 'own-ai-phone') return undefined;
  const fields = [
    ['type', connection.surface === 'own-ai-chat' ? 'ping' : subscribedType(connection.config, 'appointment.created')],
    ['id', `evt_${connection.session.ids.text()}`],
  ] as const;
  const [written, opposite] = [fields, fields.toReversed()].map((order) => JSON.stringify(Object.fromEntries(order)));
  const send = async (body: string, signed: string, label: string) => {
    const { delivery } = connection.case({ event: Object.fromEntries(fields), write: () => body });
    const over = delivery.with({ signed: Buffer.from(signed) });
    const offered = await offer(connection, `a body with two fields, ${label}`, over);
    seen.push(formatOffer(offered));
    return offered;
  };
  for (const [body = '', other = ''] of [
    [written, opposite],
    [opposite, written],
  ]) {
    const swapped = await send(body, other, 'signed in the opposite order');
    if (isSame(swapped, refused)) continue;
    // An endpoint may refuse this body before it verifies the signature.
    const forged = await send(body, '', 'signed over another body');
    const right = await send(body, body, 'with the valid signature');
    const again = await send(body, other, 'signed in the opposite order, again');
    if (isSame(swapped, again) && isSame(right, forged) && !isSame(swapped, right)) {
      return {
        id: 'signature/fields-reordered',
        summary:
          'The endpoint computes the signature over the fields of the body in another order: of a body with two fields, it accepts only the signature over the opposite order.',
      };
    }
  }
  return undefined;
}

function isSame(one: Offer, other: Offer): boolean {
  return describeAnswer(one) === describeAnswer(other);
}
