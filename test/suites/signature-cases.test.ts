import { describe, expect, it } from 'vitest';
import { header } from '../../harness/wire/observation.ts';
import { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { badCallSignatures, badSignatures } from '../../suites/signature-cases.ts';

const secret = 'whsec_dGhlIHNlY3JldCBvZiB0aGUgdGVzdHM=';
const now = Date.parse('2026-10-12T12:00:00Z');
/** A signature that can be compared, and a time of the documented form (interface: Authentication). */
const readable = /^t=\d+,v1=[0-9a-f]{64}$/;

function headerOf(delivery: SignedDelivery | undefined): string | undefined {
  return delivery && header(delivery.request('http://127.0.0.1/', now), 'X-Svc-Signature');
}

const delivery = SignedDelivery.of({ id: 'evt_1' }, '{"id":"evt_1","n":1}', [], secret);
const call = SignedDelivery.upgrade('call_1', [['X-Svc-Call-Id', 'call_1']], secret);
const facts = {
  url: 'ws://127.0.0.1/voice',
  earlierCallId: 'call_0',
  earlierSignature: headerOf(SignedDelivery.upgrade('call_0', [], secret)),
};

describe('a bad signature counts as unreadable exactly if its header does not have the documented form', () => {
  it.each(badSignatures('delivery').map((bad) => [bad.what, bad] as const))('%s', (_, bad) => {
    expect(bad.isUnreadable ?? false).toBe(!readable.test(headerOf(bad.spoil(delivery)) ?? ''));
  });

  it.each(badCallSignatures.map((bad) => [bad.what, bad] as const))('%s', (_, bad) => {
    const spoiled = bad.spoil(call, facts);
    expect(spoiled).toBeDefined();
    expect(bad.isUnreadable ?? false).toBe(!readable.test(headerOf(spoiled) ?? ''));
  });
});
