import type { Requirement } from './requirement.ts';

/**
 * Requirements of the signature scheme on every receiver of signed deliveries. API webhooks and own-AI chat share the
 * scheme, so they share these entries; each case is a separate requirement so that one gap shows as one failure. A
 * refusal case fails only when the delivery is accepted (2xx); status and silence are judged by other entries.
 */
export const signedDelivery = {
  'accepts-valid-signature': {
    section: 'Authentication',
    probe: 'signature',
    level: 'must',
    statement: 'A delivery signed with the valid secret over its exact bytes, with the current time, is accepted.',
    remediation:
      'Compute hex HMAC-SHA256 with the secret as UTF-8 text over t, a full stop and the raw request body, and compare it with v1. Check that the configured secret is the one issued for this address.',
  },
  'refuses-missing-signature': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'A delivery without the X-Svc-Signature header is not accepted.',
    remediation:
      'Treat an absent header as a failed check before anything else runs; do not skip verification when there is nothing to verify.',
  },
  'refuses-empty-signature': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'A delivery whose X-Svc-Signature header is empty is not accepted.',
    remediation:
      'Parse the header first and refuse when it does not yield both t and v1; an empty string must not count as verified.',
  },
  'refuses-garbage-signature': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'A delivery whose signature header does not have the form t=…,v1=… is not accepted.',
    remediation:
      'Refuse whenever the header cannot be parsed into t and v1. Let the parsing error end in a refusal, not in a skipped check.',
  },
  'refuses-other-secret': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'A delivery signed with another secret is not accepted.',
    remediation:
      'Compare the value you computed with v1 and refuse on any difference. Check that verification is switched on in this environment and that only the current secret is trusted.',
  },
  'refuses-altered-body': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'A delivery whose body was changed after signing is not accepted.',
    remediation:
      'Feed the complete raw request body into the HMAC: read the bytes before any JSON parser or framework middleware consumes them, and omit no part of it.',
  },
  'refuses-altered-timestamp': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'A delivery whose t was changed after signing, though still recent, is not accepted.',
    remediation:
      'Put the t of the header, as text and followed by a full stop, in front of the body when computing the HMAC.',
  },
  'refuses-stale-timestamp': {
    section: 'Authentication',
    probe: 'window',
    level: 'must',
    statement: 'A correctly signed delivery whose t lies more than five minutes in the past is not accepted.',
    remediation:
      'After verifying v1, compare t (Unix seconds, not milliseconds) with the current time and refuse when it is more than 300 seconds older. Keep the machine clock synchronised.',
  },
  'refuses-future-timestamp': {
    section: 'Authentication',
    probe: 'window',
    level: 'must',
    statement: 'A correctly signed delivery whose t lies more than five minutes in the future is not accepted.',
    remediation:
      'Compare the absolute difference between t and now with 300 seconds; a test of now minus t alone lets any future time pass.',
  },
  'refuses-short-v1': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'A delivery whose v1 is only the beginning of the valid value is not accepted.',
    remediation:
      'Require that v1 has the full 64 hex digits before comparing; do not compare only as many bytes as were sent.',
  },
  'refuses-long-v1': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'A delivery whose v1 is the valid value followed by further digits is not accepted.',
    remediation:
      'Require that v1 has exactly 64 hex digits before comparing; do not cut it, and do not test only whether it starts with the expected value.',
  },
  'refuses-non-hex-v1': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'A delivery whose v1 has the expected length but is not hexadecimal is not accepted.',
    remediation:
      'Check v1 against 64 hex digits before decoding. Many hex decoders stop silently at the first foreign character and return fewer bytes.',
  },
  'refuses-non-ascii-signature': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'A delivery whose signature header contains characters outside ASCII is not accepted.',
    remediation:
      'Check the header against a strict ASCII pattern, and compare byte arrays of equal length rather than strings.',
  },
  'refuses-timestamp-only': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'A delivery whose signature header has only t is not accepted.',
    remediation:
      'Require v1 as well as t. A missing v1 must lead to a refusal and never to a comparison with an empty value.',
  },
  'refuses-v1-only': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'A delivery whose signature header has only v1 is not accepted.',
    remediation: 'Require t as well as v1; without t neither the signature nor the age of the delivery can be checked.',
  },
  'refuses-signature-without-timestamp': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'A delivery whose v1 covers the body alone, without t in front, is not accepted.',
    remediation:
      'Accept one signed text only: t, a full stop, the raw body. Remove any fallback to an HMAC over the body by itself.',
  },
  'refuses-reserialised-body': {
    section: 'Authentication',
    probe: 'signature',
    level: 'must',
    statement: 'A delivery whose signature fits the parsed and rewritten JSON but not the bytes sent is not accepted.',
    remediation:
      'Verify the raw bytes as they arrived, before parsing; never sign the output of a JSON serialiser. In most frameworks this needs a raw body option on the route.',
  },
  'accepts-timestamp-inside-tolerance': {
    section: 'Limits',
    probe: 'window',
    level: 'must',
    statement: 'A correctly signed delivery whose t is just less than five minutes off, either way, is accepted.',
    remediation:
      'Set the tolerance to 300 seconds in both directions, read t as seconds and compare in UTC; check that the machine clock is right.',
  },
  'accepts-any-wire-form': {
    section: 'Authentication',
    probe: 'signature',
    level: 'must',
    statement:
      'A signed body is accepted whichever way its JSON is written: white space, order of fields, escaped characters.',
    remediation:
      'Verify the bytes as received and read the content with a full JSON parser; depend neither on the order of fields nor on a compact form.',
  },
  'accepts-other-number-forms': {
    section: 'Authentication',
    probe: 'signature',
    level: 'advice',
    statement: 'Whole numbers written in another JSON form, such as 1.0 or 1e0, are read as the same numbers.',
    remediation:
      'Let the parser read any JSON number and turn it into an integer when its value is whole, instead of demanding digits only.',
  },
  'accepts-charset': {
    section: 'Authentication',
    probe: 'signature',
    level: 'should',
    statement: 'A signed delivery is accepted when its JSON content type also names the character set.',
    remediation:
      'Compare only the media type and ignore its parameters; application/json; charset=utf-8 is still JSON.',
  },
  'compares-in-constant-time': {
    section: 'Authentication',
    level: 'must',
    statement: 'The computed and the received signature are compared in constant time.',
    remediation:
      'Use the constant-time comparison of your platform (timingSafeEqual, hmac.compare_digest, hash_equals, MessageDigest.isEqual) on byte arrays of equal length.',
    unobservable: 'differences of nanoseconds are lost in network noise, so the code has to be read',
  },
} as const satisfies Record<string, Requirement>;
