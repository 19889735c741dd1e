/** The keys of the snippets. */
export const secret = 'whsec_c2VjcmV0IG9mIGEgdGVzdA==';
export const token = 'token-of-a-test';
export const apiKey = 'svc_sk_of-a-test';
