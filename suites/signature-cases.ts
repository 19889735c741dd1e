import type { SignedDelivery } from '../harness/wire/signed-delivery.ts';
import { limits } from '../specs/limits.ts';
import { requirements, type RequirementId } from '../specs/requirements/catalogue.ts';
import { wrongSecrets } from './wrong-secrets.ts';
import type { Surface } from '../specs/surfaces.ts';
import {
  clockMarginSeconds,
  forgedSignatures,
  missingHeaderTexts,
  signedOverMissingCallId,
  withEarlierSignature,
  type ForgeryFacts,
} from '../harness/wire/forged-signatures.ts';

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
  /** The header is missing or does not have the documented form, so there is no signature to compare. */
  isUnreadable?: true;
  /** Invalidates a correct delivery or upgrade. */
  spoil: (correct: SignedDelivery) => SignedDelivery;
}

/** Facts of a call from which an invalid signature can be made. */
export interface CallFacts extends ForgeryFacts {
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

interface SignatureCase<Slug extends DeliveryRefusal | CallRefusal> extends Omit<BadSignature<Slug>, 'what'> {
  /** Follows `a delivery` or `a call`. */
  what: string | Record<Noun, string>;
}

type SharedCase = SignatureCase<DeliveryRefusal & CallRefusal> & { about?: never };

/** A case that does not exist for upgrades, which have no body. */
type BodyCase = SignatureCase<DeliveryRefusal> & { about: 'body' };

const { signatureToleranceSeconds } = limits;

const cases: readonly (SharedCase | BodyCase)[] = [
  {
    slug: 'refuses-missing-signature',
    what: 'without X-Svc-Signature',
    isUnreadable: true,
    spoil: forgedSignatures.noHeader,
  },
  {
    slug: 'refuses-empty-signature',
    what: 'with an empty X-Svc-Signature',
    isUnreadable: true,
    spoil: forgedSignatures.emptyHeader,
  },
  {
    slug: 'refuses-garbage-signature',
    what: 'with garbage in X-Svc-Signature',
    isUnreadable: true,
    spoil: forgedSignatures.garbage,
  },
  {
    slug: 'refuses-garbage-signature',
    what: 'whose t is not a number',
    isUnreadable: true,
    spoil: forgedSignatures.wordAsT,
  },
  {
    slug: 'refuses-garbage-signature',
    what: 'whose t and v1 are empty',
    isUnreadable: true,
    spoil: forgedSignatures.emptyTAndV1,
  },
  {
    slug: 'refuses-other-secret',
    what: 'signed with another secret',
    spoil: forgedSignatures.otherSecret,
  },
  {
    slug: 'refuses-other-secret',
    what: 'signed with an empty secret',
    spoil: forgedSignatures.emptySecret,
  },
  {
    about: 'body',
    slug: 'refuses-altered-body',
    what: 'whose body was changed after signing',
    spoil: forgedSignatures.changedDigitInBody,
  },
  {
    about: 'body',
    slug: 'refuses-altered-body',
    what: 'whose body got a line feed after signing',
    spoil: forgedSignatures.lineFeedAfterBody,
  },
  {
    slug: 'refuses-altered-timestamp',
    what: 'whose t was changed after signing',
    spoil: forgedSignatures.changedT,
  },
  {
    slug: 'refuses-stale-timestamp',
    what: 'signed more than 5 minutes ago',
    spoil: forgedSignatures.staleT,
  },
  {
    slug: 'refuses-stale-timestamp',
    what: 'signed a year ago',
    spoil: forgedSignatures.yearOldT,
  },
  {
    slug: 'refuses-future-timestamp',
    what: 'signed more than 5 minutes ahead',
    spoil: forgedSignatures.futureT,
  },
  {
    slug: 'refuses-short-v1',
    what: 'whose v1 lacks its last characters',
    isUnreadable: true,
    spoil: forgedSignatures.shortV1,
  },
  {
    slug: 'refuses-short-v1',
    what: 'whose v1 is empty',
    isUnreadable: true,
    spoil: forgedSignatures.emptyV1,
  },
  {
    slug: 'refuses-long-v1',
    what: 'whose v1 has characters after the signature',
    isUnreadable: true,
    spoil: forgedSignatures.longV1,
  },
  {
    slug: 'refuses-non-hex-v1',
    what: 'whose v1 is not hex',
    isUnreadable: true,
    spoil: forgedSignatures.noHexInV1,
  },
  {
    slug: 'refuses-non-hex-v1',
    what: 'whose v1 begins like the signature and continues with characters that are not hex',
    isUnreadable: true,
    spoil: forgedSignatures.noHexInSecondHalf,
  },
  {
    slug: 'refuses-non-ascii-signature',
    what: 'whose v1 has characters beyond ASCII',
    refusedByServers: true,
    isUnreadable: true,
    spoil: forgedSignatures.nonAsciiV1,
  },
  {
    slug: 'refuses-timestamp-only',
    what: 'with t but without v1',
    isUnreadable: true,
    spoil: forgedSignatures.tOnly,
  },
  {
    slug: 'refuses-v1-only',
    what: 'with v1 but without t',
    isUnreadable: true,
    spoil: forgedSignatures.v1Only,
  },
  {
    slug: 'refuses-v1-only',
    what: 'signed over an empty t, with v1 only',
    isUnreadable: true,
    spoil: forgedSignatures.v1OverEmptyT,
  },
  {
    slug: 'refuses-signature-without-timestamp',
    what: { delivery: 'signed over the body alone, without t', call: 'signed over the call id alone, without t' },
    spoil: forgedSignatures.contentWithoutT,
  },
  {
    about: 'body',
    slug: 'refuses-reserialised-body',
    what: 'signed over another serialisation of the same JSON',
    spoil: forgedSignatures.reserialisedBody,
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

/**
 * All invalid signatures of a call: those that deliveries have too, then those specific to a signature over the call
 * id.
 */
export const badCallSignatures: readonly BadCallSignature[] = [
  ...badSignatures('call'),
  {
    slug: 'refuses-other-call-id',
    what: 'a call with the signature of an earlier call, as it was',
    spoil: (correct, { earlierSignature }) => withEarlierSignature(correct, earlierSignature),
  },
  {
    slug: 'refuses-other-call-id',
    what: 'a call signed over the id of an earlier call',
    spoil: (correct, { earlierCallId }) => correct.with({ signed: Buffer.from(earlierCallId, 'utf8') }),
  },
  {
    slug: 'refuses-other-call-id',
    what: "a call signed over another call's id",
    spoil: forgedSignatures.reversedCallId,
  },
  {
    slug: 'refuses-other-call-id',
    what: 'a call signed over an id that differs from its own at the end',
    spoil: forgedSignatures.callIdWithOtherEnd,
  },
  {
    slug: 'refuses-signature-over-body',
    what: 'a call signed over t and its empty body',
    spoil: forgedSignatures.tWithoutContent,
  },
  {
    slug: 'refuses-signature-over-path',
    what: 'a call signed over t and the path of the address',
    spoil: forgedSignatures.path,
  },
  // A missing header, interpolated into a string.
  ...Object.entries(missingHeaderTexts).map(([language, text]): BadCallSignature => ({
    slug: 'refuses-call-without-id',
    what: `a call without X-Svc-Call-Id, signed over what ${language} writes for nothing`,
    spoil: (correct) => signedOverMissingCallId(correct, text),
  })),
  {
    slug: 'refuses-missing-call-id',
    what: 'a call without X-Svc-Call-Id, signed over the id it would have had',
    spoil: forgedSignatures.noCallId,
  },
  {
    slug: 'refuses-call-without-id',
    what: 'a call without X-Svc-Call-Id, signed over an empty id',
    spoil: forgedSignatures.noCallIdEmptySigned,
  },
  ...wrongSecrets.map(({ slug, what, spoil }): BadCallSignature => ({ slug, what: `a call ${what}`, spoil })),
];

/** Those that the interface forbids. Whether an endpoint refuses the others, and how, is its own choice. */
export const forbiddenCallSignatures = badCallSignatures.filter(
  ({ slug }) => requirements[`own-ai-phone/${slug}`].level === 'must',
);

/** Seconds off the real time at which a signature is still inside the tolerance, both ways. */
export const insideTolerance = [-1, 1].map((side) => side * (signatureToleranceSeconds - clockMarginSeconds));
