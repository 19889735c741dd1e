import { refusedSignature } from './refused-signature.ts';

/** Causes of rejected signatures: the part of a call that is signed. */
export const signatureCallCauses = {
  'signature/call-body-signed': refusedSignature('calls', {
    summary:
      'The endpoint computes the signature over the body of the upgrade request, which is empty, in place of the call id.',
    remediation:
      'Compute the signature over t, a dot and the value of X-Svc-Call-Id as received, before you answer the upgrade.',
  }),
  'signature/call-path-signed': refusedSignature('calls', {
    summary: 'The endpoint computes the signature over its path or address in place of the call id.',
    remediation:
      'Compute the signature over t, a dot and the value of X-Svc-Call-Id as received, before you answer the upgrade.',
  }),
  'signature/call-sid-signed': refusedSignature('calls', {
    summary: 'The endpoint computes the signature over the callSid in place of the call id.',
    remediation:
      'Compute the signature over t, a dot and the value of X-Svc-Call-Id as received, before you answer the upgrade.',
  }),
  'signature/call-wrong-id': refusedSignature('calls', {
    summary: 'The endpoint computes the signature over another value in place of X-Svc-Call-Id.',
    remediation:
      'Compute the signature over t, a dot and the value of X-Svc-Call-Id as received, before you answer the upgrade.',
  }),
  'signature/call-id-upper-case': refusedSignature('calls', {
    summary: 'The endpoint converts the call id to upper case before it computes the signature.',
    remediation:
      'Compute the signature over t, a dot and the value of X-Svc-Call-Id as received, before you answer the upgrade.',
  }),
  'signature/call-id-lower-case': refusedSignature('calls', {
    summary: 'The endpoint converts the call id to lower case before it computes the signature.',
    remediation:
      'Compute the signature over t, a dot and the value of X-Svc-Call-Id as received, before you answer the upgrade.',
  }),
} as const;
