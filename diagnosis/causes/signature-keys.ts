import { refused } from './refused-signature.ts';

/** Causes about the key of a signature. */
export const signatureKeyCauses = {
  'signature/secret-base64-decoded': refused('all', {
    summary: 'The endpoint decodes the secret from base64 after whsec_ is taken off, and uses the bytes as key.',
    remediation: 'Use the secret as it is, as UTF-8 text with its whsec_ prefix: do not decode it.',
  }),
  'signature/secret-decoded-with-prefix': refused('all', {
    summary: 'The endpoint decodes the whole secret from base64, with its prefix, and uses the bytes as key.',
    remediation: 'Use the secret as it is, as UTF-8 text: do not decode it.',
  }),
  'signature/secret-prefix-stripped': refused('all', {
    summary: 'The endpoint takes whsec_ off the secret before it uses it as key.',
    remediation: 'Keep whsec_: it belongs to the secret.',
  }),
  'signature/secret-with-newline': refused('all', {
    summary: 'The secret that the endpoint uses ends in a line break.',
    remediation:
      'Store the secret without a line break (printf in place of echo when a file is written), or trim it when it is read.',
  }),
  'signature/secret-with-white-space': refused('all', {
    summary: 'The secret that the endpoint uses has white space around it.',
    remediation: 'Copy the secret again without white space, or trim it when it is read.',
  }),
  'signature/secret-trimmed': refused('all', {
    summary: 'The endpoint trims white space from the secret, and the secret that was given here has some.',
    remediation: 'Give both sides the same secret; the one that the service made has no white space around it.',
  }),
  'signature/secret-in-quotes': refused('all', {
    summary: 'The secret that the endpoint uses has quotation marks around it.',
    remediation:
      'Take the quotation marks out of the variable or file: many loaders pass them on as part of the value.',
  }),
  'signature/secret-hex-encoded': refused('all', {
    summary: 'The endpoint writes the secret as hex and uses that as key.',
    remediation: 'Use the secret as it is, as UTF-8 text.',
  }),
  'signature/secret-hex-decoded': refused('all', {
    summary: 'The endpoint decodes the secret from hex and uses the bytes as key.',
    remediation: 'Use the secret as it is, as UTF-8 text: do not decode it.',
  }),
  'signature/secret-hashed': refused('all', {
    summary: 'The endpoint hashes the secret with SHA-256 and uses the hash as key.',
    remediation: 'Use the secret as it is, as UTF-8 text.',
  }),
  'signature/secret-base64-encoded': refused('all', {
    summary: 'The endpoint writes the secret as base64 and uses that as key.',
    remediation: 'Use the secret as it is, as UTF-8 text.',
  }),
  'signature/secret-case-changed': refused('all', {
    summary: 'The endpoint changes the case of the secret.',
    remediation: 'Use the secret as it is: its case counts.',
  }),
  'signature/secret-cut': refused('all', {
    summary:
      'The endpoint uses only the beginning of the secret, up to a sign that has a meaning in the file or shell it is read from.',
    remediation:
      'Put the secret into single quotes where it is stored, and split a line of settings at its first = only.',
  }),
  'signature/secret-empty': refused('all', {
    summary: 'The secret that the endpoint uses is empty.',
    remediation:
      'Set the secret where the endpoint runs, and let it stop at its start when there is none. A decoder that fails can leave an empty key, too: do not decode the secret.',
  }),
  'signature/secret-missing': refused('all', {
    summary: 'The key that the endpoint uses is the word that its language writes for a value that is not there.',
    remediation:
      'Set the secret where the endpoint runs under the name that the code reads, and let it stop at its start when there is none.',
  }),
  'signature/old-secret': refused('all', {
    summary: 'The endpoint still uses the secret that was valid before.',
    remediation:
      'Give the endpoint the present secret and start it again: a new secret makes the old one invalid at once.',
  }),
} as const;
