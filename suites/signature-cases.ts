import type { SignedDelivery } from '../harness/signed-delivery.ts';
import { limits } from '../specs/limits.ts';

/**
 * Seconds that cases lie inside and outside the tolerance: more than a clock of another machine is usually off, so
 * that a small difference of clocks decides nothing.
 */
const clockMarginSeconds = 20;

/** Slugs of requirements that the surfaces with signed deliveries share. */
export type RefusalSlug =
  | 'refuses-missing-signature'
  | 'refuses-empty-signature'
  | 'refuses-garbage-signature'
  | 'refuses-other-secret'
  | 'refuses-altered-body'
  | 'refuses-altered-timestamp'
  | 'refuses-stale-timestamp'
  | 'refuses-future-timestamp'
  | 'refuses-short-v1'
  | 'refuses-long-v1'
  | 'refuses-non-hex-v1'
  | 'refuses-non-ascii-signature'
  | 'refuses-timestamp-only'
  | 'refuses-v1-only'
  | 'refuses-signature-without-timestamp'
  | 'refuses-reserialised-body';

/** One way in which a delivery's signature is wrong. */
export interface BadSignature {
  slug: RefusalSlug;
  what: string;
  /** Servers may refuse it before any code of the endpoint runs, with 400 or by closing the connection. */
  refusedByServers?: true;
  /** Spoils a correct delivery. */
  spoil: (delivery: SignedDelivery) => SignedDelivery;
}

const { signatureToleranceSeconds } = limits;

/** Wrong signatures, each wrong in one way (interface: Authentication). */
export const badSignatures: readonly BadSignature[] = [
  {
    slug: 'refuses-missing-signature',
    what: 'a delivery without X-Svc-Signature',
    spoil: (delivery) => delivery.with({ write: () => undefined }),
  },
  {
    slug: 'refuses-empty-signature',
    what: 'a delivery with an empty X-Svc-Signature',
    spoil: (delivery) => delivery.with({ write: () => '' }),
  },
  {
    slug: 'refuses-garbage-signature',
    what: 'a delivery with garbage in X-Svc-Signature',
    spoil: (delivery) => delivery.with({ write: () => 'not-a-signature' }),
  },
  {
    slug: 'refuses-garbage-signature',
    what: 'a delivery whose t is not a number',
    spoil: (delivery) => delivery.with({ write: (_, v1) => `t=now,v1=${v1}` }),
  },
  {
    slug: 'refuses-garbage-signature',
    what: 'a delivery whose t and v1 are empty',
    spoil: (delivery) => delivery.with({ write: () => 't=,v1=' }),
  },
  {
    slug: 'refuses-other-secret',
    what: 'a delivery signed with another secret',
    spoil: (delivery) => delivery.with({ secret: `${delivery.secret.slice(0, 6)}another-secret` }),
  },
  {
    slug: 'refuses-other-secret',
    what: 'a delivery signed with an empty secret',
    spoil: (delivery) => delivery.with({ secret: '' }),
  },
  {
    slug: 'refuses-altered-body',
    what: 'a delivery whose body was changed after signing',
    spoil: (delivery) => delivery.withBodyChangedAfterSigning(changeOneDigit),
  },
  {
    slug: 'refuses-altered-body',
    what: 'a delivery whose body got a line feed after signing',
    spoil: (delivery) => delivery.withBodyChangedAfterSigning((body) => Buffer.concat([body, Buffer.from('\n')])),
  },
  {
    slug: 'refuses-altered-timestamp',
    what: 'a delivery whose t was changed after signing',
    spoil: (delivery) => delivery.with({ write: (t, v1) => `t=${t - 1},v1=${v1}` }),
  },
  {
    slug: 'refuses-stale-timestamp',
    what: 'a delivery signed more than 5 minutes ago',
    spoil: (delivery) => delivery.with({ offsetSeconds: -(signatureToleranceSeconds + clockMarginSeconds) }),
  },
  {
    slug: 'refuses-stale-timestamp',
    what: 'a delivery signed a year ago',
    spoil: (delivery) => delivery.with({ offsetSeconds: -31_536_000 }),
  },
  {
    slug: 'refuses-future-timestamp',
    what: 'a delivery signed more than 5 minutes ahead',
    spoil: (delivery) => delivery.with({ offsetSeconds: signatureToleranceSeconds + clockMarginSeconds }),
  },
  {
    slug: 'refuses-short-v1',
    what: 'a delivery whose v1 lacks its last characters',
    spoil: (delivery) => delivery.with({ write: (t, v1) => `t=${t},v1=${v1.slice(0, -2)}` }),
  },
  {
    slug: 'refuses-short-v1',
    what: 'a delivery whose v1 is empty',
    spoil: (delivery) => delivery.with({ write: (t) => `t=${t},v1=` }),
  },
  {
    slug: 'refuses-long-v1',
    what: 'a delivery whose v1 has characters after the signature',
    spoil: (delivery) => delivery.with({ write: (t, v1) => `t=${t},v1=${v1}00` }),
  },
  {
    slug: 'refuses-non-hex-v1',
    what: 'a delivery whose v1 is not hex',
    spoil: (delivery) => delivery.with({ write: (t, v1) => `t=${t},v1=${'z'.repeat(v1.length)}` }),
  },
  {
    slug: 'refuses-non-hex-v1',
    what: 'a delivery whose v1 begins as the signature and goes on in what is not hex',
    spoil: (delivery) =>
      delivery.with({ write: (t, v1) => `t=${t},v1=${v1.slice(0, 32)}${'z'.repeat(v1.length - 32)}` }),
  },
  {
    slug: 'refuses-non-ascii-signature',
    what: 'a delivery whose v1 has characters beyond ASCII',
    refusedByServers: true,
    spoil: (delivery) => delivery.with({ write: (t, v1) => `t=${t},v1=${'é'.repeat(v1.length)}` }),
  },
  {
    slug: 'refuses-timestamp-only',
    what: 'a delivery with t but without v1',
    spoil: (delivery) => delivery.with({ write: (t) => `t=${t}` }),
  },
  {
    slug: 'refuses-v1-only',
    what: 'a delivery with v1 but without t',
    spoil: (delivery) => delivery.with({ write: (_, v1) => `v1=${v1}` }),
  },
  {
    slug: 'refuses-v1-only',
    what: 'a delivery signed over an empty t, with v1 only',
    spoil: (delivery) =>
      delivery.with({ signedParts: (_, body) => [Buffer.from('.'), body], write: (_, v1) => `v1=${v1}` }),
  },
  {
    slug: 'refuses-signature-without-timestamp',
    what: 'a delivery signed over the body alone, without t',
    spoil: (delivery) => delivery.with({ signedParts: (_, body) => [body] }),
  },
  {
    slug: 'refuses-reserialised-body',
    what: 'a delivery signed over another serialisation of the same JSON',
    spoil: (delivery) =>
      // The bytes on the wire are written with white space; what is signed is what parsing and writing again gives.
      delivery.with({ signed: delivery.body }).withBody(Buffer.from(JSON.stringify(delivery.event, null, 2), 'utf8')),
  },
];

/** Seconds off the real time at which a delivery is still inside the tolerance, both ways. */
export const insideTolerance = [-1, 1].map((side) => side * (signatureToleranceSeconds - clockMarginSeconds));

/** Another digit in place of the last one: the JSON stays valid. */
function changeOneDigit(body: Buffer): Buffer {
  const changed = Buffer.from(body);
  const at = changed.findLastIndex((byte) => byte >= 0x30 && byte <= 0x39);
  changed[at] = changed[at] === 0x31 ? 0x32 : 0x31;
  return changed;
}
