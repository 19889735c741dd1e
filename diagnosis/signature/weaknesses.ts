import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import type { Connection } from '../connection.ts';
import type { CauseId } from '../causes.ts';
import {
  forgedSignatures,
  missingHeaderTexts,
  signedOverMissingCallId,
  withEarlierSignature,
} from '../../harness/wire/forged-signatures.ts';

/** An invalid request, and the cause if it is accepted although all earlier ones were refused. */
export interface Weakness {
  id: CauseId;
  /** Short description of the request. */
  label: string;
  /** The cause in one sentence, if more specific than the catalogue. */
  summary?: string;
  /** Requirements whose failed checks try this one first: slugs without the surface. */
  slugs: readonly string[];
  /** No check sends it, so that a run which meets the requirements says nothing about it. */
  isOwn?: true;
  /** Invalidates a valid delivery or upgrade; `undefined` if not applicable to this connection. */
  spoil: (correct: SignedDelivery, connection: Connection) => SignedDelivery | undefined;
}

const hexLength = 64;

/** A signature that differs in every character, so that no part matches by chance. */
export function withEveryDigitChanged(v1: string, from = 0): string {
  return (
    v1.slice(0, from) +
    [...v1.slice(from)].map((digit) => (digit === 'f' ? '0' : (parseInt(digit, 16) + 1).toString(16))).join('')
  );
}

/** A valid t with a value of which only the first characters are valid. */
export function validPrefix(characters: number): (correct: SignedDelivery) => SignedDelivery {
  return (correct) => correct.with({ write: (t, v1) => `t=${t},v1=${withEveryDigitChanged(v1, characters)}` });
}

function ofDeliveries(spoil: Weakness['spoil']): Weakness['spoil'] {
  return (correct, connection) => (connection.surface === 'own-ai-phone' ? undefined : spoil(correct, connection));
}

function ofCalls(spoil: Weakness['spoil']): Weakness['spoil'] {
  return (correct, connection) => (connection.surface === 'own-ai-phone' ? spoil(correct, connection) : undefined);
}

/**
 * Tried when a valid signature is accepted and an invalid value refused: general weaknesses before specific ones, so that
 * the first accepted one is the cause.
 */
export const weaknesses: readonly Weakness[] = [
  {
    id: 'signature/checked-only-when-sent',
    label: 'without X-Svc-Signature',
    slugs: ['refuses-missing-signature'],
    spoil: forgedSignatures.noHeader,
  },
  {
    id: 'signature/empty-accepted',
    label: 'with an empty X-Svc-Signature',
    slugs: ['refuses-empty-signature'],
    spoil: forgedSignatures.emptyHeader,
  },
  {
    id: 'signature/unreadable-accepted',
    label: 'with garbage in X-Svc-Signature',
    slugs: ['refuses-garbage-signature'],
    spoil: forgedSignatures.garbage,
  },
  {
    id: 'signature/unreadable-accepted',
    label: 'with characters beyond ASCII in v1',
    summary: 'A signature with non-ASCII characters is accepted, usually because the comparison throws.',
    slugs: ['refuses-non-ascii-signature'],
    spoil: forgedSignatures.nonAsciiV1,
  },
  {
    id: 'signature/v1-optional',
    label: 'with t and without v1',
    slugs: ['refuses-timestamp-only'],
    spoil: forgedSignatures.tOnly,
  },
  {
    id: 'signature/v1-optional',
    label: 'with t and an empty v1',
    summary: 'A signature header whose v1 is empty is accepted.',
    slugs: ['refuses-short-v1', 'refuses-timestamp-only'],
    spoil: forgedSignatures.emptyV1,
  },
  {
    id: 'signature/t-optional',
    label: 'with v1 and without t',
    slugs: ['refuses-v1-only'],
    spoil: forgedSignatures.v1Only,
  },
  {
    id: 'signature/t-optional',
    label: 'signed over an empty t, with v1 alone',
    slugs: ['refuses-v1-only'],
    spoil: forgedSignatures.v1OverEmptyT,
  },
  {
    id: 'signature/t-not-covered',
    label: 'with t changed by a second after signing',
    slugs: ['refuses-altered-timestamp'],
    spoil: forgedSignatures.changedT,
  },
  {
    id: 'signature/call-id-optional',
    label: 'without X-Svc-Call-Id, signed over the id it would have had',
    slugs: ['refuses-missing-call-id'],
    spoil: ofCalls(forgedSignatures.noCallId),
  },
  {
    id: 'signature/call-id-optional',
    label: 'without X-Svc-Call-Id, signed over nothing',
    slugs: ['refuses-call-without-id'],
    spoil: ofCalls(forgedSignatures.noCallIdEmptySigned),
  },
  // The string that a missing header becomes in a template.
  ...Object.values(missingHeaderTexts).map((word): Weakness => ({
    id: 'signature/call-id-optional',
    label: `without X-Svc-Call-Id, signed over ${word}`,
    slugs: ['refuses-call-without-id'],
    spoil: ofCalls((correct) => signedOverMissingCallId(correct, word)),
  })),
  {
    id: 'signature/first-characters-compared',
    label: 'with a different last character of v1',
    slugs: ['refuses-other-secret'],
    isOwn: true,
    spoil: validPrefix(hexLength - 1),
  },
  {
    id: 'signature/hex-until-foreign',
    label: 'with no hex in the second half of v1',
    slugs: ['refuses-non-hex-v1'],
    spoil: forgedSignatures.noHexInSecondHalf,
  },
  {
    id: 'signature/as-far-as-sent',
    label: 'without the last characters of v1',
    slugs: ['refuses-short-v1'],
    spoil: forgedSignatures.shortV1,
  },
  {
    id: 'signature/more-after-it',
    label: 'with additional characters after the valid v1',
    slugs: ['refuses-long-v1'],
    spoil: forgedSignatures.longV1,
  },
  {
    id: 'signature/rewritten-body-accepted',
    label: 'with other white space in the body than was signed',
    slugs: ['refuses-reserialised-body', 'refuses-altered-body'],
    spoil: ofDeliveries(forgedSignatures.reserialisedBody),
  },
  {
    id: 'signature/trimmed-body-accepted',
    label: 'with a line feed after the signed body',
    slugs: ['refuses-altered-body'],
    spoil: ofDeliveries(forgedSignatures.lineFeedAfterBody),
  },
  {
    id: 'signature/other-scheme-too',
    label: 'signed over the content alone, without t',
    summary:
      'In addition to the valid signature, one without t in the signed content is accepted, so an old delivery can get a new time.',
    slugs: ['refuses-signature-without-timestamp'],
    spoil: forgedSignatures.contentWithoutT,
  },
  {
    id: 'signature/other-scheme-too',
    label: 'signed over t and nothing else',
    summary:
      'In addition to the valid signature, one over t alone is accepted, which fits any delivery of that second.',
    slugs: ['refuses-signature-over-body'],
    spoil: forgedSignatures.tWithoutContent,
  },
  {
    id: 'signature/other-scheme-too',
    label: 'signed over the path of the address',
    summary: 'In addition to the valid signature, one over the path is accepted, which fits any call.',
    slugs: ['refuses-signature-over-path'],
    spoil: ofCalls(forgedSignatures.path),
  },
  {
    id: 'signature/other-secret-too',
    label: 'signed with an empty secret',
    summary: 'In addition to the correct secret, an empty one is accepted, so anyone can sign.',
    slugs: ['refuses-other-secret'],
    spoil: forgedSignatures.emptySecret,
  },
  {
    id: 'signature/other-secret-too',
    label: 'signed with the secret without whsec_',
    summary: 'In addition to the correct secret, the one without whsec_ is accepted.',
    slugs: ['refuses-stripped-secret'],
    spoil: forgedSignatures.strippedSecret,
  },
  {
    id: 'signature/other-secret-too',
    label: 'signed with the secret after base64 decoding',
    summary: 'In addition to the correct secret, its base64-decoded form is accepted.',
    slugs: ['refuses-decoded-secret'],
    spoil: forgedSignatures.decodedSecret,
  },
  {
    id: 'signature/ping-not-checked',
    label: 'with an invalid value, of a ping',
    slugs: ['refuses-ping-with-bad-signature'],
    spoil: (_, { surface, session }) =>
      surface === 'own-ai-chat' ? validPrefix(0)(session.chat.sign(session.sample.ping())) : undefined,
  },
];

/** A valid delivery or call that was accepted, and its signature header as sent. */
export interface Accepted {
  delivery: SignedDelivery;
  signature: string | undefined;
}

/** A request that repeats a part of an accepted one. */
export interface Replay extends Omit<Weakness, 'spoil'> {
  ofCalls: boolean;
  replay: (another: SignedDelivery, accepted: Accepted) => SignedDelivery;
}

/** Tried last, since they need an accepted delivery or call. */
export const replays: readonly Replay[] = [
  {
    id: 'signature/body-not-covered',
    ofCalls: false,
    label: 'with the signature of an accepted one and another body',
    slugs: ['refuses-altered-body'],
    replay: (another, { signature }) => withEarlierSignature(another, signature),
  },
  {
    id: 'signature/call-id-not-covered',
    ofCalls: true,
    label: 'with the signature of an accepted one and another call id',
    slugs: ['refuses-other-call-id'],
    replay: (another, { signature }) => withEarlierSignature(another, signature),
  },
  {
    id: 'signature/repetition-not-verified',
    ofCalls: false,
    label: 'that repeats an accepted one, with an invalid value',
    slugs: ['refuses-other-secret'],
    replay: (_, { delivery }) => validPrefix(0)(delivery),
  },
];
