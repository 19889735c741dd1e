import type { Cause } from '../cause.ts';

const signed = ['own-ai-chat', 'own-ai-phone', 'api-webhooks'] as const;
const withBody = ['own-ai-chat', 'api-webhooks'] as const;

/** What somebody sees whose endpoint accepts too much. */
const nothingWrong = 'Everything works; a check or an audit says that wrong signatures are accepted.';

const rules = {
  section: 'Authentication',
  snippet: 'verify-signature',
} as const;

/** Causes about wrong signatures that are accepted. */
export const signatureWeakCauses = {
  'signature/not-checked': {
    ...rules,
    surfaces: signed,
    symptom: nothingWrong,
    summary:
      'A delivery with a wrong signature, or with none, is answered as the right one is: signatures are not checked, or what does not fit is dropped without a word.',
    detection:
      'A delivery without a signature, one with garbage in the header and one with a wrong signature are all accepted as the right one is.',
    remediation:
      'Verify X-Svc-Signature before anything else is done with a delivery, and answer 401 when it does not fit: with a 2xx nobody learns that a secret is wrong. See that the verification is not switched off by a setting of this environment.',
  },
  'signature/presence-only': {
    ...rules,
    surfaces: signed,
    symptom: nothingWrong,
    summary:
      'Only the presence of the signature header is checked, or else what does not fit is accepted and dropped without a word.',
    detection: 'A delivery without the header is refused, and any text in the header is accepted.',
    remediation:
      'Compute the signature yourself from the secret, t and the raw body (for a call: the call id), and compare it with v1.',
  },
  'signature/form-only': {
    ...rules,
    surfaces: signed,
    symptom: nothingWrong,
    summary: 'Only the form of the signature header is checked: neither its value nor its time counts.',
    detection: 'Garbage is refused, and a header of the right form with a wrong value and an old t is accepted.',
    remediation:
      'Compute the signature yourself from the secret, t and the raw body (for a call: the call id), compare it with v1, and hold t against your clock.',
  },
  'signature/only-t-checked': {
    ...rules,
    surfaces: signed,
    symptom: nothingWrong,
    summary: 'Only the time in the signature header is checked; its value is compared with nothing.',
    detection: 'A wrong value with a fresh t is accepted, and the same with an old t is refused.',
    remediation:
      'Compute the signature yourself from the secret, t and the raw body (for a call: the call id), and compare it with v1. See whether the result of the comparison is used.',
  },
  'signature/checked-only-when-sent': {
    ...rules,
    surfaces: signed,
    symptom: nothingWrong,
    summary: 'The signature is checked only when there is one: a delivery without the header is accepted.',
    detection: 'A wrong signature is refused, and a delivery without X-Svc-Signature is accepted.',
    remediation: 'Refuse with 401 when the header is missing.',
  },
  'signature/empty-accepted': {
    ...rules,
    surfaces: signed,
    symptom: nothingWrong,
    summary: 'An empty signature header counts as nothing to check, and the delivery is accepted.',
    detection: 'Wrong and missing signatures are refused, and an empty X-Svc-Signature is accepted.',
    remediation: 'Refuse with 401 when the header is empty, as when it is missing.',
  },
  'signature/unreadable-accepted': {
    ...rules,
    surfaces: signed,
    symptom: nothingWrong,
    summary: 'A signature header that cannot be read is let through.',
    detection: 'A wrong signature is refused, and a header without t and v1 is accepted.',
    remediation:
      'Refuse with 401 when the header has no t or no v1; see that an exception while reading it leads there too.',
  },
  'signature/v1-optional': {
    ...rules,
    surfaces: signed,
    symptom: nothingWrong,
    summary: 'A signature header with t alone is accepted: v1 is compared only when it is there.',
    detection: 'A wrong v1 is refused, and a header without v1 is accepted.',
    remediation: 'Refuse with 401 when the header has no v1.',
  },
  'signature/t-optional': {
    ...rules,
    surfaces: signed,
    symptom: nothingWrong,
    summary: 'A signature header with v1 alone is accepted: t is checked only when it is there.',
    detection: 'A wrong signature is refused, and a header without t is accepted.',
    remediation: 'Refuse with 401 when the header has no t.',
  },
  'signature/t-not-covered': {
    ...rules,
    surfaces: signed,
    symptom: nothingWrong,
    summary: 'The t of the header can be changed after signing, so an old delivery can be given a new time.',
    detection: 'A right signature whose t was changed by a second after signing is accepted.',
    remediation:
      'Put t, as the header has it, in front of what you sign: t, a dot, the raw body (for a call: the call id).',
  },
  'signature/body-not-covered': {
    ...rules,
    surfaces: withBody,
    symptom: nothingWrong,
    summary: 'A signature that was accepted once is accepted again with another body.',
    detection:
      'The signature of a delivery that was accepted is sent again with the body of another one, and accepted.',
    remediation:
      'Compute the signature of every delivery anew, over every byte of its body; do not keep signatures that were found right.',
  },
  'signature/call-id-not-covered': {
    ...rules,
    surfaces: ['own-ai-phone'],
    snippet: 'verify-call',
    symptom: nothingWrong,
    summary: 'The signature of one call is accepted for another.',
    detection: 'The signature of a call that was taken is sent again with another call id, and the call is taken.',
    remediation:
      'Compute the signature of every upgrade anew, over t, a dot and its own X-Svc-Call-Id; do not keep signatures that were found right.',
  },
  'signature/call-id-optional': {
    ...rules,
    surfaces: ['own-ai-phone'],
    snippet: 'verify-call',
    symptom: nothingWrong,
    summary: 'A call without X-Svc-Call-Id is taken.',
    detection: 'A call without the header is taken, signed over the id it would have had or over nothing.',
    remediation: 'Refuse the upgrade when X-Svc-Call-Id is missing or empty.',
  },
  'signature/first-characters-compared': {
    ...rules,
    surfaces: signed,
    symptom: nothingWrong,
    summary: 'Only the first characters of the signature are compared, which makes it easy to guess.',
    detection:
      'A signature that is right at its beginning and wrong behind it is accepted; halving finds how far it must be right.',
    remediation: 'Compare all 64 characters of v1, in constant time.',
  },
  'signature/as-far-as-sent': {
    ...rules,
    surfaces: signed,
    symptom: nothingWrong,
    summary: 'The signature is compared only as far as characters were sent, so a short one is enough.',
    detection:
      'A right signature without its last characters is accepted, and one with wrong last characters is refused.',
    remediation: 'Refuse with 401 when v1 has not exactly the length of the signature that you computed.',
  },
  'signature/more-after-it': {
    ...rules,
    surfaces: signed,
    symptom: nothingWrong,
    summary: 'A signature is accepted that goes on behind the right one.',
    detection: 'A right signature with further characters behind it is accepted.',
    remediation: 'Refuse with 401 when v1 has not exactly the length of the signature that you computed.',
  },
  'signature/hex-until-foreign': {
    ...rules,
    surfaces: signed,
    symptom: nothingWrong,
    summary: 'The signature is read as hex up to the first foreign character, and only what was read is compared.',
    detection: 'A signature whose second half is not a hex is accepted, and one with a wrong second half is refused.',
    remediation:
      'Compare the texts, or refuse v1 unless it is 64 hex characters; after decoding compare the lengths first.',
  },
  'signature/rewritten-body-accepted': {
    ...rules,
    surfaces: withBody,
    symptom: nothingWrong,
    summary:
      'In addition to the raw body the parsed and rewritten JSON is taken too, so bytes can be changed after signing.',
    detection:
      'A delivery is accepted whose white space was changed after signing, and one with another digit is refused.',
    remediation: 'Compute the signature over the raw bytes of the body and nothing else.',
  },
  'signature/trimmed-body-accepted': {
    ...rules,
    surfaces: withBody,
    symptom: nothingWrong,
    summary: 'White space at the end of the body is taken off before the signature is checked.',
    detection: 'A delivery is accepted that got a line feed after signing, and other changes are refused.',
    remediation: 'Compute the signature over the raw bytes of the body, before anything is read or trimmed.',
  },
  'signature/other-scheme-too': {
    ...rules,
    surfaces: signed,
    symptom: nothingWrong,
    summary: 'In addition to the right signature one of another scheme is accepted.',
    detection: 'Signatures made after the wrong schemes that are most common are sent; all must be refused.',
    remediation:
      'Take away every other way of checking: only the signature over t, a dot and the raw body (for a call: the call id) counts.',
  },
  'signature/other-secret-too': {
    ...rules,
    surfaces: signed,
    symptom: nothingWrong,
    summary: 'In addition to the right secret another one is accepted.',
    detection:
      'Signatures made with an empty secret, with the secret in another form or with the old one are sent; all must be refused.',
    remediation:
      'Use the one secret that is valid now, as UTF-8 text as it is. A secret that is not configured must not count as an empty one.',
  },
  'signature/ping-not-checked': {
    ...rules,
    surfaces: ['own-ai-chat'],
    symptom: nothingWrong,
    summary: 'The signature of a ping is not checked.',
    detection: 'A message with a wrong signature is refused, and a ping with a wrong signature is accepted.',
    remediation: 'Verify the signature before you look at X-Svc-Event or the type in the body.',
  },
  'signature/refused-with-2xx': {
    ...rules,
    surfaces: withBody,
    symptom: 'Deliveries count as delivered, and nothing happens; a check says that wrong signatures are accepted.',
    summary: 'A wrong signature is noticed, but the refusal is sent with a status that means success.',
    detection:
      'The answer to a wrong signature has a 2xx status and a body that speaks of an error; the answer to the right one has not.',
    remediation:
      'Send the refusal with status 401. Most often an error object is returned where the status has to be set as well.',
  },
} as const satisfies Record<`signature/${string}`, Cause>;
