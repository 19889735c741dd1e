import { describe, expect, it } from 'vitest';
import { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { hmacHex, signatureHeader, signedBytes } from '../../specs/signing.ts';
import file from '../../specs/signing-vectors.json' with { type: 'json' };

const { vectors, callIdVectors } = file;
const url = 'http://127.0.0.1/hooks';
const valueOf = (headers: readonly (readonly [string, string])[], name: string) =>
  headers.filter(([key]) => key === name).map(([, value]) => value);

describe('the signature', () => {
  it.each(vectors)('is that of the vector: $name', ({ secret, t, bodyBase64, header }) => {
    expect(signatureHeader({ secret, t, body: Buffer.from(bodyBase64, 'base64') })).toBe(header);
  });

  it.each(callIdVectors)('is that of the vector for calls: $name', ({ secret, t, callId, header }) => {
    expect(signatureHeader({ secret, t, body: callId })).toBe(header);
  });

  it('reads text as UTF-8', () => {
    for (const { secret, t, bodyText, header } of vectors) {
      if (bodyText !== undefined) expect(signatureHeader({ secret, t, body: bodyText })).toBe(header);
    }
  });

  it('differs with every part', () => {
    const base = { secret: 'whsec_c2VjcmV0', t: 1791712800, body: '{}' };
    const others = [
      { ...base, secret: 'c2VjcmV0' },
      { ...base, secret: 'whsec_c2VjcmV1' },
      { ...base, t: 1791712801 },
      { ...base, body: '{ }' },
    ];
    const signatures = [base, ...others].map((input) => signatureHeader(input).split('v1=')[1]);
    expect(new Set(signatures).size).toBe(signatures.length);
    expect(signatures[0]).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('a signed delivery', () => {
  const [vector] = vectors.filter(({ bodyText }) => bodyText !== undefined && bodyText !== '');
  if (!vector) throw new Error('expected a vector with text, received none');
  const { secret, t, header } = vector;
  const text = vector.bodyText ?? '';
  const made = () => SignedDelivery.of({ some: 'event' }, text, [['X-Svc-Delivery-Id', 'whd_1']], secret);
  const signatureOf = (delivery: SignedDelivery, now = t * 1000) =>
    valueOf(delivery.request(url, now).headers, 'X-Svc-Signature');

  it.each(vectors.filter(({ bodyText }) => bodyText !== undefined))('is signed as the vector: $name', (one) => {
    const delivery = SignedDelivery.of({}, one.bodyText ?? '', [], one.secret);
    expect(signatureOf(delivery, one.t * 1000)).toEqual([one.header]);
  });

  it('is a POST of the exact bytes with the headers before the signature', () => {
    const request = made().request(url, t * 1000 + 999);
    expect(request).toMatchObject({
      method: 'POST',
      url,
      headers: [
        ['X-Svc-Delivery-Id', 'whd_1'],
        ['X-Svc-Signature', header],
      ],
    });
    expect(Buffer.from(request.body).toString()).toBe(text);
  });

  it('has the moment of sending as t, in whole seconds', () => {
    const delivery = made();
    expect(signatureOf(delivery, (t + 61) * 1000 + 1)[0]).toContain(`t=${t + 61},`);
    expect(signatureOf(delivery, t * 1000 + 999)).toEqual([header]);
  });

  it('can have an offset from the time, in t and in the signature', () => {
    expect(signatureOf(made().with({ offsetSeconds: -310 }), (t + 310) * 1000)).toEqual([header]);
  });

  it('can be changed after signing, in body and in headers', () => {
    const delivery = made().withBodyChangedAfterSigning((body) => Buffer.concat([body, Buffer.from('\n')]));
    expect(Buffer.from(delivery.request(url, t * 1000).body).toString()).toBe(`${text}\n`);
    expect(signatureOf(delivery)).toEqual([header]);
    const other = made().withHeader('x-svc-delivery-id', 'whd_2').withHeader('Content-Type', 'text/plain');
    expect(other.headers).toEqual([
      ['x-svc-delivery-id', 'whd_2'],
      ['Content-Type', 'text/plain'],
    ]);
    expect(made().withHeader('X-SVC-Delivery-ID', undefined).headers).toEqual([]);
  });

  it('signs replaced bytes', () => {
    const delivery = made().withBody(Buffer.from('{"other":1}'));
    expect(signatureOf(delivery)).toEqual([signatureHeader({ secret, t, body: '{"other":1}' })]);
  });

  it('can be signed over anything and written in any way, or not at all', () => {
    const bodyOnly = made().with({ signedParts: (_, body) => [body] });
    expect(signatureOf(bodyOnly)).toEqual([`t=${t},v1=${hmacHex(secret, [Buffer.from(text)])}`]);
    expect(signatureOf(made().with({ write: () => undefined }))).toEqual([]);
    expect(signatureOf(made().with({ write: () => '' }))).toEqual(['']);
    const bytes = Buffer.from([1, 2, 3]);
    expect(signatureOf(made().with({ secret: bytes }))).toEqual([`t=${t},v1=${hmacHex(bytes, signedBytes(t, text))}`]);
  });

  it('does not change the original delivery', () => {
    const delivery = made();
    delivery.with({ secret: 'other' });
    delivery.withBodyChangedAfterSigning((body) => body.fill(0));
    expect(signatureOf(delivery)).toEqual([header]);
    expect(delivery.secret).toBe(secret);
    expect(Buffer.from(delivery.body).toString()).toBe(text);
  });
});
