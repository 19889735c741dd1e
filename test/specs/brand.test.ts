import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Brand } from '../../specs/brand.ts';

const acme = Brand.named('Acme');

describe('a brand', () => {
  it('has the spelling of each kind of name from one word', () => {
    const names = 'X-Svc-Signature x-svc-call-id HTTP_X_SVC_EVENT svcContactId svcProjectId svc_sk_';
    const spelled = (brand: string) => Brand.named(brand).text(names);
    expect(spelled('Acme')).toBe(
      'X-Acme-Signature x-acme-call-id HTTP_X_ACME_EVENT acmeContactId acmeProjectId acme_sk_',
    );
    expect(spelled('acme')).toBe(spelled('Acme'));
    expect(spelled('ACME')).toBe(spelled('Acme').replace('X-Acme-', 'X-ACME-'));
    expect(spelled('myBrand')).toBe(
      'X-MyBrand-Signature x-mybrand-call-id HTTP_X_MYBRAND_EVENT myBrandContactId myBrandProjectId mybrand_sk_',
    );
    expect(spelled('1and1')).toContain('X-1and1-Signature');
    expect(spelled('Svc')).toBe(names);
  });

  it.each(['Acme', 'ACME', 'myBrand', 'SVC', 'S', 'Svcs', 'Contact', 'X'])(
    '%s maps back what it has mapped',
    (name) => {
      const brand = Brand.named(name);
      const word = fc.constantFrom(
        ...['X-Svc-', 'x-svc-', 'svcContactId', 'svcProjectId', 'svc_sk_', 'Signature', '"', ':', ' ', '\\', '{', 'x'],
        ...['X-', 'Acme', 'acme', 'ACME', 'SVC', 'Svc', 'svc', 'ContactId', '_sk_', '-', '/'],
      );
      fc.assert(
        fc.property(fc.array(word, { maxLength: 12 }), (words) => {
          const text = words.join('');
          expect(brand.text(brand.text(text))).toBe(text);
          expect(brand.json(brand.json(text))).toBe(text);
        }),
      );
    },
  );

  it('leaves what only resembles a name', () => {
    const others =
      'svc svc-conform SVC_API_KEY mysvcContactId svcContactIds svc://open X-Svc #a-call-without-x-svc-call-id';
    expect(acme.text(others)).toBe(others);
  });

  it('maps field names of JSON and not a byte of anything else', () => {
    const text = String.raw`{ "svcContactId" : 1,"note":"\"svcContactId\": svcContactId, X-Svc-Event","list":["svcProjectId"], "svcProjectId"
:2.0, "acmeContactId":3 trailing`;
    expect(acme.json(text)).toBe(
      text
        .replace('"svcContactId" :', '"acmeContactId" :')
        .replace('"svcProjectId"\n', '"acmeProjectId"\n')
        .replace('"acmeContactId":3', '"svcContactId":3'),
    );
    const bytes = Buffer.concat([Buffer.from([0xff, 0xc3]), Buffer.from('{"svcContactId":"ä"}'), Buffer.from([0])]);
    expect(acme.body(bytes).toString('latin1')).toBe(bytes.toString('latin1').replace('svcContactId', 'acmeContactId'));
    const plain = Buffer.from('{"text":"svcContactId"}');
    expect(acme.body(plain)).toBe(plain);
  });

  it('maps requests, and no signed body', () => {
    const body = Buffer.from('{"svcContactId":1}');
    const request = { url: 'u', headers: [['X-Svc-Event', 'X-Svc-Event svc_sk_1']] as const, body };
    expect(acme.request(request)).toEqual({
      url: 'u',
      headers: [['X-Acme-Event', 'X-Svc-Event svc_sk_1']],
      body: Buffer.from('{"acmeContactId":1}'),
    });
    for (const name of ['X-Svc-Signature', 'x-acme-signature']) {
      expect(acme.request({ headers: [[name, 't=1']], body }).body).toBe(body);
    }
  });

  it('of the document maps nothing', () => {
    const own = Brand.named();
    const request = { headers: [['X-Svc-Event', 'ping']] as const, body: Buffer.from('{"svcContactId":1}') };
    expect(own.request(request)).toBe(request);
    expect([own.name, own.keyPrefix, own.isDocuments]).toEqual(['Svc', 'svc_sk_', true]);
    expect(Brand.named('svc')).toMatchObject({ isDocuments: true });
  });
});
