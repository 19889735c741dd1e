import type { Cause } from '../cause.ts';
import { signedSurfaces, endpointSurfaces } from '../../specs/surfaces.ts';

/** Causes in our own configuration: the address and secret as entered. */
export const configCauses = {
  'config/token-with-bearer': {
    surfaces: ['crm-webhook'],
    symptom: 'Every CRM event gets 401, although the token in the app looks correct.',
    summary: 'The token was entered together with the word Bearer, so the header contains the word twice.',
    detection:
      'The configured token begins with "Bearer ". Rejected: the token as configured. Accepted: the token without the word.',
    remediation: 'Enter the token without the word Bearer: the service adds the word itself.',
    section: 'Authentication',
    snippet: 'check-token',
  },
  'config/secret-in-quotes': {
    surfaces: signedSurfaces,
    symptom: 'Every delivery gets 401, although the secret looks the same on both sides.',
    summary: 'The secret was entered with quotation marks around it, which became part of it.',
    detection:
      'The configured secret is enclosed in quotation marks. Rejected: deliveries signed with it. Accepted: deliveries signed without the quotation marks.',
    remediation: 'Set the secret again without the quotation marks: Docker env files and many dashboards keep them.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'config/secret-without-prefix': {
    surfaces: ['own-ai-chat', 'own-ai-phone'],
    symptom: 'Every delivery has been rejected with 401 since the secret was entered.',
    summary: 'The secret was entered without its prefix whsec_, which is part of the secret.',
    detection:
      'The configured secret does not begin with whsec_. Rejected: deliveries signed with it. Accepted: deliveries signed with whsec_ in front of it.',
    remediation:
      'Enter the secret exactly as POST /v1/agents/{id}/secret returned it, including whsec_ at the beginning.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'config/api-key-as-secret': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery has been rejected with 401 since the secret was entered.',
    summary: 'An API key was entered as the secret, but the service does not sign with API keys.',
    detection: 'The configured secret begins with svc_sk_, and the endpoint rejects it.',
    remediation:
      'Enter the secret of the assistant or subscription, or the token of the webhook; the API key is only for calls to the API.',
    section: 'Authentication',
  },
  'config/placeholder': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery gets 401 in one environment and is accepted in another.',
    summary: 'A placeholder from an example was entered as the secret.',
    detection:
      'The configured secret is a word such as changeme or secret, or is enclosed in < and >, and the endpoint rejects it.',
    remediation: 'Set the variable of this environment to the real secret.',
    section: 'Authentication',
  },
} as const satisfies Record<`config/${string}`, Cause>;
