import { refusedContent, refusedSignature } from './refused-signature.ts';

/** Causes of rejected signatures: the content that is signed. */
export const signatureContentCauses = {
  'signature/body-alone': refusedContent(({ content, raw }) => ({
    summary: `The endpoint computes the signature over ${content} alone, without t.`,
    remediation: `Compute the signature over t, a dot and ${raw}, in this order.`,
  })),
  'signature/no-separator': refusedContent(({ content, raw }) => ({
    summary: `The endpoint omits the dot between t and ${content}.`,
    remediation: `Compute the signature over t, a dot and ${raw}, in this order.`,
  })),
  'signature/other-separator': refusedContent(({ content, raw }) => ({
    summary: `The endpoint puts another character than a dot between t and ${content}.`,
    remediation: `Put a dot between t and ${raw}.`,
  })),
  'signature/body-first': refusedContent(({ content, raw }) => ({
    summary: `The endpoint puts ${content} before t in the signed content.`,
    remediation: `Compute the signature over t first, then a dot, then ${raw}.`,
  })),
  'signature/version-first': refusedContent(({ raw }) => ({
    summary: 'The endpoint puts the version before t in the signed content.',
    remediation: `Compute the signature over t, a dot and ${raw}, without a version before them.`,
  })),
  'signature/names-signed': refusedSignature('all', {
    summary: 'The endpoint includes the name t= in the signed content.',
    remediation: 'Use only the digits of t, without t= before them.',
  }),
  'signature/t-in-milliseconds': refusedSignature('all', {
    summary: 'The endpoint converts t to milliseconds before it computes the signature.',
    remediation: 'Use the digits of t exactly as in the header; they are seconds.',
  }),
  'signature/t-in-iso': refusedSignature('all', {
    summary: 'The endpoint converts t to a date before it computes the signature.',
    remediation: 'Use the digits of t exactly as in the header.',
  }),
  'signature/t-alone': refusedContent(({ content, raw }) => ({
    summary: `The endpoint computes the signature over t alone, without ${content}, so an attacker can replace ${content}.`,
    remediation: `Compute the signature over t, a dot and ${raw}, in this order.`,
  })),
  'signature/standard-webhooks': refusedSignature('deliveries', {
    summary:
      'The endpoint verifies with a library for Svix or Standard Webhooks, which uses another key, another content and other headers.',
    remediation:
      'Do not use that library here. Compute HMAC-SHA256 over t, a dot and the raw body, with the unchanged secret as the key, and compare it with the hex of v1 in X-Svc-Signature.',
  }),
  'signature/delivery-id-first': refusedSignature('deliveries', {
    summary: 'The endpoint includes the delivery id in the signed content.',
    remediation: 'Compute the signature over t, a dot and the raw body, without an id.',
  }),
  'signature/url-signed': refusedContent(({ raw }) => ({
    summary: 'The endpoint includes its address in the signed content.',
    remediation: `Compute the signature over t, a dot and ${raw}, without an address.`,
  })),
  'signature/path-signed': refusedContent(({ raw }) => ({
    summary: 'The endpoint includes the path in the signed content.',
    remediation: `Compute the signature over t, a dot and ${raw}, without a path.`,
  })),
  'signature/method-signed': refusedContent(({ raw }) => ({
    summary: 'The endpoint includes the request method in the signed content.',
    remediation: `Compute the signature over t, a dot and ${raw}, without any part of the request line.`,
  })),
  'signature/body-hash-signed': refusedSignature('deliveries', {
    summary: 'The endpoint computes the signature over a hash of the body in place of the body.',
    remediation: 'Compute the signature over t, a dot and the raw body itself.',
  }),
  'signature/signed-as-utf-16': refusedContent(({ content }) => ({
    summary: 'The endpoint encodes the signed content as UTF-16.',
    remediation: `Compute the signature over the raw bytes of ${content} as received, and t as ASCII digits.`,
  })),
} as const;
