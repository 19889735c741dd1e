import type { Requirement } from './requirement.ts';

/**
 * Requirements on the receiver of a phone call until the connection is established. The signature covers the call id,
 * as an upgrade has no body. A `refuses-…` case fails only when the connection is established and the call continues:
 * the AI sends a frame or stays on the line for the time of a set-up. Only `refuses-with-4xx` judges the form of a
 * refusal.
 */
export const ownAiPhoneUpgrade = {
  'own-ai-phone/accepts-valid-signature': {
    section: 'Authentication',
    probe: 'signature',
    level: 'must',
    statement: 'An upgrade signed with the valid secret over its call id, with the current time, is accepted.',
    remediation:
      'Compute hex HMAC-SHA256 with the secret as UTF-8 text over t, a full stop and the value of X-Svc-Call-Id, compare it with v1, and answer 101. Check that the configured secret is the one of this assistant.',
  },
  'own-ai-phone/connects-within-5-seconds': {
    section: 'Limits',
    probe: 'call',
    level: 'must',
    statement:
      'The connection is established within 5 seconds of being dialled. Otherwise the caller leaves a message. This is the only limit on waiting that the interface sets for a call.',
    remediation:
      'Answer the upgrade as soon as the signature is verified, and load the model, the customer or the prompt after it. Keep a warm instance, since a cold start counts too.',
  },
  'own-ai-phone/accepts-timestamp-inside-tolerance': {
    section: 'Limits',
    probe: 'window',
    level: 'must',
    statement: 'A correctly signed upgrade whose t is just less than five minutes off, either way, is accepted.',
    remediation:
      'Allow 300 seconds in both directions, read t as seconds and compare in UTC; check that the machine clock is right.',
  },
  'own-ai-phone/refuses-missing-signature': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'An upgrade without the X-Svc-Signature header does not lead to a call.',
    remediation:
      'Verify in the upgrade handler, before the WebSocket library accepts the connection, and treat an absent header as a failed check. A check in the HTTP middleware is often not run for upgrades.',
  },
  'own-ai-phone/refuses-empty-signature': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'An upgrade whose X-Svc-Signature header is empty does not lead to a call.',
    remediation:
      'Parse the header first and refuse when it does not yield both t and v1; an empty string must not count as verified.',
  },
  'own-ai-phone/refuses-garbage-signature': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'An upgrade whose signature header does not have the form t=…,v1=… does not lead to a call.',
    remediation:
      'Refuse whenever the header cannot be parsed into t and v1. Let the parsing error end in a refusal, not in a skipped check.',
  },
  'own-ai-phone/refuses-other-secret': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'An upgrade signed with another secret does not lead to a call.',
    remediation:
      'Compare the value you computed with v1 and refuse on any difference. Check that verification is switched on in this environment and that only the current secret is trusted.',
  },
  'own-ai-phone/refuses-decoded-secret': {
    section: 'Authentication',
    probe: 'signature',
    level: 'must',
    statement: 'An upgrade signed with the base64-decoded secret does not lead to a call: the secret is used as text.',
    remediation:
      'Use the UTF-8 bytes of the whole secret as the HMAC key, and remove base64 decoding that some webhook libraries do by default.',
  },
  'own-ai-phone/refuses-stripped-secret': {
    section: 'Authentication',
    probe: 'signature',
    level: 'must',
    statement: 'An upgrade signed with the secret without its whsec_ beginning does not lead to a call.',
    remediation: 'Use the secret as it was issued, with whsec_ in front, as the HMAC key.',
  },
  'own-ai-phone/refuses-other-call-id': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: "An upgrade whose signature was made over another call's id does not lead to a call.",
    remediation:
      'Take the call id for the HMAC from X-Svc-Call-Id of the request that is verified, and omit no part of it; otherwise one recorded signature opens other calls.',
  },
  'own-ai-phone/refuses-altered-timestamp': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'An upgrade whose t was changed after signing, though still recent, does not lead to a call.',
    remediation:
      'Put the t of the header, as text and followed by a full stop, in front of the call id when computing the HMAC.',
  },
  'own-ai-phone/refuses-stale-timestamp': {
    section: 'Authentication',
    probe: 'window',
    level: 'must',
    statement: 'A correctly signed upgrade whose t lies more than five minutes in the past does not lead to a call.',
    remediation:
      'After verifying v1, compare t (Unix seconds, not milliseconds) with the current time and refuse when it is more than 300 seconds older. Keep the machine clock synchronised.',
  },
  'own-ai-phone/refuses-future-timestamp': {
    section: 'Authentication',
    probe: 'window',
    level: 'must',
    statement: 'A correctly signed upgrade whose t lies more than five minutes in the future does not lead to a call.',
    remediation:
      'Compare the absolute difference between t and now with 300 seconds; a test of now minus t alone lets any future time pass.',
  },
  'own-ai-phone/refuses-short-v1': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'An upgrade whose v1 is only the beginning of the valid value does not lead to a call.',
    remediation:
      'Require that v1 has the full 64 hex digits before comparing; do not compare only as many bytes as were sent.',
  },
  'own-ai-phone/refuses-long-v1': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'An upgrade whose v1 is the valid value followed by further digits does not lead to a call.',
    remediation:
      'Require that v1 has exactly 64 hex digits before comparing; do not cut it, and do not test only whether it starts with the expected value.',
  },
  'own-ai-phone/refuses-non-hex-v1': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'An upgrade whose v1 has the expected length but is not hexadecimal does not lead to a call.',
    remediation:
      'Check v1 against 64 hex digits before decoding. Many hex decoders stop silently at the first foreign character and return fewer bytes.',
  },
  'own-ai-phone/refuses-non-ascii-signature': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'An upgrade whose signature header contains characters outside ASCII does not lead to a call.',
    remediation:
      'Check the header against a strict ASCII pattern, and compare byte arrays of equal length rather than strings.',
  },
  'own-ai-phone/refuses-timestamp-only': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'An upgrade whose signature header has only t does not lead to a call.',
    remediation:
      'Require v1 as well as t. A missing v1 must lead to a refusal and never to a comparison with an empty value.',
  },
  'own-ai-phone/refuses-v1-only': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'An upgrade whose signature header has only v1 does not lead to a call.',
    remediation: 'Require t as well as v1; without t neither the signature nor the age of the upgrade can be checked.',
  },
  'own-ai-phone/refuses-signature-without-timestamp': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement: 'An upgrade whose v1 covers the call id alone, without t in front, does not lead to a call.',
    remediation:
      'Accept one signed text only: t, a full stop, the call id. Remove any fallback to an HMAC over the call id by itself.',
  },
  'own-ai-phone/refuses-signature-over-body': {
    section: 'Authentication',
    probe: 'signature',
    level: 'must',
    statement: 'An upgrade signed like a chat event, over t, a full stop and its empty body, does not lead to a call.',
    remediation:
      'Do not reuse the verification of the chat webhook unchanged: give it the call id in place of the body. Over an empty body one signature would open any call.',
  },
  'own-ai-phone/refuses-signature-over-path': {
    section: 'Authentication',
    probe: 'signature',
    level: 'must',
    statement: 'An upgrade signed over t, a full stop and the path of the address does not lead to a call.',
    remediation: 'Sign and verify the call id and no part of the address; the path is the same for every call.',
  },
  'own-ai-phone/refuses-missing-call-id': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement:
      'An upgrade without X-Svc-Call-Id whose signature was made over a call id does not lead to a call: it is not valid for what was sent.',
    remediation:
      'Refuse when the header is absent or empty before computing anything; do not skip the verification, and do not fall back to a generated id.',
  },
  'own-ai-phone/refuses-call-without-id': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'advice',
    statement:
      'An upgrade without X-Svc-Call-Id does not lead to a call, even if its signature was made with the secret over an empty id or over a word in place of the missing one.',
    remediation:
      'Refuse when the header is absent or empty before computing anything; do not fall back to an empty string or to a word such as undefined. The interface does not state this case, so no run fails for it.',
  },
  'own-ai-phone/refuses-with-4xx': {
    section: 'Authentication',
    unprobed: 'message-shows-it',
    level: 'should',
    statement:
      'A refusal is a 4xx status at the upgrade, not a server error, a redirect, silence, a dropped connection or a WebSocket that is opened and closed at once.',
    remediation:
      'Write an HTTP response such as 401 on the upgrade before destroying the socket. Catch what your parser and comparison throw on malformed input; constant-time functions throw on unequal lengths.',
  },
  'own-ai-phone/refused-call-has-no-effect': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'must',
    statement:
      'A refused upgrade has no effect: nothing is stored or sent because of it, and the call whose id it carries is accepted and answered afterwards, and continues if it is running.',
    remediation:
      'Verify the signature before anything else: before the call id is remembered, another connection of the call is closed, or a call is recorded.',
  },
  'own-ai-phone/keeps-the-secret': {
    section: 'API v1',
    level: 'must',
    statement: 'The secret of the assistant is stored when it is created, since only that response shows it.',
    remediation:
      'Store the secret from the response of POST /v1/agents/{id}/secret in your secret store at once, where the voice endpoint reads it too; when it is lost, create a new one.',
    unobservable: 'where an integrator stores a secret is not visible in its answers',
  },
  'own-ai-phone/uses-the-current-secret': {
    section: 'Authentication',
    level: 'must',
    statement:
      'After the secret was replaced, only the new one opens calls, because the old one becomes invalid at once.',
    remediation:
      'Roll the new secret out to the voice endpoint right after creating it, and drop the old one from the configuration. diagnose with --old-secret tries the old one.',
    unobservable: 'the run cannot replace the secret at the endpoint; other secrets in general are tried',
  },
  'own-ai-phone/address-is-public-wss': {
    section: 'Errors',
    level: 'must',
    statement: 'The voice address of the assistant is a wss address that can be reached publicly.',
    remediation:
      'Put a TLS certificate in front of the endpoint, open it to the internet for WebSocket connections and set that address as voiceUrl.',
    unobservable:
      'the address under test is often a local one; the address of the assistant is known only to the service',
  },
  'own-ai-phone/compares-in-constant-time': {
    section: 'Authentication',
    level: 'must',
    statement: 'The computed and the received signature are compared in constant time.',
    remediation:
      'Use the constant-time comparison of your platform (timingSafeEqual, hmac.compare_digest, hash_equals, MessageDigest.isEqual) on byte arrays of equal length.',
    unobservable: 'differences of nanoseconds are lost in network noise, so the code has to be read',
  },
} as const satisfies Record<`own-ai-phone/${string}`, Requirement>;
