import { refusedContent, refusedSignature } from './refused-signature.ts';

/** Causes of rejected signatures: how the digest is computed, encoded and read. */
export const signatureDigestCauses = {
  'signature/sha1': refusedSignature('all', {
    summary: 'The endpoint computes the signature with SHA-1 instead of SHA-256.',
    remediation: 'Use HMAC with SHA-256.',
  }),
  'signature/sha224': refusedSignature('all', {
    summary: 'The endpoint computes the signature with SHA-224 instead of SHA-256.',
    remediation: 'Use HMAC with SHA-256.',
  }),
  'signature/sha384': refusedSignature('all', {
    summary: 'The endpoint computes the signature with SHA-384 instead of SHA-256.',
    remediation: 'Use HMAC with SHA-256.',
  }),
  'signature/sha512': refusedSignature('all', {
    summary: 'The endpoint computes the signature with SHA-512 instead of SHA-256.',
    remediation: 'Use HMAC with SHA-256.',
  }),
  'signature/sha3': refusedSignature('all', {
    summary: 'The endpoint computes the signature with SHA-3 instead of SHA-256.',
    remediation: 'Use HMAC with SHA-256, which belongs to SHA-2.',
  }),
  'signature/hashed-again': refusedSignature('all', {
    summary: 'The endpoint hashes the HMAC once more before it compares.',
    remediation: 'Compare the hex of the HMAC itself with v1, without a further hash.',
  }),
  'signature/md5': refusedSignature('all', {
    summary: 'The endpoint computes the signature with MD5 instead of SHA-256.',
    remediation: 'Use HMAC with SHA-256.',
  }),
  'signature/plain-hash': refusedSignature('all', {
    summary: 'The endpoint computes a plain hash without the secret, so anyone can create a signature that it accepts.',
    remediation: 'Use HMAC-SHA256 with the secret as the key.',
  }),
  'signature/plain-hash-with-secret': refusedSignature('all', {
    summary: 'The endpoint hashes the secret together with the content instead of computing an HMAC.',
    remediation:
      'Use the HMAC function of your language with the secret as the key: an HMAC is not a plain hash of both.',
  }),
  'signature/key-and-content-swapped': refusedContent(({ raw }) => ({
    summary: 'The endpoint swaps the key and the content when it calls the HMAC function.',
    remediation: `Pass the secret as the key, and t, a dot and ${raw} as the content: check the parameter order of the function.`,
  })),
  'signature/base64': refusedSignature('all', {
    summary: 'The endpoint expects the signature in base64 instead of hex.',
    remediation: 'Encode the digest as lower-case hex before you compare, or decode v1 from hex.',
  }),
  'signature/base64url': refusedSignature('all', {
    summary: 'The endpoint expects the signature in base64url instead of hex.',
    remediation: 'Encode the digest as lower-case hex before you compare, or decode v1 from hex.',
  }),
  'signature/hex-upper-case': refusedSignature('all', {
    summary: 'The endpoint expects the signature in upper-case hex.',
    remediation: 'Encode the digest as lower-case hex before you compare, or decode v1 from hex.',
  }),
  'signature/hex-with-dashes': refusedSignature('all', {
    summary: 'The endpoint expects the signature in upper-case hex with hyphens between the bytes.',
    remediation: 'Encode the digest as lower-case hex without hyphens before you compare, or decode v1 from hex.',
  }),
  'signature/base64-of-hex': refusedSignature('all', {
    summary: 'The endpoint expects the base64 encoding of the hex string.',
    remediation: 'Encode the digest as lower-case hex only, and compare that.',
  }),
  'signature/other-header-name': refusedSignature('all', {
    summary: 'The endpoint reads the signature from another header.',
    remediation: 'Read X-Svc-Signature; header names are case-insensitive.',
  }),
  'signature/header-split-wrong': refusedSignature('all', {
    summary: 'The endpoint parses the header X-Svc-Signature incorrectly.',
    remediation: 'Split the value at the comma and each part at its first =, and read t and v1 by their names.',
  }),
} as const;
