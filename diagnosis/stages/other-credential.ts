import type { Suspect } from '../outcome.ts';
import type { HttpControls } from './http-controls.ts';

/** The alternative explanation: an endpoint that rejects the credential with the page of its server. */
export function otherCredential({ surface }: HttpControls): Suspect {
  return surface === 'crm-webhook'
    ? {
        id: 'token/another-token',
        why: 'An endpoint may refuse a different token in the same way.',
      }
    : {
        id: 'signature/other-secret',
        why: 'An endpoint may refuse a signature made with a different secret in the same way.',
      };
}
