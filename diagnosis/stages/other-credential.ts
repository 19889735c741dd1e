import type { Suspect } from '../outcome.ts';
import type { HttpControls } from './http-controls.ts';

/** What looks just like an endpoint that nothing gets to: one that does not trust us, and refuses like a server. */
export function otherCredential({ surface }: HttpControls): Suspect {
  return surface === 'crm-webhook'
    ? {
        id: 'token/another-token',
        why: 'What has another token is refused in the same way by an endpoint that does not say who it is.',
      }
    : {
        id: 'signature/other-secret',
        why: 'What is signed with another secret is refused in the same way by an endpoint that does not say who it is.',
      };
}
