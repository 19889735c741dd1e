import type { Connection } from '../../diagnosis/connection.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { hmacHex, signedBytes } from '../../specs/signing.ts';
import type { Exchange, Report } from '../../specs/generated/types.ts';
import { NotSendable } from './replay-result.ts';

/** Seconds between signing and what the record calls the beginning that mean nothing. */
const signingSeconds = 2;
/** Requirements whose deliveries have a token that is wrong on purpose; the record shows none. */
const aboutTokens = /^crm-webhook\/(?:refuses-|bad-token)/;

/** A delivery as it was signed then. */
export interface FreshlySigned {
  delivery: SignedDelivery;
  /** It is signed, or has its token, as the service does it. */
  isRight: boolean;
}

/**
 * The delivery, or upgrade, signed as it was: rightly, off by as much time, or not at all. Which of these it was is
 * worked out from the record.
 *
 * @param signed what stands for the body in what is signed; default: the recorded body
 * @throws NotSendable for a signature or token that was wrong in a way that the record does not show
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
  // Without a time in it there is nothing to make afresh.
  if (!/t=\d/.test(written)) return { delivery: delivery.with({ write: () => written }), isRight: false };
  const [, t = '', v1 = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(written) ?? [];
  if (v1 === '' || hmacHex(connection.credential, signedBytes(Number(t), signed)) !== v1) {
    throw new NotSendable(
      'its signature does not fit the secret that is given now: it was wrong on purpose, and only its check makes it again, or the secret was another one',
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
    throw new NotSendable('the record does not show its token, which may have been wrong on purpose: replay the check');
  }
  return { delivery: delivery.withHeader('Authorization', `Bearer ${credential}`), isRight: true };
}
