import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildDeepLink,
  deepLinkFormNames,
  deepLinkForms,
  internationalNumber,
  percentDecode,
  percentEncode,
  probableNumber,
  readAppUrl,
  valueFault,
  type DeepLinkForm,
} from '../../specs/deep-link.ts';
import { judgeDeepLink, linkRules } from '../../specs/judge-deep-link.ts';
import { hideSecrets } from '../../specs/link-secrets.ts';
import { readDeepLink } from '../../specs/read-deep-link.ts';
import { deepLinks } from '../../specs/requirements/deep-links.ts';

const slugs = (link: string) => judgeDeepLink(link).map(({ requirement }) => requirement.slice('deep-links/'.length));
const serious = (link: string) => judgeDeepLink(link).filter(({ level }) => level !== 'advice');

const anyText = fc.string({ unit: 'binary', minLength: 1 });
/** Characters that a link treats specially, and others. */
const trickyText = fc
  .array(fc.oneof(fc.constantFrom(...' +/%&#=?;:@"<>{}|\\^`~-._()[]äß🌱%2F%zz'), anyText), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => parts.join(''));
const wholeNumber = fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String);
const plainNumber = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.stringMatching(/^[0-9]{6,14}$/))
  .map(([first, rest]) => `+${first}${rest}`);

const valuesOf: Record<DeepLinkForm, fc.Arbitrary<string>> = {
  projectId: wholeNumber,
  crmId: trickyText,
  crmContactId: trickyText,
  dial: plainNumber,
};
const toBuild = fc.constantFrom(...deepLinkFormNames).chain((form) =>
  fc.record({
    form: fc.constant(form),
    value: valuesOf[form],
    appUrl: fc.constantFrom(undefined, 'https://app.example.com', 'http://localhost:8080/app'),
  }),
);

describe('a link that is built', () => {
  it('is correct, and decoding returns its value', () => {
    fc.assert(
      fc.property(toBuild, ({ form, value, appUrl }) => {
        const link = buildDeepLink(form, value, appUrl);
        expect(serious(link)).toEqual([]);
        const { parameter, opens } = deepLinkForms[form];
        const read = readDeepLink(link);
        expect(read).toMatchObject({ opens, values: [{ form, name: parameter }], fragment: undefined });
        expect(read.values[0]?.decoded).toEqual({ text: value, brokenPercents: [], isUtf8: true });
        // As other programs decode it: decodeURIComponent, and form decoders.
        expect(decodeURIComponent(read.values[0]?.raw ?? '')).toBe(value);
        expect(new URL(link).searchParams.get(parameter)).toBe(value);
      }),
      { numRuns: 500 },
    );
  });

  it('contains only characters that every reader keeps', () => {
    fc.assert(
      fc.property(toBuild, ({ form, value, appUrl }) => {
        expect(buildDeepLink(form, value, appUrl)).toMatch(/^(?:svc|https?):\/\/[\w.:/-]+\?[a-zA-Z]+=[\w.~%-]+$/);
      }),
    );
  });

  it.each<[DeepLinkForm, string, string]>([
    ['projectId', '1001', 'svc://open/project?id=1001'],
    ['crmId', 'K/7 +%ü&#', 'svc://open/project?crmId=K%2F7%20%2B%25%C3%BC%26%23'],
    ['crmContactId', "it's (7)!*", 'svc://open/project?crmContactId=it%27s%20%287%29%21%2A'],
    ['dial', '+49 (0)30 / 901-820', 'svc://open/dial?number=%2B4930901820'],
  ])('by %s from %j is %s', (form, value, link) => {
    expect(buildDeepLink(form, value)).toBe(link);
    expect(buildDeepLink(form, value, 'https://app.example.com/x')).toBe(
      link.replace('svc://', 'https://app.example.com/x/'),
    );
  });

  it.each<[DeepLinkForm, string, RegExp]>([
    ['projectId', 'K-7', /svcProjectId, a whole number, received "K-7"/],
    ['projectId', '', /received ""/],
    ['projectId', '１２', /whole number/],
    ['crmId', '', /a value, received an empty one/],
    ['crmContactId', 'a\ud83c', /lone surrogate/],
    ['dial', '030 901820', /international form, \+ and 7 to 15 digits, received "030 901820"/],
    ['dial', '+49110', /7 to 15 digits/],
    ['dial', '+1234567890123456', /7 to 15 digits/],
    ['dial', '+49 30 901820 ext. 12', /7 to 15 digits/],
  ])('by %s from %j is none', (form, value, message) => {
    expect(() => buildDeepLink(form, value)).toThrow(RangeError);
    expect(() => buildDeepLink(form, value)).toThrow(message);
  });

  it('suggests the number that was probably meant', () => {
    expect(valueFault('dial', '0049 30 901820')?.hint).toBe('Did you mean +4930901820?');
    expect(valueFault('dial', '030 901820')).not.toHaveProperty('hint');
  });
});

describe('the app address', () => {
  it.each([
    ['https://app.example.com', 'https://app.example.com'],
    ['https://app.example.com/', 'https://app.example.com'],
    ['https://App.Example.com:8443/in/box//', 'https://app.example.com:8443/in/box'],
    ['https://büro.example', 'https://xn--bro-hoa.example'],
    ['http://localhost:5173/', 'http://localhost:5173'],
    ['http://[::1]/', 'http://[::1]'],
  ])('%s is accepted', (text, url) => {
    expect(readAppUrl(text)).toEqual({ url });
  });

  it.each([
    ['app.example.com', /app address like https:/],
    ['http://app.example.com', /this machine only/],
    ['http://localhost.example.com', /this machine only/],
    ['svc://open', /this machine only/],
    ['https://app.example.com/?a=1', /without \? and #/],
    ['https://app.example.com/#/', /without \? and #/],
  ])('%s is not', (text, expected) => {
    expect(readAppUrl(text)).toEqual({ expected: expect.stringMatching(expected), received: JSON.stringify(text) });
  });

  it('with a password is not, and it is not repeated', () => {
    expect(JSON.stringify(readAppUrl('https://me:hunter2@app.example.com'))).not.toContain('hunter2');
    expect(readAppUrl('https://me:hunter2@app.example.com')).toHaveProperty('received');
  });
});

describe('percent encoding', () => {
  it('is undone by decoding, for any string', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(percentEncode(text)).toMatch(/^[\w.~%-]*$/);
        expect(percentDecode(percentEncode(text))).toEqual({ text, brokenPercents: [], isUtf8: true });
      }),
    );
  });

  it.each([
    ['%C3%bc', 'ü', true, []],
    ['%FC', '\ufffd', false, []],
    ['%C3', '\ufffd', false, []],
    ['%C3%C3%BC', '\ufffdü', false, []],
    ['%ED%A0%80', '\ufffd\ufffd\ufffd', false, []],
    ['%EF%BF%BD', '\ufffd', true, []],
    ['%EF%BB%BFx', '\ufeffx', true, []],
    ['a+b', 'a+b', true, []],
    ['100%', '100%', true, ['%']],
    ['%u00FC%4', '%u00FC%4', true, ['%u00FC', '%4']],
    ['%%41', '%A', true, ['%']],
  ])('%s is decoded as %j', (raw, text, isUtf8, brokenPercents) => {
    expect(percentDecode(raw)).toEqual({ text, isUtf8, brokenPercents });
  });
});

describe('a phone number', () => {
  it.each([
    ['+4930901820', '+4930901820', 10],
    ['+49 30 901820', '+4930901820', 10],
    ['+49 (0)30/901-820', '+4930901820', 10],
    ['+1 (212) 555.0100', '+12125550100', 11],
    ['+ 49\u00a030\u2013901820', '+4930901820', 10],
    ['+123456789012345', '+123456789012345', 15],
    ['+49110', '+49110', 5],
  ])('%j is international', (text, plain, digits) => {
    expect(internationalNumber(text)).toEqual({ plain, digits, hasExtension: false });
  });

  it.each(['+49 30 901820;ext=12', '+4930901820 ext. 12', '+4930901820x12'])('%j has an extension', (text) => {
    expect(internationalNumber(text)).toEqual({ plain: '+4930901820', digits: 10, hasExtension: true });
  });

  it.each([
    '',
    '+',
    '030901820',
    '4930901820',
    '004930901820',
    '+030901820',
    '+49 30 CALL ME',
    '+1234567890123456',
    '\uff0b4930901820',
    '++4930901820',
    '+4930901820\t',
    `+49${' '.repeat(100)}30901820`,
  ])('%j is not', (text) => {
    expect(internationalNumber(text)).toBeUndefined();
  });

  it.each([
    ['0049 30 901820', '+4930901820'],
    [' 4930901820', '+4930901820'],
    ['tel:+4930901820', '+4930901820'],
    ['030901820', undefined],
    ['4930901820', undefined],
    ['00049', undefined],
  ])('%j was probably meant as %j', (text, number) => {
    expect(probableNumber(text)).toBe(number);
  });
});

const web = 'https://app.example.com/open';

describe('a right link', () => {
  it.each([
    `${web}/project?id=1001`,
    `${web}/project?crmId=2026%2F0815%20%2B%25`,
    'svc://open/project?crmContactId=M%C3%BCller',
    'svc://open/dial?number=%2B49%2030%20901820',
    `${web}/project?id=1&utm_source=a+b/c d&%zz=ü`,
    `${web}/project?crmId=%c3%bc%2f%41`,
    'SVC://OPEN/project?id=7',
    `${web}/%70roject?%69d=7`,
    `${web}/project?crmId=%2541`,
  ])('%s has no fault', (link) => {
    expect(judgeDeepLink(link)).toEqual([]);
  });

  it('stays correct with any part of its value encoded, in either case of hex digits', () => {
    const how = fc.array(fc.constantFrom('unchanged', 'upper', 'lower'), { minLength: 1 });
    const form = fc.constantFrom<DeepLinkForm>('crmId', 'crmContactId');
    fc.assert(
      fc.property(form, trickyText, how, (name, value, ways) => {
        const written = [...value].map((character, at) => {
          const needs = percentEncode(character);
          const way = ways[at % ways.length];
          // Unreserved, or a character that a query may contain (RFC 3986, 3.4) and that does not end a value.
          if (way === 'unchanged' && /[\w.~!$'()*,;:@?=-]/.test(character)) return character;
          const all = needs === character ? `%${character.charCodeAt(0).toString(16)}` : needs;
          return way === 'lower' ? all.toLowerCase() : all;
        });
        const link = `svc://open/project?${name}=${written.join('')}`;
        expect(serious(link)).toEqual([]);
        expect(readDeepLink(link).values[0]?.decoded.text).toBe(value);
      }),
      { numRuns: 500 },
    );
  });
});

describe('what the interface leaves open', () => {
  it.each<[string, string]>([
    ['web-link-is-https', 'http://a.example/open/project?id=1'],
    ['number-is-international', `${web}/dial?number=112`],
    ['number-is-international', `${web}/dial?number=030%20901820`],
    ['number-is-international', `${web}/dial?number=901820%3Bext%3D12`],
    ['encoded-bytes-are-utf-8', `${web}/project?crmContactId=M%FCller`],
    ['names-one-project', `${web}/project?id=7&crmId=7`],
    ['names-one-project', `${web}/project?id=7&crmId=`],
    ['names-one-number', `${web}/dial?number=%2B4930901820&number=%2B4930901821`],
  ])('is advice: %s, as in %s', (slug, link) => {
    expect(judgeDeepLink(link)).toMatchObject([{ requirement: `deep-links/${slug}`, level: 'advice' }]);
  });
});

describe('a faulty link', () => {
  it.each<[string, string[], string?]>([
    ['', ['is-a-whole-address']],
    ['/open/project?id=1', ['is-a-whole-address']],
    ['https:///open/project?id=1', ['is-a-whole-address']],
    ['https://{app_url}/open/project?id=1', ['is-a-whole-address']],
    ['svc:open/project?id=1', ['is-a-whole-address']],
    ['javascript:alert(1)', ['is-a-whole-address']],
    ['http://a.example/open/project?id=1', ['web-link-is-https'], 'https://a.example/open/project?id=1'],
    [`${web}/Project?id=1`, ['web-link-has-a-documented-path'], `${web}/project?id=1`],
    [`${web}/project%3Fid=1`, ['web-link-has-a-documented-path']],
    ['https://a.example/#/open/project?id=1', ['web-link-has-a-documented-path']],
    ['svc:///open/project?id=1', ['app-link-has-a-documented-path'], 'svc://open/project?id=1'],
    [
      'svc://a.example/open/dial?number=%2B4930901820',
      ['app-link-has-a-documented-path'],
      'svc://open/dial?number=%2B4930901820',
    ],
    [`${web}//project/?id=1`, ['path-has-no-extra-slash'], `${web}/project?id=1`],
    [`${web}/project?id=1&x=svc_sk_abcd1234`, ['carries-no-secret'], `${web}/project?id=1`],
    [`${web}/project?id=1&x=svc%5Fsk%5Fabcd1234`, ['carries-no-secret'], `${web}/project?id=1`],
    [`${web}/project?id=1#whsec_abcd1234`, ['carries-no-secret'], `${web}/project?id=1`],
    [`${web}/project?id=1&apiKey=1`, ['has-no-parameter-for-a-credential'], `${web}/project?id=1`],
    [`${web}/project`, ['names-a-project']],
    [`${web}/project?crm_id=A/7`, ['names-a-project'], `${web}/project?crmId=A%2F7`],
    [`${web}/project?svcProjectId=7`, ['names-a-project'], `${web}/project?id=7`],
    [`${web}/project?contact=7`, ['names-a-project']],
    [`${web}/project?crmId=A/7&projectId=7`, ['slash-is-encoded'], `${web}/project?crmId=A%2F7&projectId=7`],
    [`${web}/project?id=7&crmId=7`, ['names-one-project']],
    [`${web}/project?id=7&id=7`, ['names-one-project'], `${web}/project?id=7`],
    [`${web}/project?id=7&crmId=`, ['names-one-project'], `${web}/project?id=7`],
    [`${web}/project?id=&crmId=`, ['names-one-project', 'value-is-not-empty', 'value-is-not-empty']],
    [`${web}/project?crmContactId`, ['value-is-not-empty']],
    [`${web}/dial?phone=%2B4930901820`, ['names-a-number'], `${web}/dial?number=%2B4930901820`],
    [`${web}/dial?number=%2B4930901820&number=%2B4930901821`, ['names-one-number']],
    [`${web}/project?id=7.0`, ['id-is-a-whole-number']],
    [`${web}/project?id=+7`, ['id-is-a-whole-number']],
    [`${web}/dial?number=030901820`, ['number-is-international']],
    [`${web}/dial?number=0049%2030%20901820`, ['number-is-international'], `${web}/dial?number=%2B4930901820`],
    [`${web}/dial?number=%204930901820`, ['number-is-international'], `${web}/dial?number=%2B4930901820`],
    [`${web}/dial?number=%2B49110`, ['number-is-long-enough']],
    [`${web}/project?crmId=null`, ['value-is-filled-in']],
    [`${web}/dial?number=+49+30+901820`, ['plus-is-encoded'], `${web}/dial?number=%2B4930901820`],
    [`${web}/project?crmId=a+b`, ['plus-is-encoded']],
    [`${web}/project?crmContactId=a/b`, ['slash-is-encoded'], `${web}/project?crmContactId=a%2Fb`],
    [`${web}/project?crmId=a b`, ['space-is-encoded'], `${web}/project?crmId=a%20b`],
    [`${web}/project?crmId=100%`, ['percent-is-encoded'], `${web}/project?crmId=100%25`],
    [`${web}/project?crmId=%u00FC`, ['percent-is-encoded']],
    [`${web}/project?crmId=ü`, ['non-ascii-is-encoded'], `${web}/project?crmId=%C3%BC`],
    [`${web}/project?crmId=%FC`, ['encoded-bytes-are-utf-8']],
    [`${web}/dial?number=%2B49%A030%A0901820`, ['encoded-bytes-are-utf-8'], `${web}/dial?number=%2B4930901820`],
    [`${web}/project?crmId=a|b`, ['other-characters-are-encoded'], `${web}/project?crmId=a%7Cb`],
    [`${web}/project?crmId=a\tb`, ['other-characters-are-encoded'], `${web}/project?crmId=a%09b`],
    [`${web}/dial?number=%252B4930901820`, ['number-is-encoded-once'], `${web}/dial?number=%2B4930901820`],
    [`${web}/project?crmId=a%252Fb`, ['value-is-encoded-once']],
    [`${web}/project?crmId=M%25FCller`, ['value-is-encoded-once']],
    [`${web}/project?crmId=a&b`, ['value-is-not-cut']],
    [`${web}/project?crmId=a#b`, ['value-is-not-cut']],
  ])('%s breaks %j', (link, broken, right) => {
    expect(slugs(link)).toEqual(broken);
    for (const finding of judgeDeepLink(link)) expect(finding.right).toBe(right);
  });

  it('is reported with level, expectation and what was received', () => {
    expect(judgeDeepLink(`${web}/dial?number=+4930901820`)).toEqual([
      {
        requirement: 'deep-links/plus-is-encoded',
        level: 'must',
        expected: '%2B for a plus sign and %20 for a space',
        received: 'a plus sign without encoding in number=+4930901820',
        hint: 'Some programs read an unencoded plus sign as a space, others as a plus sign.',
        right: `${web}/dial?number=%2B4930901820`,
      },
    ]);
  });

  it('meets every rule once it is fixed, and is reported only if it had a fault', () => {
    const part = fc.oneof(
      trickyText,
      fc.constantFrom(
        'https://a.example',
        'svc://',
        '/open/project',
        'open/dial',
        '?',
        '&',
        '=',
        'id=7',
        'crmId=',
        'number=+49',
      ),
    );
    let put = 0;
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const link = parts.join('');
        for (const { right } of judgeDeepLink(link)) {
          if (right === undefined) continue;
          put++;
          expect(right).not.toBe(link);
          expect(serious(right)).toEqual([]);
        }
      }),
      { numRuns: 3_000 },
    );
    fc.assert(
      fc.property(trickyText, (value) => {
        const name = value.includes('&') || value.includes('#') ? 'x' : 'crmId';
        for (const { right } of judgeDeepLink(`http://a.example/open/project?${name}=${value}`)) {
          if (right === undefined) continue;
          put++;
          expect(serious(right)).toEqual([]);
        }
      }),
    );
    expect(put).toBeGreaterThan(10);
  });
});

describe('a secret in a link', () => {
  const secret = 'Zq7xW2mK9pL4';

  it.each([
    `${web}/project?id=1&key=svc_sk_${secret}`,
    `${web}/project?crmId=svc_sk_${secret}%2F`,
    `${web}/project?id=1&k=SVC%5FSK%5F${secret}`,
    `${web}/dial?number=whsec_${secret}`,
    `https://me:${secret}@app.example.com/open/project?id=x`,
    `${web}/project?id=1&access_token=${secret}`,
    `svc://open/project?token=${secret}`,
    `${web}/project?projectId=1&password=${secret}#client_secret=${secret}`,
    `/open/project?apikey=${secret}`,
    `${web}/project?crmId=//me:${secret}${'x'.repeat(150)}@a.example`,
    `ftp://me:${secret}${'x'.repeat(60)}@app.example.com/`,
    `${web}/project?id=x&k=%73vc%255Fsk_${secret}`,
    `${web}/dial?number=svc%255Fsk%255F${secret}`,
    `${web}/x/svc_sk_${secret}`,
  ])('is not repeated: %s', (link) => {
    expect(hideSecrets(link)).not.toContain(secret);
    const findings = judgeDeepLink(link);
    expect(findings.length).toBeGreaterThan(0);
    expect(JSON.stringify(findings)).not.toContain(secret);
  });

  it('leaves a link without any unchanged', () => {
    fc.assert(
      fc.property(toBuild, ({ form, value, appUrl }) => {
        const link = buildDeepLink(form, value, appUrl);
        fc.pre(!/svc_sk_|whsec_/i.test(link));
        expect(hideSecrets(link)).toBe(link);
      }),
    );
  });
});

describe('the rules', () => {
  it('judge every observable requirement, in the order of the catalogue', () => {
    const observable = Object.entries(deepLinks).filter(([, entry]) => !('unobservable' in entry));
    expect([...new Set(linkRules.map(({ requirement }) => requirement))]).toEqual(observable.map(([id]) => id));
  });

  it('accept any string', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyText, fc.string({ unit: fc.constantFrom('%', '/', ':', '?', '#', '&', '=', '+', '2', '\ud83c') })),
        (text) => {
          expect(() => judgeDeepLink(text)).not.toThrow();
        },
      ),
    );
  });

  it('say of an unrelated link that it has nothing to judge', () => {
    const { requirement } = linkRules.find(({ title }) => title.startsWith('a slash in crmId')) ?? {};
    expect(requirement).toBe('deep-links/slash-is-encoded');
    const rule = linkRules.find((one) => one.requirement === requirement && one.title.includes('crmId'));
    expect(rule?.judge(readDeepLink('svc://open/project?crmId=7'))).toBe('nothing');
    expect(rule?.judge(readDeepLink('svc://open/project?crmId=%2f'))).toBe(true);
    expect(rule?.judge(readDeepLink('svc://open/project?crmId=/'))).toHaveProperty('expected');
  });
});
