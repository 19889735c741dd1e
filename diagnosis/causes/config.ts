import type { Cause } from '../cause.ts';

const signed = ['own-ai-chat', 'own-ai-phone', 'api-webhooks'] as const;

/** Causes about the set-up on our side: address and secret as they were given. */
export const configCauses = {
  'config/token-with-bearer': {
    surfaces: ['crm-webhook'],
    symptom: 'Every CRM event is answered with 401, and the token in the app looks right.',
    summary: 'The token was entered together with the word Bearer, so the header has it twice.',
    detection:
      'The token that was given begins with "Bearer "; the endpoint refuses it, and accepts it without the word.',
    remediation: 'Enter the bare token, without the word Bearer: the service puts the word in front by itself.',
    section: 'Authentication',
    snippet: 'check-token',
  },
  'config/secret-in-quotes': {
    surfaces: signed,
    symptom: 'Every delivery is refused with 401, although the secret on both sides looks the same.',
    summary: 'The secret was entered with quotation marks around it, which are part of it then.',
    detection:
      'The secret that was given stands between quotation marks; the endpoint refuses what is signed with it, and accepts what is signed without them.',
    remediation: 'Set the secret again without the quotation marks: Docker env files and many dashboards keep them.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'config/secret-without-prefix': {
    surfaces: ['own-ai-chat', 'own-ai-phone'],
    symptom: 'Every delivery is refused with 401 since the secret was entered.',
    summary: 'The secret was entered without whsec_, which belongs to it.',
    detection:
      'The secret that was given does not begin with whsec_; the endpoint refuses what is signed with it, and accepts it with whsec_ in front.',
    remediation: 'Enter the secret as POST /v1/agents/{id}/secret gave it, with whsec_ at its beginning.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'config/api-key-as-secret': {
    surfaces: [...signed, 'crm-webhook'],
    symptom: 'Every delivery is refused with 401 since the secret was entered.',
    summary: 'What was entered as the secret is an API key, which signs nothing.',
    detection: 'The secret that was given begins with svc_sk_, and the endpoint refuses it.',
    remediation:
      'Enter the secret of the assistant or subscription, or the token of the webhook; the API key is for calls to the API.',
    section: 'Authentication',
  },
  'config/placeholder': {
    surfaces: [...signed, 'crm-webhook'],
    symptom: 'Every delivery is refused with 401 in one environment and accepted in another.',
    summary: 'What was entered as the secret is a stand-in from an example.',
    detection:
      'The secret that was given is a word such as changeme or secret, or stands between < and >, and the endpoint refuses it.',
    remediation: 'Put the real secret into the variable of this environment.',
    section: 'Authentication',
  },
} as const satisfies Record<`config/${string}`, Cause>;
