import type { Cause } from '../cause.ts';
import { signatureBodyCauses } from './signature-bodies.ts';
import { signatureCallCauses } from './signature-calls.ts';
import { signatureContentCauses } from './signature-contents.ts';
import { signatureDigestCauses } from './signature-digests.ts';
import { signatureKeyCauses } from './signature-keys.ts';
import { signedSurfaces } from '../../specs/surfaces.ts';

/** Incorrect schemes that endpoints are known to implement. */
export const wrongSchemes = {
  ...signatureKeyCauses,
  ...signatureContentCauses,
  ...signatureBodyCauses,
  ...signatureDigestCauses,
  ...signatureCallCauses,
} as const satisfies Record<`signature/${string}`, Cause>;

/** Causes of valid signatures that are rejected. */
export const signatureCauses = {
  ...wrongSchemes,
  'signature/other-secret': {
    surfaces: signedSurfaces,
    symptom: 'Every correctly signed delivery or call is rejected, usually with 401.',
    summary: 'The endpoint verifies with another secret than the one configured for the test.',
    detection: 'The remaining explanation when no known scheme is accepted: an unknown secret cannot be tried.',
    remediation:
      'Compare the secret in the settings of the endpoint with the one that the service showed when it was created; if in doubt, create a new one and restart the endpoint.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/unknown-scheme': {
    surfaces: signedSurfaces,
    symptom:
      'Every correctly signed delivery or call is rejected, usually with 401, or only those with certain characters in the body.',
    summary: 'The endpoint verifies signatures with a scheme that is not one of the known ones.',
    detection: 'Rejected, over two bodies: signatures of every known wrong scheme and of most pairs of them.',
    remediation: 'Compare your code with the example step by step: key, content, digest and header.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/inverted': {
    surfaces: signedSurfaces,
    symptom:
      'Every correctly signed delivery or call is rejected, and a check reports that invalid signatures are accepted.',
    summary: 'The endpoint rejects the valid signature and accepts a forged one: its check is inverted.',
    detection: 'Over the same body or call id, twice each. Accepted: a forged signature. Rejected: the valid one.',
    remediation:
      'Invert the condition: reject if the comparison says that the signatures differ. Some comparison functions return 0 if both are equal.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/refused-afterwards': {
    surfaces: signedSurfaces,
    symptom:
      'Every correctly signed delivery or call is rejected, with another answer than one with an invalid signature.',
    summary: 'The endpoint verifies the signature successfully, but later code rejects the delivery or the call.',
    detection:
      'The valid signature and a forged one of the same form get different answers, twice each, and neither is accepted.',
    remediation:
      'Check the code that runs after the verification: unknown ids, permissions, a schema, an unrelated error. Its log has the reason.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/not-always-the-same': {
    surfaces: signedSurfaces,
    symptom: 'Some correctly signed deliveries are accepted, while others of the same kind are rejected.',
    summary: 'The endpoint sometimes accepts and sometimes rejects the same kind of signature.',
    detection: 'The same request, repeated with fresh ids, gets different answers.',
    remediation:
      'Check whether several instances run behind the address, and whether all of them have the current secret and the current code.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
} as const satisfies Record<`signature/${string}`, Cause>;
