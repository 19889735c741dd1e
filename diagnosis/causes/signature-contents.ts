import { refused } from './refused-signature.ts';

/** Causes about the content that is signed. */
export const signatureContentCauses = {
  'signature/body-alone': refused('all', {
    summary: 'The endpoint signs the body alone, without t.',
    remediation: 'Sign t, a dot and the raw body, in this order.',
  }),
  'signature/no-separator': refused('all', {
    summary: 'The endpoint omits the dot between t and the body.',
    remediation: 'Sign t, a dot and the raw body, in this order.',
  }),
  'signature/other-separator': refused('all', {
    summary: 'The endpoint puts another sign than a dot between t and the body.',
    remediation: 'Put a dot between t and the raw body.',
  }),
  'signature/body-first': refused('all', {
    summary: 'The endpoint signs the body before t.',
    remediation: 'Sign t first, then a dot, then the raw body.',
  }),
  'signature/version-first': refused('all', {
    summary: 'The endpoint puts the version before t in what it signs.',
    remediation: 'Sign t, a dot and the raw body, without a version before it.',
  }),
  'signature/names-signed': refused('all', {
    summary: 'The endpoint takes the name of t into what it signs.',
    remediation: 'Sign the digits of t only, without t= before them.',
  }),
  'signature/t-in-milliseconds': refused('all', {
    summary: 'The endpoint turns t into milliseconds before it signs.',
    remediation: 'Sign the digits of t as they stand in the header; they are seconds.',
  }),
  'signature/t-in-iso': refused('all', {
    summary: 'The endpoint turns t into a date before it signs.',
    remediation: 'Sign the digits of t as they stand in the header.',
  }),
  'signature/t-alone': refused('all', {
    summary: 'The endpoint signs t alone, without the body, so that a body can be exchanged.',
    remediation: 'Sign t, a dot and the raw body, in this order.',
  }),
  'signature/standard-webhooks': refused('deliveries', {
    summary:
      'The endpoint verifies with a library for Svix or Standard Webhooks: another key, another content and other headers.',
    remediation:
      'Do not use that library here. Compute HMAC-SHA256 over t, a dot and the raw body, with the secret as it is as key, and compare it with the hex of v1 in X-Svc-Signature.',
  }),
  'signature/delivery-id-first': refused('deliveries', {
    summary: 'The endpoint takes the id of the delivery into what it signs.',
    remediation: 'Sign t, a dot and the raw body, and no id.',
  }),
  'signature/url-signed': refused('all', {
    summary: 'The endpoint takes its address into what it signs.',
    remediation: 'Sign t, a dot and the raw body, and no address.',
  }),
  'signature/path-signed': refused('all', {
    summary: 'The endpoint takes the path into what it signs.',
    remediation: 'Sign t, a dot and the raw body, and no path.',
  }),
  'signature/method-signed': refused('all', {
    summary: 'The endpoint takes the method of the request into what it signs.',
    remediation: 'Sign t, a dot and the raw body, and nothing of the request line.',
  }),
  'signature/body-hash-signed': refused('deliveries', {
    summary: 'The endpoint signs a hash of the body in place of the body.',
    remediation: 'Sign t, a dot and the raw body itself.',
  }),
  'signature/signed-as-utf-16': refused('all', {
    summary: 'The endpoint turns what it signs into UTF-16.',
    remediation: 'Sign the raw bytes of the body as they came, and t as ASCII digits.',
  }),
} as const;
