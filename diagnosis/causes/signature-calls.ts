import { refused } from './refused-signature.ts';

/** Causes about what is signed of a call. */
export const signatureCallCauses = {
  'signature/call-body-signed': refused('calls', {
    summary: 'The endpoint signs the body of the upgrade request, which is empty, in place of the id of the call.',
    remediation: 'Sign t, a dot and the value of X-Svc-Call-Id as it came, before the upgrade is answered.',
  }),
  'signature/call-path-signed': refused('calls', {
    summary: 'The endpoint signs its path or address in place of the id of the call.',
    remediation: 'Sign t, a dot and the value of X-Svc-Call-Id as it came, before the upgrade is answered.',
  }),
  'signature/call-sid-signed': refused('calls', {
    summary: 'The endpoint signs the callSid in place of the id of the call.',
    remediation: 'Sign t, a dot and the value of X-Svc-Call-Id as it came, before the upgrade is answered.',
  }),
  'signature/call-wrong-id': refused('calls', {
    summary: 'The endpoint signs another value in place of X-Svc-Call-Id.',
    remediation: 'Sign t, a dot and the value of X-Svc-Call-Id as it came, before the upgrade is answered.',
  }),
  'signature/call-id-upper-case': refused('calls', {
    summary: 'The endpoint turns the id of the call into upper case before it signs.',
    remediation: 'Sign t, a dot and the value of X-Svc-Call-Id as it came, before the upgrade is answered.',
  }),
  'signature/call-id-lower-case': refused('calls', {
    summary: 'The endpoint turns the id of the call into lower case before it signs.',
    remediation: 'Sign t, a dot and the value of X-Svc-Call-Id as it came, before the upgrade is answered.',
  }),
} as const;
