import type { Cause } from '../cause.ts';
import { signedSurfaces } from '../../specs/surfaces.ts';
import { everyRefusal } from '../explained-requirements.ts';

const withBody = ['own-ai-chat', 'api-webhooks'] as const;

const nothingWrong = 'Everything works, but a check or an audit reports that invalid signatures are accepted.';

const rules = {
  section: 'Authentication',
  snippet: 'verify-signature',
} as const;

/** Causes of invalid signatures that are accepted. */
export const signatureWeakCauses = {
  'signature/not-checked': {
    explains: everyRefusal,
    ...rules,
    surfaces: signedSurfaces,
    symptom: nothingWrong,
    summary:
      'The endpoint accepts deliveries with an invalid signature or none, at least after a valid one was accepted: it does not verify signatures, or ignores mismatches silently.',
    detection:
      'Accepted like the valid delivery, and after it: one without a signature, one with garbage in the header and one with an invalid signature.',
    remediation:
      'Verify X-Svc-Signature before you process a delivery or accept an upgrade, and answer 401 if it does not match. Check that the result of the verification is used (in JavaScript, the promise of an async function is always true until it is awaited), and that no setting of this environment disables it.',
  },
  'signature/presence-only': {
    explains: /^refuses-(?!missing)/,
    ...rules,
    surfaces: signedSurfaces,
    symptom: nothingWrong,
    summary:
      'The endpoint only checks that the signature header is present, or accepts mismatches and ignores them silently.',
    detection: 'Accepted: any value in the header. Rejected: a delivery without the header.',
    remediation:
      'Compute the signature yourself from the secret, t and the raw body (for a call: the call id), and compare it with v1.',
  },
  'signature/form-only': {
    explains: everyRefusal,
    ...rules,
    surfaces: signedSurfaces,
    symptom: nothingWrong,
    summary: 'The endpoint only checks the form of the signature header, neither its value nor its time.',
    detection: 'Accepted: a header of the correct form with a wrong value and an old t. Rejected: garbage.',
    remediation:
      'Compute the signature yourself from the secret, t and the raw body (for a call: the call id), compare it with v1, and compare t with your clock.',
  },
  'signature/only-t-checked': {
    explains: everyRefusal,
    ...rules,
    surfaces: signedSurfaces,
    symptom: nothingWrong,
    summary: 'The endpoint only checks the time in the signature header, not its value.',
    detection: 'Accepted: a wrong value with a fresh t. Rejected: the same value with an old t.',
    remediation:
      'Compute the signature yourself from the secret, t and the raw body (for a call: the call id), and compare it with v1. Check that the result of the comparison is used.',
  },
  'signature/checked-only-when-sent': {
    ...rules,
    surfaces: signedSurfaces,
    symptom: nothingWrong,
    summary: 'The endpoint verifies the signature only if there is one: it accepts a delivery without the header.',
    detection: 'Accepted: a delivery without X-Svc-Signature. Rejected: an invalid signature.',
    remediation: 'Reject with 401 if the header is missing.',
  },
  'signature/empty-accepted': {
    ...rules,
    surfaces: signedSurfaces,
    symptom: nothingWrong,
    summary: 'The endpoint skips the verification if the signature header is empty, and accepts the delivery.',
    detection: 'Accepted: an empty X-Svc-Signature. Rejected: invalid and missing signatures.',
    remediation: 'Reject with 401 if the header is empty, as if it were missing.',
  },
  'signature/unreadable-accepted': {
    ...rules,
    surfaces: signedSurfaces,
    symptom: nothingWrong,
    summary: 'The endpoint accepts a signature header that it cannot parse.',
    detection: 'Accepted: a header without t and v1. Rejected: an invalid signature.',
    remediation:
      'Reject with 401 if the header has no t or no v1; check that an exception while parsing it also ends in a 401.',
  },
  'signature/v1-optional': {
    ...rules,
    surfaces: signedSurfaces,
    symptom: nothingWrong,
    summary: 'The endpoint accepts a signature header with t alone: it compares v1 only if it is present.',
    detection: 'Accepted: a header without v1. Rejected: a wrong v1.',
    remediation: 'Reject with 401 if the header has no v1.',
  },
  'signature/t-optional': {
    ...rules,
    surfaces: signedSurfaces,
    symptom: nothingWrong,
    summary: 'The endpoint accepts a signature header with v1 alone: it checks t only if it is present.',
    detection: 'Accepted: a header without t. Rejected: an invalid signature.',
    remediation: 'Reject with 401 if the header has no t.',
  },
  'signature/t-not-covered': {
    ...rules,
    surfaces: signedSurfaces,
    symptom: nothingWrong,
    summary: 'The endpoint accepts a t that was changed after signing, so an old delivery can be given a new time.',
    detection: 'Accepted: a valid signature whose t was changed by a second after signing.',
    remediation:
      'Put t, as received in the header, at the beginning of the signed content: t, a dot, the raw body (for a call: the call id).',
  },
  'signature/body-not-covered': {
    ...rules,
    surfaces: withBody,
    symptom: nothingWrong,
    summary: 'The endpoint accepts a previously accepted signature with another body.',
    detection: 'Accepted: the signature of an accepted delivery together with the body of another one.',
    remediation:
      'Compute the signature of every delivery again, over every byte of its body; do not cache valid signatures.',
  },
  'signature/repetition-not-verified': {
    ...rules,
    surfaces: withBody,
    symptom: nothingWrong,
    summary:
      'The endpoint accepts a delivery that repeats an accepted one, whatever its signature: it answers a repetition before it verifies the signature.',
    detection:
      'Accepted: an accepted delivery, repeated with an invalid signature. Rejected: new ones with an invalid signature.',
    remediation:
      'Verify the signature first, and only then look up the id of the delivery, so that a repetition with an invalid signature also gets 401.',
  },
  'signature/call-id-not-covered': {
    ...rules,
    surfaces: ['own-ai-phone'],
    snippet: 'verify-call',
    symptom: nothingWrong,
    summary: 'The endpoint accepts the signature of one call for another call.',
    detection: 'Accepted: the signature of an accepted call together with another call id.',
    remediation:
      'Compute the signature of every upgrade again, over t, a dot and its own X-Svc-Call-Id; do not cache valid signatures.',
  },
  'signature/call-id-optional': {
    ...rules,
    surfaces: ['own-ai-phone'],
    snippet: 'verify-call',
    symptom: nothingWrong,
    summary: 'The endpoint accepts a call without X-Svc-Call-Id.',
    detection: 'Accepted: a call without the header, signed over its call id or over an empty string.',
    remediation: 'Reject the upgrade if X-Svc-Call-Id is missing or empty.',
  },
  'signature/first-characters-compared': {
    explains: /^refuses-(?:other-secret|short-v1|long-v1|non-hex-v1)/,
    ...rules,
    surfaces: signedSurfaces,
    symptom: nothingWrong,
    summary: 'The endpoint compares only the first characters of the signature, which makes it easy to guess.',
    detection:
      'Accepted: a signature that is valid only at its beginning; halving finds how many characters are compared.',
    remediation: 'Compare all 64 characters of v1, in constant time.',
  },
  'signature/as-far-as-sent': {
    ...rules,
    surfaces: signedSurfaces,
    symptom: nothingWrong,
    summary:
      'The endpoint compares the signature only up to the length of the one that was sent, so a short one is enough.',
    detection: 'Accepted: a valid signature without its last characters. Rejected: one with wrong last characters.',
    remediation: 'Reject with 401 if the length of v1 differs from the signature that you computed.',
  },
  'signature/more-after-it': {
    ...rules,
    surfaces: signedSurfaces,
    symptom: nothingWrong,
    summary: 'The endpoint accepts a valid signature followed by additional characters.',
    detection: 'Accepted: a valid signature with additional characters after it.',
    remediation: 'Reject with 401 if the length of v1 differs from the signature that you computed.',
  },
  'signature/hex-until-foreign': {
    ...rules,
    surfaces: signedSurfaces,
    symptom: nothingWrong,
    summary:
      'The endpoint decodes the signature as hex up to the first invalid character, and compares only that part.',
    detection: 'Accepted: a signature whose second half is not hex. Rejected: one with a wrong second half.',
    remediation:
      'Compare the strings, or reject v1 unless it has exactly 64 hex characters; if you decode it, compare the lengths first.',
  },
  'signature/rewritten-body-accepted': {
    ...rules,
    surfaces: withBody,
    symptom: nothingWrong,
    summary: 'The endpoint accepts a signature over the re-serialised JSON, so bytes can be changed after signing.',
    detection: 'Accepted: a delivery whose white space was changed after signing. Rejected: one with a changed digit.',
    remediation: 'Compute the signature only over the raw bytes of the body.',
  },
  'signature/trimmed-body-accepted': {
    ...rules,
    surfaces: withBody,
    symptom: nothingWrong,
    summary: 'The endpoint removes white space at the end of the body before it verifies the signature.',
    detection: 'Accepted: a delivery with a line feed added after signing. Rejected: other changes.',
    remediation: 'Compute the signature over the raw bytes of the body, before it is parsed or trimmed.',
  },
  'signature/other-scheme-too': {
    ...rules,
    surfaces: signedSurfaces,
    symptom: nothingWrong,
    summary: 'The endpoint accepts signatures of another scheme in addition to the valid one.',
    detection: 'Signatures of the most common wrong schemes are sent; all must be rejected.',
    remediation:
      'Remove all other ways of verification: only the signature over t, a dot and the raw body (for a call: the call id) is valid.',
  },
  'signature/other-secret-too': {
    ...rules,
    surfaces: signedSurfaces,
    symptom: nothingWrong,
    summary: 'The endpoint accepts signatures with another secret in addition to the valid one.',
    detection:
      'Signatures with an empty secret, another form of the secret or the previous secret are sent; all must be rejected.',
    remediation:
      'Use only the current secret, unchanged, as UTF-8 bytes. Do not treat a secret that is not configured as an empty one.',
  },
  'signature/ping-not-checked': {
    ...rules,
    surfaces: ['own-ai-chat'],
    symptom: nothingWrong,
    summary: 'The endpoint does not verify the signature of a ping.',
    detection: 'Accepted: a ping with an invalid signature. Rejected: a message with an invalid signature.',
    remediation: 'Verify the signature before you check X-Svc-Event or the type in the body.',
  },
  'signature/refused-with-2xx': {
    explains: everyRefusal,
    ...rules,
    surfaces: withBody,
    symptom:
      'Deliveries count as delivered, but nothing happens; a check reports that invalid signatures are accepted.',
    summary: 'The endpoint detects an invalid signature, but rejects it with a success status.',
    detection:
      'The answer to an invalid signature has a 2xx status and a body with an error; the answer to the valid one has no error.',
    remediation:
      'Send the rejection with status 401. Usually the code returns an error object without setting the status.',
  },
  'signature/refused-with-another-status': {
    explains: /^refuses-with-401/,
    ...rules,
    surfaces: withBody,
    symptom: 'Everything works, but a check reports that invalid signatures are not refused with 401.',
    summary: 'The endpoint rejects invalid signatures with a status other than 401.',
    detection:
      'Accepted: the valid signature. Invalid ones get a status other than 401; a 5xx counts only if a plainly invalid value gets one as well.',
    remediation:
      'Answer 401 from every branch of the verification: a missing, unreadable, invalid or stale signature alike.',
  },
  'signature/wrong-signature-breaks': {
    explains: everyRefusal,
    ...rules,
    surfaces: withBody,
    symptom: 'Everything works, but the log has exceptions from the verification, or a check reports a 5xx status.',
    summary: 'The endpoint fails on some invalid signatures instead of rejecting them.',
    detection: 'Accepted: the valid signature. An invalid, short or missing one gets a 5xx status or no answer, twice.',
    remediation:
      'Test that the header is present and that v1 has 64 characters before you compare: crypto.timingSafeEqual and similar functions throw on unequal lengths. Answer 401 then.',
  },
} as const satisfies Record<`signature/${string}`, Cause>;
