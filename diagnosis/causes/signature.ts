import type { Cause } from '../cause.ts';
import { signatureBodyCauses } from './signature-bodies.ts';
import { signatureCallCauses } from './signature-calls.ts';
import { signatureContentCauses } from './signature-contents.ts';
import { signatureDigestCauses } from './signature-digests.ts';
import { signatureKeyCauses } from './signature-keys.ts';

const surfaces = ['own-ai-chat', 'api-webhooks', 'own-ai-phone'] as const;

/** Schemes that endpoints are known to implement in place of the right one. */
export const wrongSchemes = {
  ...signatureKeyCauses,
  ...signatureContentCauses,
  ...signatureBodyCauses,
  ...signatureDigestCauses,
  ...signatureCallCauses,
} as const satisfies Record<`signature/${string}`, Cause>;

/** Causes about right signatures that are refused. */
export const signatureCauses = {
  ...wrongSchemes,
  'signature/other-secret': {
    surfaces,
    symptom: 'Every correctly signed delivery or call is refused, mostly with 401.',
    summary: 'The endpoint checks with another secret than the one that was given here.',
    detection: 'It is what is left when no known scheme is accepted: a secret that nobody knows cannot be tried.',
    remediation:
      'Compare the secret in the settings of the endpoint with the one that the service shows when it is made; make a new one when in doubt, and start the endpoint again.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/unknown-scheme': {
    surfaces,
    symptom:
      'Every correctly signed delivery or call is refused, mostly with 401, or those with certain characters in the body.',
    summary: 'The endpoint checks signatures by none of the known schemes.',
    detection:
      'Signatures of every known wrong scheme were tried, and most pairs of two, and none was accepted over two bodies.',
    remediation: 'Compare your code with the example step by step: key, content, digest and header.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/inverted': {
    surfaces,
    symptom: 'Every correctly signed delivery or call is refused, and a check says that wrong signatures are accepted.',
    summary: 'The check is upside down: the right signature is refused, and a forged one over the same is accepted.',
    detection: 'Over the same body or call id a forged signature is accepted and the right one refused, twice each.',
    remediation:
      'Turn the condition round: refuse when the comparison says that the signatures differ. Some functions that compare give 0 where both are equal.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/refused-afterwards': {
    surfaces,
    symptom: 'Every correctly signed delivery or call is refused, with another answer than one with a wrong signature.',
    summary: 'The signature fits, and what comes after it in your code refuses the delivery or the call.',
    detection:
      'The right signature and a forged one of the same form are answered otherwise, twice each, and neither is accepted.',
    remediation:
      'Look in your code at what follows the verification: ids that it does not know, permissions, a schema, an error of its own. Its log has the reason.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/not-always-the-same': {
    surfaces,
    symptom: 'Some correctly signed deliveries are accepted and others, of the same kind, are refused.',
    summary: 'The endpoint accepts and refuses the same kind of signature by turns.',
    detection: 'The same question, asked again with fresh ids, is answered otherwise.',
    remediation:
      'See whether several instances run behind the address, and whether all of them have the present secret and the present code.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
} as const satisfies Record<`signature/${string}`, Cause>;
