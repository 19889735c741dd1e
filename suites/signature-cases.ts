import type { SignedDelivery } from '../harness/wire/signed-delivery.ts';
import { limits } from '../specs/limits.ts';
import type { RequirementId, Surface } from '../specs/requirements/catalogue.ts';
import { wrongSecrets } from './wrong-secrets.ts';

/**
 * Distance of cases from the tolerance, in seconds: more than the usual difference of two clocks, so that it decides
 * nothing.
 */
const clockMarginSeconds = 20;

/** Slugs of the requirements of one surface that refuse a bad signature. */
type RefusalOn<S extends Surface> = RequirementId extends infer Id
  ? Id extends `${S}/${infer Slug extends `refuses-${string}`}`
    ? Exclude<Slug, `refuses-with-${string}`>
    : never
  : never;

/** Slugs of both surfaces with signed deliveries. */
export type DeliveryRefusal = RefusalOn<'api-webhooks'> & RefusalOn<'own-ai-chat'>;

/** Slugs of the phone. */
export type CallRefusal = RefusalOn<'own-ai-phone'>;

/** One fault of the signature of a delivery or of a call's upgrade. */
export interface BadSignature<Slug extends DeliveryRefusal | CallRefusal> {
  slug: Slug;
  what: string;
  /** Servers may refuse it before any code of the endpoint runs, with 400 or by closing the connection. */
  refusedByServers?: true;
  /** Invalidates a correct delivery or upgrade. */
  spoil: (correct: SignedDelivery) => SignedDelivery;
}

/** Facts of a call from which an invalid signature can be made. */
export interface CallFacts {
  /** The address that is called. */
  url: string;
  /** Id of a call that took place before, and its signature as it was sent. */
  earlierCallId: string;
  earlierSignature: string | undefined;
}

/** One fault of the signature of a call's upgrade. */
export interface BadCallSignature extends Omit<BadSignature<CallRefusal>, 'spoil'> {
  /** Invalidates a correct upgrade; `undefined` if not applicable to the configured secret. */
  spoil: (correct: SignedDelivery, facts: CallFacts) => SignedDelivery | undefined;
}

/** The signed part: a delivery is signed over its body, a call over its id. */
type Noun = 'delivery' | 'call';

interface Case<Slug extends DeliveryRefusal | CallRefusal> extends Omit<BadSignature<Slug>, 'what'> {
  /** Follows `a delivery` or `a call`. */
  what: string | Record<Noun, string>;
}

type SharedCase = Case<DeliveryRefusal & CallRefusal> & { about?: never };

/** A case that does not exist for upgrades, which have no body. */
type BodyCase = Case<DeliveryRefusal> & { about: 'body' };

const { signatureToleranceSeconds } = limits;

const cases: readonly (SharedCase | BodyCase)[] = [
  {
    slug: 'refuses-missing-signature',
    what: 'without X-Svc-Signature',
    spoil: (correct) => correct.with({ write: () => undefined }),
  },
  {
    slug: 'refuses-empty-signature',
    what: 'with an empty X-Svc-Signature',
    spoil: (correct) => correct.with({ write: () => '' }),
  },
  {
    slug: 'refuses-garbage-signature',
    what: 'with garbage in X-Svc-Signature',
    spoil: (correct) => correct.with({ write: () => 'not-a-signature' }),
  },
  {
    slug: 'refuses-garbage-signature',
    what: 'whose t is not a number',
    spoil: (correct) => correct.with({ write: (_, v1) => `t=now,v1=${v1}` }),
  },
  {
    slug: 'refuses-garbage-signature',
    what: 'whose t and v1 are empty',
    spoil: (correct) => correct.with({ write: () => 't=,v1=' }),
  },
  {
    slug: 'refuses-other-secret',
    what: 'signed with another secret',
    spoil: (correct) => correct.with({ secret: `${correct.secret.slice(0, 6)}another-secret` }),
  },
  {
    slug: 'refuses-other-secret',
    what: 'signed with an empty secret',
    spoil: (correct) => correct.with({ secret: '' }),
  },
  {
    about: 'body',
    slug: 'refuses-altered-body',
    what: 'whose body was changed after signing',
    spoil: (correct) => correct.withBodyChangedAfterSigning(changeOneDigit),
  },
  {
    about: 'body',
    slug: 'refuses-altered-body',
    what: 'whose body got a line feed after signing',
    spoil: (correct) => correct.withBodyChangedAfterSigning((body) => Buffer.concat([body, Buffer.from('\n')])),
  },
  {
    slug: 'refuses-altered-timestamp',
    what: 'whose t was changed after signing',
    spoil: (correct) => correct.with({ write: (t, v1) => `t=${t - 1},v1=${v1}` }),
  },
  {
    slug: 'refuses-stale-timestamp',
    what: 'signed more than 5 minutes ago',
    spoil: (correct) => correct.with({ offsetSeconds: -(signatureToleranceSeconds + clockMarginSeconds) }),
  },
  {
    slug: 'refuses-stale-timestamp',
    what: 'signed a year ago',
    spoil: (correct) => correct.with({ offsetSeconds: -31_536_000 }),
  },
  {
    slug: 'refuses-future-timestamp',
    what: 'signed more than 5 minutes ahead',
    spoil: (correct) => correct.with({ offsetSeconds: signatureToleranceSeconds + clockMarginSeconds }),
  },
  {
    slug: 'refuses-short-v1',
    what: 'whose v1 lacks its last characters',
    spoil: (correct) => correct.with({ write: (t, v1) => `t=${t},v1=${v1.slice(0, -2)}` }),
  },
  {
    slug: 'refuses-short-v1',
    what: 'whose v1 is empty',
    spoil: (correct) => correct.with({ write: (t) => `t=${t},v1=` }),
  },
  {
    slug: 'refuses-long-v1',
    what: 'whose v1 has characters after the signature',
    spoil: (correct) => correct.with({ write: (t, v1) => `t=${t},v1=${v1}00` }),
  },
  {
    slug: 'refuses-non-hex-v1',
    what: 'whose v1 is not hex',
    spoil: (correct) => correct.with({ write: (t, v1) => `t=${t},v1=${'z'.repeat(v1.length)}` }),
  },
  {
    slug: 'refuses-non-hex-v1',
    what: 'whose v1 begins like the signature and continues with characters that are not hex',
    spoil: (correct) => correct.with({ write: (t, v1) => `t=${t},v1=${v1.slice(0, 32)}${'z'.repeat(v1.length - 32)}` }),
  },
  {
    slug: 'refuses-non-ascii-signature',
    what: 'whose v1 has characters beyond ASCII',
    refusedByServers: true,
    spoil: (correct) => correct.with({ write: (t, v1) => `t=${t},v1=${'é'.repeat(v1.length)}` }),
  },
  {
    slug: 'refuses-timestamp-only',
    what: 'with t but without v1',
    spoil: (correct) => correct.with({ write: (t) => `t=${t}` }),
  },
  {
    slug: 'refuses-v1-only',
    what: 'with v1 but without t',
    spoil: (correct) => correct.with({ write: (_, v1) => `v1=${v1}` }),
  },
  {
    slug: 'refuses-v1-only',
    what: 'signed over an empty t, with v1 only',
    spoil: (correct) =>
      correct.with({ signedParts: (_, signed) => [Buffer.from('.'), signed], write: (_, v1) => `v1=${v1}` }),
  },
  {
    slug: 'refuses-signature-without-timestamp',
    what: { delivery: 'signed over the body alone, without t', call: 'signed over the call id alone, without t' },
    spoil: (correct) => correct.with({ signedParts: (_, signed) => [signed] }),
  },
  {
    about: 'body',
    slug: 'refuses-reserialised-body',
    what: 'signed over another serialisation of the same JSON',
    spoil: (correct) =>
      // The bytes on the wire contain white space; the signature covers the re-serialised body.
      correct.with({ signed: correct.body }).withBody(Buffer.from(JSON.stringify(correct.event, null, 2), 'utf8')),
  },
];

/** Invalid signatures of deliveries or calls, each invalid in one way (interface: Authentication). */
export function badSignatures(noun: 'delivery'): readonly BadSignature<DeliveryRefusal>[];
export function badSignatures(noun: 'call'): readonly BadSignature<CallRefusal>[];
export function badSignatures(noun: Noun): readonly BadSignature<DeliveryRefusal | CallRefusal>[] {
  return cases
    .filter(({ about }) => noun === 'delivery' || about !== 'body')
    .map(({ about: _, what, ...bad }) => ({
      ...bad,
      what: `a ${noun} ${typeof what === 'string' ? what : what[noun]}`,
    }));
}

const callIdHeader = 'X-Svc-Call-Id';
const nothing = new Uint8Array();

/**
 * All invalid signatures of a call: those that deliveries have too, then those specific to a signature over the call
 * id.
 */
export const badCallSignatures: readonly BadCallSignature[] = [
  ...badSignatures('call'),
  {
    slug: 'refuses-other-call-id',
    what: 'a call with the signature of an earlier call, as it was',
    spoil: (correct, { earlierSignature }) => correct.with({ write: () => earlierSignature }),
  },
  {
    slug: 'refuses-other-call-id',
    what: 'a call signed over the id of an earlier call',
    spoil: (correct, { earlierCallId }) => correct.with({ signed: Buffer.from(earlierCallId, 'utf8') }),
  },
  {
    slug: 'refuses-other-call-id',
    what: "a call signed over another call's id",
    spoil: (correct) => correct.with({ signed: Buffer.from(callIdOf(correct), 'utf8').reverse() }),
  },
  {
    slug: 'refuses-other-call-id',
    what: 'a call signed over an id that differs from its own at the end',
    spoil: (correct) => correct.with({ signed: Buffer.from(withOtherEnd(callIdOf(correct)), 'utf8') }),
  },
  {
    slug: 'refuses-signature-over-body',
    what: 'a call signed over t and its empty body',
    spoil: (correct) => correct.with({ signed: nothing }),
  },
  {
    slug: 'refuses-signature-over-path',
    what: 'a call signed over t and the path of the address',
    spoil: (correct, { url }) => correct.with({ signed: Buffer.from(pathOf(url), 'utf8') }),
  },
  // A missing header, interpolated into a string.
  ...[
    ['JavaScript', 'undefined'],
    ['Java', 'null'],
    ['Python', 'None'],
  ].map(([language = '', word = '']): BadCallSignature => ({
    slug: 'refuses-missing-call-id',
    what: `a call without X-Svc-Call-Id, signed over what ${language} writes for nothing`,
    spoil: (correct) => correct.withHeader(callIdHeader, undefined).with({ signed: Buffer.from(word, 'utf8') }),
  })),
  {
    slug: 'refuses-missing-call-id',
    what: 'a call without X-Svc-Call-Id, signed over the id it would have had',
    spoil: (correct) => correct.withHeader(callIdHeader, undefined),
  },
  {
    slug: 'refuses-missing-call-id',
    what: 'a call without X-Svc-Call-Id, signed over an empty id',
    spoil: (correct) => correct.withHeader(callIdHeader, undefined).with({ signed: nothing }),
  },
  ...wrongSecrets.map(({ slug, what, derive }): BadCallSignature => ({
    slug,
    what: `a call ${what}`,
    spoil: (correct) => {
      const secret = derive(correct.secret);
      return secret === undefined ? undefined : correct.with({ secret });
    },
  })),
];

/** Seconds off the real time at which a signature is still inside the tolerance, both ways. */
export const insideTolerance = [-1, 1].map((side) => side * (signatureToleranceSeconds - clockMarginSeconds));

/** Another digit in place of the last one: the JSON stays valid. */
function changeOneDigit(body: Buffer): Buffer {
  const changed = Buffer.from(body);
  const at = changed.findLastIndex((byte) => byte >= 0x30 && byte <= 0x39);
  changed[at] = changed[at] === 0x31 ? 0x32 : 0x31;
  return changed;
}

function callIdOf(upgrade: SignedDelivery): string {
  return upgrade.headers.find(([name]) => name.toLowerCase() === callIdHeader.toLowerCase())?.[1] ?? '';
}

/** The same string with another last character. */
function withOtherEnd(text: string): string {
  return `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;
}

/** The path with its query, as in the request line. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
