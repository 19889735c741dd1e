import { expect, it } from 'vitest';
import { RateLimited } from '../../diagnosis/rate-limited.ts';
import { causeOfStop } from '../../diagnosis/cause-of-stop.ts';
import { ValidRequests } from '../../diagnosis/valid-requests.ts';
import { forgedSignatures } from '../../harness/wire/forged-signatures.ts';
import type { Observation } from '../../harness/wire/observation.ts';
import { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { withToken } from '../../diagnosis/with-token.ts';

const secret = 'whsec_of-the-tests';
const url = 'http://127.0.0.1/in';
const delivery = SignedDelivery.of({}, '{}', [], secret);
const answered = (made: SignedDelivery, status: number): Observation =>
  ({
    kind: 'http',
    request: made.request(url, Date.now()),
    answer: { outcome: 'answered', status, headers: [], body: new Uint8Array() },
  }) as unknown as Observation;

it('counts valid requests only, with a signature or a token', () => {
  const valid = new ValidRequests(() => secret);
  for (const made of [delivery, withToken({}, '{}', secret)]) valid.record(answered(made, 200));
  expect(valid).toMatchObject({ count: 2, hasInvalid: false });
  for (const forge of [forgedSignatures.noHeader, forgedSignatures.staleT, forgedSignatures.changedDigitInBody]) {
    const one = new ValidRequests(() => secret);
    one.record(answered(forge(SignedDelivery.of({}, '{"a":1}', [], secret)), 401));
    expect(one).toMatchObject({ count: 0, hasInvalid: true });
  }
});

it('remembers an accepted request only if it is valid', () => {
  const valid = new ValidRequests(() => secret);
  const make = () => delivery.request(url, Date.now());
  valid.remember(answered(forgedSignatures.garbage(delivery), 200), make);
  valid.remember(answered(delivery, 401), make);
  expect(valid.accepted).toBeUndefined();
  valid.remember(answered(delivery, 204), make);
  expect(valid.accepted).toBe(make);
});

it('remembers the types of valid requests that were accepted', () => {
  const valid = new ValidRequests(() => secret);
  const ping = SignedDelivery.of({}, '{"type":"ping"}', [], secret);
  valid.record(answered(ping, 401));
  valid.record(answered(forgedSignatures.garbage(ping), 200));
  expect([...valid.acceptedTypes]).toEqual([]);
  valid.record(answered(ping, 204));
  expect([...valid.acceptedTypes]).toEqual(['ping']);
});

it('counts a forged signature as refused only if it has an empty secret', () => {
  const valid = new ValidRequests(() => secret);
  const ping = SignedDelivery.of({}, '{"type":"ping"}', [], secret);
  for (const one of [
    ping.with({ secret: 'whsec_another' }),
    ping.with({ write: (t) => `t=${t},v1=${'0'.repeat(64)}` }),
  ])
    valid.record(answered(one, 401));
  expect([...valid.forgedTypes]).toEqual([]);
  valid.record(answered(forgedSignatures.emptySecret(ping), 401));
  expect([...valid.forgedTypes]).toEqual(['ping']);
});

it('makes a limit a cause only if no invalid request preceded it', () => {
  const valid = new ValidRequests(() => secret);
  valid.record(answered(delivery, 200));
  valid.record(answered(forgedSignatures.garbage(delivery), 429));
  expect(causeOfStop(new RateLimited(valid, 60_000))?.id).toBe('http/rate-limited');
  valid.record(answered(forgedSignatures.garbage(delivery), 401));
  expect(causeOfStop(new RateLimited(valid, 60_000))).toBeUndefined();
});
