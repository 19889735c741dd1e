import { refusedSignature } from './refused-signature.ts';

/** Causes of rejected signatures: the content that is signed. */
export const signatureContentCauses = {
  'signature/body-alone': refusedSignature('all', {
    summary: 'The endpoint computes the signature over the body alone, without t.',
    remediation: 'Compute the signature over t, a dot and the raw body, in this order.',
  }),
  'signature/no-separator': refusedSignature('all', {
    summary: 'The endpoint omits the dot between t and the body.',
    remediation: 'Compute the signature over t, a dot and the raw body, in this order.',
  }),
  'signature/other-separator': refusedSignature('all', {
    summary: 'The endpoint puts another character than a dot between t and the body.',
    remediation: 'Put a dot between t and the raw body.',
  }),
  'signature/body-first': refusedSignature('all', {
    summary: 'The endpoint puts the body before t in the signed content.',
    remediation: 'Compute the signature over t first, then a dot, then the raw body.',
  }),
  'signature/version-first': refusedSignature('all', {
    summary: 'The endpoint puts the version before t in the signed content.',
    remediation: 'Compute the signature over t, a dot and the raw body, without a version before them.',
  }),
  'signature/names-signed': refusedSignature('all', {
    summary: 'The endpoint includes the name t= in the signed content.',
    remediation: 'Use only the digits of t, without t= before them.',
  }),
  'signature/t-in-milliseconds': refusedSignature('all', {
    summary: 'The endpoint converts t to milliseconds before it computes the signature.',
    remediation: 'Use the digits of t exactly as in the header; they are seconds.',
  }),
  'signature/t-in-iso': refusedSignature('all', {
    summary: 'The endpoint converts t to a date before it computes the signature.',
    remediation: 'Use the digits of t exactly as in the header.',
  }),
  'signature/t-alone': refusedSignature('all', {
    summary: 'The endpoint computes the signature over t alone, without the body, so an attacker can replace the body.',
    remediation: 'Compute the signature over t, a dot and the raw body, in this order.',
  }),
  'signature/standard-webhooks': refusedSignature('deliveries', {
    summary:
      'The endpoint verifies with a library for Svix or Standard Webhooks, which uses another key, another content and other headers.',
    remediation:
      'Do not use that library here. Compute HMAC-SHA256 over t, a dot and the raw body, with the unchanged secret as the key, and compare it with the hex of v1 in X-Svc-Signature.',
  }),
  'signature/delivery-id-first': refusedSignature('deliveries', {
    summary: 'The endpoint includes the delivery id in the signed content.',
    remediation: 'Compute the signature over t, a dot and the raw body, without an id.',
  }),
  'signature/url-signed': refusedSignature('all', {
    summary: 'The endpoint includes its address in the signed content.',
    remediation: 'Compute the signature over t, a dot and the raw body, without an address.',
  }),
  'signature/path-signed': refusedSignature('all', {
    summary: 'The endpoint includes the path in the signed content.',
    remediation: 'Compute the signature over t, a dot and the raw body, without a path.',
  }),
  'signature/method-signed': refusedSignature('all', {
    summary: 'The endpoint includes the request method in the signed content.',
    remediation: 'Compute the signature over t, a dot and the raw body, without any part of the request line.',
  }),
  'signature/body-hash-signed': refusedSignature('deliveries', {
    summary: 'The endpoint computes the signature over a hash of the body in place of the body.',
    remediation: 'Compute the signature over t, a dot and the raw body itself.',
  }),
  'signature/signed-as-utf-16': refusedSignature('all', {
    summary: 'The endpoint encodes the signed content as UTF-16.',
    remediation: 'Compute the signature over the raw bytes of the body as received, and t as ASCII digits.',
  }),
} as const;
