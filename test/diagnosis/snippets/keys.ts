/** What the snippets are given as their keys. */
export const secret = 'whsec_c2VjcmV0IG9mIGEgdGVzdA==';
export const token = 'token-of-a-test';
export const apiKey = 'svc_sk_of-a-test';
