import { refusedSignature } from './refused-signature.ts';

/** Causes of rejected signatures: the key. */
export const signatureKeyCauses = {
  'signature/secret-base64-decoded': refusedSignature('all', {
    summary:
      'The endpoint removes whsec_ from the secret, decodes the rest from base64, and uses the bytes as the key.',
    remediation: 'Use the whole secret with its whsec_ prefix as the key, as UTF-8 bytes: do not decode it.',
  }),
  'signature/secret-decoded-with-prefix': refusedSignature('all', {
    summary: 'The endpoint decodes the whole secret from base64, including its prefix, and uses the bytes as the key.',
    remediation: 'Use the secret unchanged as the key, as UTF-8 bytes: do not decode it.',
  }),
  'signature/secret-prefix-stripped': refusedSignature('all', {
    summary: 'The endpoint removes whsec_ from the secret before it uses it as the key.',
    remediation: 'Keep whsec_: it is part of the secret.',
  }),
  'signature/secret-with-newline': refusedSignature('all', {
    summary: 'The secret that the endpoint uses ends with a line break.',
    remediation:
      'Store the secret without a line break (use printf instead of echo to write a file), or trim it when you read it.',
  }),
  'signature/secret-with-white-space': refusedSignature('all', {
    summary: 'The secret that the endpoint uses has white space around it.',
    remediation: 'Copy the secret again without white space, or trim it when you read it.',
  }),
  'signature/secret-trimmed': refusedSignature('all', {
    summary:
      'The endpoint trims white space from the secret, but the secret configured for the test has white space around it.',
    remediation: 'Configure the same secret on both sides; the secret from the service has no white space around it.',
  }),
  'signature/secret-in-quotes': refusedSignature('all', {
    summary: 'The secret that the endpoint uses has quotation marks around it.',
    remediation: 'Remove the quotation marks from the variable or file: many loaders keep them as part of the value.',
  }),
  'signature/secret-hex-encoded': refusedSignature('all', {
    summary: 'The endpoint encodes the secret as hex and uses the result as the key.',
    remediation: 'Use the secret unchanged as the key, as UTF-8 bytes.',
  }),
  'signature/secret-hex-decoded': refusedSignature('all', {
    summary: 'The endpoint decodes the secret from hex and uses the bytes as the key.',
    remediation: 'Use the secret unchanged as the key, as UTF-8 bytes: do not decode it.',
  }),
  'signature/secret-hashed': refusedSignature('all', {
    summary: 'The endpoint hashes the secret with SHA-256 and uses the hash as the key.',
    remediation: 'Use the secret unchanged as the key, as UTF-8 bytes.',
  }),
  'signature/secret-percent-encoded': refusedSignature('all', {
    summary: 'The endpoint percent-encodes the secret, as for a URL, and uses the result as the key.',
    remediation:
      'Use the secret unchanged as UTF-8: do not percent-encode it, and decode it only where it is read from a URL.',
  }),
  'signature/secret-percent-decoded': refusedSignature('all', {
    summary:
      'The endpoint percent-decodes the secret as part of a URL, so that a plus sign becomes a space, or %2B becomes a plus sign, and uses the result as the key.',
    remediation: 'Use the secret unchanged as UTF-8: decode it only if it was encoded for an address before.',
  }),
  'signature/secret-base64-encoded': refusedSignature('all', {
    summary: 'The endpoint encodes the secret as base64 and uses the result as the key.',
    remediation: 'Use the secret unchanged as the key, as UTF-8 bytes.',
  }),
  'signature/secret-case-changed': refusedSignature('all', {
    summary: 'The endpoint changes the letter case of the secret.',
    remediation: 'Use the secret unchanged: it is case-sensitive.',
  }),
  'signature/secret-cut': refusedSignature('all', {
    summary:
      'The endpoint uses only the beginning of the secret, up to a character that has a special meaning in the file or shell that it is read from.',
    remediation:
      'Put the secret in single quotes where it is stored, and split a line of settings only at its first =.',
  }),
  'signature/secret-empty': refusedSignature('all', {
    summary: 'The secret that the endpoint uses is empty.',
    remediation:
      'Set the secret where the endpoint runs, and let it refuse to start without one. A decoder that fails can also leave an empty key: do not decode the secret.',
  }),
  'signature/secret-missing': refusedSignature('all', {
    summary: 'The endpoint uses the string that its language prints for a missing value as the key.',
    remediation:
      'Set the secret where the endpoint runs, under the name that the code reads, and let it refuse to start without one.',
  }),
  'signature/old-secret': refusedSignature('all', {
    summary: 'The endpoint still uses the previous secret.',
    remediation:
      'Configure the current secret in the endpoint and restart it: a new secret invalidates the old one at once.',
  }),
} as const;
