import type { Connection } from '../../diagnosis/connection.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { hmacHex, signedBytes } from '../../specs/signing.ts';
import type { Exchange, Report } from '../../specs/generated/types.ts';
import { NotSendable } from './replay-result.ts';

/** Tolerated seconds between signing and the recorded start. */
const signingSeconds = 2;
/** Requirements whose deliveries may have a deliberately invalid token; the record does not show tokens. */
const aboutTokens = /^crm-webhook\/(?:refuses-|bad-token)/;

/** A delivery with a new signature of the recorded kind. */
export interface FreshlySigned {
  delivery: SignedDelivery;
  /** Its signature or token is valid. */
  isRight: boolean;
}

/**
 * Signs a delivery or upgrade like the recorded one, which the record shows: validly, with the same time offset, or not
 * at all.
 *
 * @param signed the signed content in place of the body; default: the recorded body
 * @throws NotSendable for an invalid signature or token whose fault the record does not show
 */
export function freshSignature(
  exchange: Exchange,
  delivery: SignedDelivery,
  report: Report,
  connection: Connection,
  signed: string = exchange.request.body,
): FreshlySigned {
  const header = (wanted: string) => exchange.request.headers.find(([name]) => name?.toLowerCase() === wanted)?.[1];
  if (connection.surface === 'crm-webhook') {
    const unsigned = delivery.with({ write: () => undefined });
    return withToken(unsigned, header('authorization'), exchange, report, connection);
  }
  const written = header('x-svc-signature');
  if (written === undefined) return { delivery: delivery.with({ write: () => undefined }), isRight: false };
  // A header without a time is sent unchanged.
  if (!/t=\d/.test(written)) return { delivery: delivery.with({ write: () => written }), isRight: false };
  const [, t = '', v1 = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(written) ?? [];
  if (v1 === '' || hmacHex(connection.credential, signedBytes(Number(t), signed)) !== v1) {
    throw new NotSendable(
      'its signature does not match the current secret: either it was deliberately invalid, which only its check can repeat, or the secret has changed',
    );
  }
  const offsetSeconds = Number(t) - Math.floor(Date.parse(exchange.startedAt) / 1000);
  if (Math.abs(offsetSeconds) <= signingSeconds) return { delivery, isRight: true };
  return { delivery: delivery.with({ offsetSeconds }), isRight: false };
}

function withToken(
  delivery: SignedDelivery,
  recorded: string | undefined,
  { id }: Exchange,
  { checks }: Report,
  { credential }: Connection,
): FreshlySigned {
  if (recorded === undefined) return { delivery, isRight: false };
  const citing = checks.filter(({ evidence }) => evidence.includes(id));
  const mayBeWrong = citing.length === 0 || citing.some(({ requirement }) => aboutTokens.test(requirement));
  if (mayBeWrong || !/^Bearer \[redacted/.test(recorded)) {
    throw new NotSendable(
      'the record does not show its token, which may have been deliberately invalid: replay the check',
    );
  }
  return { delivery: delivery.withHeader('Authorization', `Bearer ${credential}`), isRight: true };
}
