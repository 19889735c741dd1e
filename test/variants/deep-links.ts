import { listing } from '../proving/links.ts';
import type { Variant } from './variant.ts';

function variant(name: string, what: string, links: readonly string[], advised?: Variant['advised']): Variant {
  return {
    name: `links-${name}`,
    what,
    surfaces: ['deep-links'],
    ...(advised && { advised }),
    build: () => ({ links }),
  };
}

const web = 'https://app.example.com/open';

/** Correct but unusual lists of links. */
export const deepLinkVariants: readonly Variant[] = [
  variant('the-right-ones', 'The links to which mutants add their own.', listing()),
  variant('as-a-file-may-be', 'Has comments, empty lines and white space around links.', [
    '# The links of the customer page',
    '',
    `  ${web}/project?id=1\t`,
    '   # indented',
    `${web}/dial?number=%2B4930901820\r`,
  ]),
  variant('one-form-only', 'Uses one form with one address; the rest is not exercised.', ['svc://open/project?id=7']),
  variant('lower-case-hex', 'Writes hex digits in lower case.', [
    `${web}/project?crmId=2026%2f0815%20%c3%a4%25`,
    'svc://open/dial?number=%2b4930901820',
  ]),
  variant(
    'more-encoded-than-needed',
    'Encodes letters, digits and marks that need no encoding, also in names and paths.',
    [
      `${web}/project?crmId=%4B%2D%37%7E%2E%5F`,
      `${web}/%70roject?%69d=%31`,
      'svc://open/dial?number=%2B%34%39%33%30901820',
    ],
  ),
  variant('less-encoded-than-usual', 'Leaves marks unencoded that RFC 3986 allows in a query.', [
    `${web}/project?crmId=K:77@(a)!$'*,;=?~`,
    'svc://open/project?crmContactId=urn:customer:7',
  ]),
  variant('addresses-of-all-kinds', 'Has hosts in capitals, ports, paths before open, other letters in a host.', [
    'HTTPS://APP.Example.COM/open/project?id=1',
    'https://app.example.com:8443/open/project?crmId=7',
    'https://example.com/apps/inbox/open/project?crmContactId=7',
    'https://b%C3%BCro.example/open/dial?number=%2B4930901820',
    'https://büro.example/open/project?id=2',
    'https://[2001:db8::1]/open/project?id=3',
    'SVC://Open/project?id=4',
  ]),
  variant('own-app-on-this-machine', 'Tries its links with an app address on this machine.', [
    'http://localhost:5173/open/project?id=1',
    'http://127.0.0.1/open/dial?number=%2B4930901820',
    'http://[::1]:8080/open/project?crmId=7',
  ]),
  variant('other-parameters', 'Adds custom parameters before and after, written in any way.', [
    `${web}/project?utm_source=crm+mail&id=7&from=a/b&x`,
    `${web}/project?crmContactId=K-77&lang=de&number=030`,
    'svc://open/dial?number=%2B4930901820&id=none&crmId=',
    `${web}/project?id=7#notes`,
  ]),
  variant('ids-of-all-sizes', 'Has ids that are large, small, or have leading zeros.', [
    `${web}/project?id=9007199254740993`,
    `${web}/project?id=0`,
    'svc://open/project?id=-1',
    'svc://open/project?id=0007',
  ]),
  variant(
    'numbers-for-people',
    'Has separators, an extension, or the longest and shortest number in international form.',
    [
      `${web}/dial?number=%2B49%2030%20%2F%20901-820`,
      `${web}/dial?number=%2B1%20%28212%29%20555-0100`,
      `${web}/dial?number=%2B49%20%280%29%2030.901820`,
      'svc://open/dial?number=%2B4930901820%3Bext%3D12',
      'svc://open/dial?number=%2B49%C2%A030%E2%80%93901820',
      'svc://open/dial?number=%2B123456789012345',
      'svc://open/dial?number=%2B6834000',
    ],
  ),
  variant(
    'numbers-that-are-not-international',
    'Has short, national and internal numbers: the interface asks for the international form at the API only.',
    [`${web}/dial?number=112`, `${web}/dial?number=030%20901820`, 'svc://open/dial?number=901820%3Bext%3D12'],
    ['deep-links/number-is-international'],
  ),
  variant(
    'in-latin-1',
    'Encodes the bytes of Latin-1: the interface does not name a character set.',
    [`${web}/project?crmContactId=M%FCller`, 'svc://open/project?crmId=Stra%DFe'],
    ['deep-links/encoded-bytes-are-utf-8'],
  ),
  variant(
    'more-parameters-than-one',
    'Has several parameters in one link, empty ones among them: the interface does not say which counts.',
    [
      `${web}/project?id=7&crmId=2026-0815`,
      'svc://open/project?crmId=&crmContactId=K-77',
      'svc://open/dial?number=%2B4930901820&number=%2B4930901821',
    ],
    ['deep-links/names-one-project', 'deep-links/names-one-number'],
  ),
  variant(
    'over-http',
    'Has an app address with http: the interface writes it without a scheme.',
    ['http://app.example.com/open/project?crmContactId=K-78'],
    ['deep-links/web-link-is-https'],
  ),
  variant('case-numbers-of-all-kinds', 'Has values in many scripts, with marks, blanks and control characters.', [
    `${web}/project?crmId=%E6%A1%88%E4%BB%B6%20%F0%9F%8C%B1`,
    `${web}/project?crmId=%20a%20`,
    `${web}/project?crmContactId=%3Cb%3E%20%7B%7D%20%22%09%00`,
    'svc://open/project?crmContactId=na%CC%88chste%EF%BF%BD',
    'svc://open/project?crmId=0',
    'svc://open/project?crmId=NULL-7',
  ]),
  variant(
    'case-number-that-looks-encoded',
    'Its case numbers themselves contain encoded characters, so %252F is correct.',
    [`${web}/project?crmId=urn%253Acase%252F7`],
    ['deep-links/value-is-encoded-once'],
  ),
  variant('percent-in-a-case-number', 'Its case numbers contain percent signs that begin no escape.', [
    `${web}/project?crmId=100%25`,
    `${web}/project?crmContactId=5%25-Klasse`,
    'svc://open/project?crmId=%25zz',
  ]),
  variant(
    'slash-at-the-end',
    'Its paths end in a slash, which the interface neither shows nor forbids.',
    [`${web}/project/?id=7`, 'svc://open/dial/?number=%2B4930901820'],
    ['deep-links/path-has-no-extra-slash'],
  ),
];
