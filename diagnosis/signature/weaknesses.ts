import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import type { Connection } from '../connection.ts';
import type { CauseId } from '../causes.ts';

/** An invalid request, and the cause if it is accepted although all earlier ones were refused. */
export interface Weakness {
  id: CauseId;
  /** Short description of the request. */
  label: string;
  /** The cause in one sentence, if more specific than the catalogue. */
  summary?: string;
  /** Requirements whose failed checks try this one first: slugs without the surface. */
  slugs: readonly string[];
  /** Invalidates a valid delivery or upgrade; `undefined` if not applicable to this connection. */
  spoil: (correct: SignedDelivery, connection: Connection) => SignedDelivery | undefined;
}

const callIdHeader = 'X-Svc-Call-Id';
const hexLength = 64;

/** A signature that differs in every character, so that no part matches by chance. */
export function withEveryDigitChanged(v1: string, from = 0): string {
  return (
    v1.slice(0, from) +
    [...v1.slice(from)].map((digit) => (digit === 'f' ? '0' : (parseInt(digit, 16) + 1).toString(16))).join('')
  );
}

/** A valid t with a value of which only the first characters are valid. */
export function validInFirst(characters: number): (correct: SignedDelivery) => SignedDelivery {
  return (correct) => correct.with({ write: (t, v1) => `t=${t},v1=${withEveryDigitChanged(v1, characters)}` });
}

/** Signed with another secret. */
function otherSecret(
  derive: (secret: string, connection: Connection) => string | Uint8Array | undefined,
): Weakness['spoil'] {
  return (correct, connection) => {
    const secret = derive(correct.secret, connection);
    return secret === undefined || secret === correct.secret ? undefined : correct.with({ secret });
  };
}

function withoutPrefix(secret: string): string | undefined {
  const rest = /^whsec_(.+)$/s.exec(secret)?.[1];
  return rest;
}

function ofDeliveries(spoil: (correct: SignedDelivery) => SignedDelivery): Weakness['spoil'] {
  return (correct, { surface }) => (surface === 'own-ai-phone' ? undefined : spoil(correct));
}

function ofCalls(spoil: (correct: SignedDelivery) => SignedDelivery): Weakness['spoil'] {
  return (correct, { surface }) => (surface === 'own-ai-phone' ? spoil(correct) : undefined);
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
    spoil: (correct) => correct.with({ write: () => undefined }),
  },
  {
    id: 'signature/empty-accepted',
    label: 'with an empty X-Svc-Signature',
    slugs: ['refuses-empty-signature'],
    spoil: (correct) => correct.with({ write: () => '' }),
  },
  {
    id: 'signature/unreadable-accepted',
    label: 'with garbage in X-Svc-Signature',
    slugs: ['refuses-garbage-signature'],
    spoil: (correct) => correct.with({ write: () => 'not-a-signature' }),
  },
  {
    id: 'signature/unreadable-accepted',
    label: 'with characters beyond ASCII in v1',
    summary: 'A signature with non-ASCII characters is accepted, usually because the comparison throws.',
    slugs: ['refuses-non-ascii-signature'],
    spoil: (correct) => correct.with({ write: (t, v1) => `t=${t},v1=${'é'.repeat(v1.length)}` }),
  },
  {
    id: 'signature/v1-optional',
    label: 'with t and without v1',
    slugs: ['refuses-timestamp-only'],
    spoil: (correct) => correct.with({ write: (t) => `t=${t}` }),
  },
  {
    id: 'signature/v1-optional',
    label: 'with t and an empty v1',
    summary: 'A signature header whose v1 is empty is accepted.',
    slugs: ['refuses-short-v1', 'refuses-timestamp-only'],
    spoil: (correct) => correct.with({ write: (t) => `t=${t},v1=` }),
  },
  {
    id: 'signature/t-optional',
    label: 'with v1 and without t',
    slugs: ['refuses-v1-only'],
    spoil: (correct) => correct.with({ write: (_, v1) => `v1=${v1}` }),
  },
  {
    id: 'signature/t-optional',
    label: 'signed over an empty t, with v1 alone',
    slugs: ['refuses-v1-only'],
    spoil: (correct) =>
      correct.with({ signedParts: (_, signed) => [Buffer.from('.'), signed], write: (_, v1) => `v1=${v1}` }),
  },
  {
    id: 'signature/t-not-covered',
    label: 'with t changed by a second after signing',
    slugs: ['refuses-altered-timestamp'],
    spoil: (correct) => correct.with({ write: (t, v1) => `t=${t - 1},v1=${v1}` }),
  },
  {
    id: 'signature/call-id-optional',
    label: 'without X-Svc-Call-Id, signed over the id it would have had',
    slugs: ['refuses-missing-call-id'],
    spoil: ofCalls((correct) => correct.withHeader(callIdHeader, undefined)),
  },
  {
    id: 'signature/call-id-optional',
    label: 'without X-Svc-Call-Id, signed over nothing',
    slugs: ['refuses-missing-call-id'],
    spoil: ofCalls((correct) => correct.withHeader(callIdHeader, undefined).with({ signed: new Uint8Array() })),
  },
  // The string that a missing header becomes in a template.
  ...['undefined', 'null', 'None'].map((word): Weakness => ({
    id: 'signature/call-id-optional',
    label: `without X-Svc-Call-Id, signed over ${word}`,
    slugs: ['refuses-missing-call-id'],
    spoil: ofCalls((correct) => correct.withHeader(callIdHeader, undefined).with({ signed: Buffer.from(word) })),
  })),
  {
    id: 'signature/first-characters-compared',
    label: 'wrong in the last character of v1',
    slugs: ['refuses-other-secret'],
    spoil: validInFirst(hexLength - 1),
  },
  {
    id: 'signature/hex-until-foreign',
    label: 'with no hex in the second half of v1',
    slugs: ['refuses-non-hex-v1'],
    spoil: (correct) =>
      correct.with({ write: (t, v1) => `t=${t},v1=${v1.slice(0, hexLength / 2)}${'z'.repeat(hexLength / 2)}` }),
  },
  {
    id: 'signature/as-far-as-sent',
    label: 'without the last characters of v1',
    slugs: ['refuses-short-v1'],
    spoil: (correct) => correct.with({ write: (t, v1) => `t=${t},v1=${v1.slice(0, -2)}` }),
  },
  {
    id: 'signature/more-after-it',
    label: 'with characters behind the right v1',
    slugs: ['refuses-long-v1'],
    spoil: (correct) => correct.with({ write: (t, v1) => `t=${t},v1=${v1}00` }),
  },
  {
    id: 'signature/rewritten-body-accepted',
    label: 'with other white space in the body than was signed',
    slugs: ['refuses-reserialised-body', 'refuses-altered-body'],
    spoil: ofDeliveries((correct) =>
      correct.with({ signed: correct.body }).withBody(Buffer.from(JSON.stringify(correct.event, null, 2), 'utf8')),
    ),
  },
  {
    id: 'signature/trimmed-body-accepted',
    label: 'with a line feed behind the body that was signed',
    slugs: ['refuses-altered-body'],
    spoil: ofDeliveries((correct) =>
      correct.withBodyChangedAfterSigning((body) => Buffer.concat([body, Buffer.from('\n')])),
    ),
  },
  {
    id: 'signature/other-scheme-too',
    label: 'signed over the content alone, without t',
    summary:
      'In addition to the valid signature, one without t in the signed content is accepted, so an old delivery can get a new time.',
    slugs: ['refuses-signature-without-timestamp'],
    spoil: (correct) => correct.with({ signedParts: (_, signed) => [signed] }),
  },
  {
    id: 'signature/other-scheme-too',
    label: 'signed over t and nothing else',
    summary:
      'In addition to the valid signature, one over t alone is accepted, which fits any delivery of that second.',
    slugs: ['refuses-signature-over-body'],
    spoil: (correct) => correct.with({ signed: new Uint8Array() }),
  },
  {
    id: 'signature/other-scheme-too',
    label: 'signed over the path of the address',
    summary: 'In addition to the valid signature, one over the path is accepted, which fits any call.',
    slugs: ['refuses-signature-over-path'],
    spoil: (correct, { surface, url }) => {
      const { pathname, search } = new URL(url);
      return surface === 'own-ai-phone' ? correct.with({ signed: Buffer.from(`${pathname}${search}`) }) : undefined;
    },
  },
  {
    id: 'signature/other-secret-too',
    label: 'signed with an empty secret',
    summary: 'In addition to the correct secret, an empty one is accepted, so anyone can sign.',
    slugs: ['refuses-other-secret'],
    spoil: otherSecret(() => ''),
  },
  {
    id: 'signature/other-secret-too',
    label: 'signed with the secret without whsec_',
    summary: 'In addition to the correct secret, the one without whsec_ is accepted.',
    slugs: ['refuses-stripped-secret'],
    spoil: otherSecret(withoutPrefix),
  },
  {
    id: 'signature/other-secret-too',
    label: 'signed with the secret after base64 decoding',
    summary: 'In addition to the correct secret, its base64-decoded form is accepted.',
    slugs: ['refuses-decoded-secret'],
    spoil: otherSecret((secret) => {
      const rest = withoutPrefix(secret);
      return rest === undefined ? undefined : Buffer.from(rest, 'base64');
    }),
  },
  {
    id: 'signature/ping-not-checked',
    label: 'with an invalid value, of a ping',
    slugs: ['refuses-ping-with-bad-signature'],
    spoil: (_, { surface, session }) =>
      surface === 'own-ai-chat' ? validInFirst(0)(session.chat.sign(session.sample.ping())) : undefined,
  },
];

/** Tried last: the signature of an accepted delivery, with another body or for another call. */
export const replays: readonly (Omit<Weakness, 'spoil'> & { ofCalls: boolean })[] = [
  {
    id: 'signature/body-not-covered',
    ofCalls: false,
    label: 'with the signature of an accepted one and another body',
    slugs: ['refuses-altered-body'],
  },
  {
    id: 'signature/call-id-not-covered',
    ofCalls: true,
    label: 'with the signature of an accepted one and another call id',
    slugs: ['refuses-other-call-id'],
  },
];
