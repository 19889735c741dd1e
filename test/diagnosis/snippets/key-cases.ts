import { expect, it } from 'vitest';
import type { SnippetTopic } from '../../../diagnosis/cause.ts';
import { upgradeStatus } from './calls.ts';
import { deliver, signature } from './deliver.ts';
import type { Served } from './served-snippets.ts';

/** Checks that snippets started with empty keys accept no request, whether they start or not. */
export function keyCases(name: string, the: { keyless: Served }, topics: readonly SnippetTopic[]): void {
  it('verify-signature accepts no request if the secret is empty', async () => {
    const body = '{"id":"evt_1","type":"ping"}';
    const url = `${the.keyless.url('verify-signature')}/chat`;
    const { status } = await deliver(url, body, [['X-Svc-Signature', signature('', body)]]);
    expect([401, 500, 503]).toContain(status);
  });

  it('check-token accepts no request if the token is empty', async () => {
    const url = `${the.keyless.url('check-token')}/crm`;
    for (const given of ['Bearer ', 'Bearer', ''])
      expect([401, 500, 503]).toContain((await deliver(url, '{}', [['Authorization', given]])).status);
  });

  it('reply-later promises no reply if the API key is empty', async () => {
    const data = { message: { text: 'x' }, replyUrl: 'http://127.0.0.1:9/', autoReply: { state: 'on' } };
    const body = JSON.stringify({ id: 'evt_keyless', type: 'message.received', data });
    const { status } = await deliver(`${the.keyless.url('reply-later')}/chat`, body);
    expect([500, 503]).toContain(status);
  });

  it.skipIf(!topics.includes('verify-call'))('verify-call accepts no call if the secret is empty', async () => {
    const headers = { 'X-Svc-Call-Id': 'call_1', 'X-Svc-Signature': signature('', 'call_1') };
    const url = `${the.keyless.url('verify-call')}/voice`;
    const status = await upgradeStatus(url, headers, name === 'Spring');
    expect([401, 403, 500, 503]).toContain(status);
  });
}
