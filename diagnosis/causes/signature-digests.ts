import { refused } from './refused-signature.ts';

/** Causes about how the digest is made, written and found. */
export const signatureDigestCauses = {
  'signature/sha1': refused('all', {
    summary: 'The endpoint computes the signature with SHA-1.',
    remediation: 'Use HMAC with SHA-256.',
  }),
  'signature/sha224': refused('all', {
    summary: 'The endpoint computes the signature with SHA-224.',
    remediation: 'Use HMAC with SHA-256.',
  }),
  'signature/sha384': refused('all', {
    summary: 'The endpoint computes the signature with SHA-384.',
    remediation: 'Use HMAC with SHA-256.',
  }),
  'signature/sha512': refused('all', {
    summary: 'The endpoint computes the signature with SHA-512.',
    remediation: 'Use HMAC with SHA-256.',
  }),
  'signature/md5': refused('all', {
    summary: 'The endpoint computes the signature with MD5.',
    remediation: 'Use HMAC with SHA-256.',
  }),
  'signature/plain-hash': refused('all', {
    summary: 'The endpoint computes a plain hash without the secret, so anybody can make a signature that it accepts.',
    remediation: 'Use HMAC-SHA256 with the secret as key.',
  }),
  'signature/plain-hash-with-secret': refused('all', {
    summary: 'The endpoint hashes the secret together with the content, in place of an HMAC.',
    remediation: 'Use the HMAC function of your language with the secret as key: it is more than a hash of both.',
  }),
  'signature/key-and-content-swapped': refused('all', {
    summary: 'The endpoint exchanges key and content when it calls the HMAC function.',
    remediation:
      'Give the secret as key and t, a dot and the raw body as content: look at the order in which the function takes them.',
  }),
  'signature/base64': refused('all', {
    summary: 'The endpoint expects the signature in base64.',
    remediation: 'Write the digest as lower-case hex before you compare, or decode v1 from hex.',
  }),
  'signature/base64url': refused('all', {
    summary: 'The endpoint expects the signature in base64url.',
    remediation: 'Write the digest as lower-case hex before you compare, or decode v1 from hex.',
  }),
  'signature/hex-upper-case': refused('all', {
    summary: 'The endpoint expects the signature in upper-case hex.',
    remediation: 'Write the digest as lower-case hex before you compare, or decode v1 from hex.',
  }),
  'signature/hex-with-dashes': refused('all', {
    summary: 'The endpoint expects the signature in upper-case hex with hyphens between the bytes.',
    remediation: 'Write the digest as lower-case hex without hyphens before you compare, or decode v1 from hex.',
  }),
  'signature/base64-of-hex': refused('all', {
    summary: 'The endpoint expects base64 of the hex text.',
    remediation: 'Write the digest as lower-case hex once, and compare that.',
  }),
  'signature/other-header-name': refused('all', {
    summary: 'The endpoint looks for the signature in another header.',
    remediation: 'Read X-Svc-Signature; the case of the name does not matter.',
  }),
  'signature/header-split-wrong': refused('all', {
    summary: 'The endpoint takes the header X-Svc-Signature apart wrongly.',
    remediation: 'Split the value at the comma, each part at its first =, and take t and v1 by their names.',
  }),
} as const;
