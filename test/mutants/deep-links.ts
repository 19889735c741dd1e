import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import { listing } from '../proving/links.ts';
import type { Mutant } from './mutant.ts';

type Slug<Id> = Id extends `deep-links/${infer S}` ? S : never;

/** An integrator that lists these links in addition to correct ones. */
function mutant(
  name: string,
  breaks: Slug<RequirementId>,
  what: string,
  links: readonly string[],
  mayAlso?: Mutant['mayAlso'],
): Mutant {
  return {
    name: `link-${name}`,
    breaks: `deep-links/${breaks}`,
    what,
    ...(mayAlso && { mayAlso }),
    build: () => ({ links: listing(...links) }),
  };
}

const web = 'https://app.example.com/open';

const addresses: readonly Mutant[] = [
  mutant('path-alone', 'is-a-whole-address', 'Links are relative to the page that contains them.', [
    '/open/project?id=1001',
  ]),
  mutant('host-alone', 'is-a-whole-address', 'Links begin with the host and have no scheme.', [
    'app.example.com/open/project?crmId=7',
  ]),
  mutant('template-of-the-address', 'is-a-whole-address', 'The placeholder for the app address was never replaced.', [
    'https://{app_url}/open/project?id=1001',
  ]),
  mutant('app-scheme-without-slashes', 'is-a-whole-address', 'The app scheme is followed by the path, as in mailto.', [
    'svc:open/dial?number=%2B4930901820',
  ]),
  mutant('other-scheme', 'is-a-whole-address', 'The call link is a plain tel link.', ['tel:+4930901820']),
  mutant('http', 'web-link-is-https', 'Web links begin with http.', [
    'http://app.example.com/open/project?crmContactId=K-78',
  ]),
  mutant('path-with-capitals', 'web-link-has-a-documented-path', 'The path is written with capital letters.', [
    'https://app.example.com/Open/Project?id=1001',
  ]),
  mutant('path-in-the-plural', 'web-link-has-a-documented-path', 'The path has the form of those of the REST API.', [
    `${web}/projects?id=1001`,
  ]),
  mutant('id-in-the-path', 'web-link-has-a-documented-path', 'The id is in the path rather than in the query.', [
    `${web}/project/1001`,
  ]),
  mutant('path-behind-a-hash', 'web-link-has-a-documented-path', 'The path follows a #.', [
    'https://app.example.com/#/open/project?id=1001',
  ]),
  mutant('path-without-open', 'web-link-has-a-documented-path', 'The first part of the path is missing.', [
    'https://app.example.com/dial?number=%2B4930901820',
  ]),
  mutant('app-scheme-with-three-slashes', 'app-link-has-a-documented-path', 'Three slashes follow the app scheme.', [
    'svc:///open/project?id=1001',
  ]),
  mutant('app-scheme-with-a-host', 'app-link-has-a-documented-path', 'Only the https of a web link was replaced.', [
    'svc://app.example.com/open/project?id=1001',
  ]),
  mutant('app-scheme-without-open', 'app-link-has-a-documented-path', 'The path follows the app scheme without open.', [
    'svc://dial?number=%2B4930901820',
  ]),
  mutant('slash-before-the-query', 'path-has-no-extra-slash', 'The path ends in a slash.', [`${web}/project/?id=1001`]),
  mutant('doubled-slash', 'path-has-no-extra-slash', 'The app address was configured with a slash at its end.', [
    'https://app.example.com//open/dial?number=%2B4930901820',
  ]),
  mutant('api-key', 'carries-no-secret', 'The API key is appended as a parameter.', [
    'svc://open/project?id=1001&k=svc_sk_5hT2mQ8vX1',
  ]),
  mutant('agent-secret', 'carries-no-secret', 'The secret of the assistant follows the #.', [
    `${web}/project?id=1001#whsec_c2VjcmV0IG9mIG5vYm9keQ==`,
  ]),
  mutant('password', 'carries-no-secret', 'A user name and password precede the host.', [
    'https://crm:hunter2@app.example.com/open/project?id=1001',
  ]),
  mutant('token', 'has-no-parameter-for-a-credential', 'A session token of the page is included in the link.', [
    `${web}/project?id=1001&access_token=eyJhbGciOi`,
  ]),
];

const naming: readonly Mutant[] = [
  mutant('named-by-the-field', 'names-a-project', 'The parameter has the name of the field of the webhook.', [
    `${web}/project?svcProjectId=1001`,
  ]),
  mutant('parameter-in-lower-case', 'names-a-project', 'The parameter crmId is written in lower case.', [
    'svc://open/project?crmid=2026-0815',
  ]),
  mutant('no-query', 'names-a-project', 'Customers without a project get a link without a query.', [`${web}/project`]),
  mutant('named-twice', 'names-one-project', 'The link contains everything that is known.', [
    `${web}/project?id=1001&crmId=2026-0815`,
  ]),
  mutant('same-name-twice', 'names-one-project', 'The id is appended to a link that has one.', [
    'svc://open/project?id=1001&id=1001',
  ]),
  mutant('phone-for-number', 'names-a-number', 'The parameter is called phone, as the field of the API.', [
    `${web}/dial?phone=%2B4930901820`,
  ]),
  mutant('two-numbers', 'names-one-number', 'One link contains all numbers of a customer.', [
    'svc://open/dial?number=%2B4930901820&number=%2B4930901821',
  ]),
  ...['project?id=', 'project?crmId=', 'project?crmContactId', 'dial?number='].map((end) =>
    mutant(
      `empty-${/\?(\w+)/.exec(end)?.[1]?.toLowerCase()}`,
      'value-is-not-empty',
      `Without a value, the link ends in ${end.slice(end.indexOf('?'))}.`,
      [`${web}/${end}`],
    ),
  ),
  mutant('case-number-as-id', 'id-is-a-whole-number', "The integrator's own case number is passed as id.", [
    `${web}/project?id=K-2026-0815`,
  ]),
  mutant('id-with-separators', 'id-is-a-whole-number', 'The id is formatted for people.', [
    'svc://open/project?id=1.001',
  ]),
  mutant('national-number', 'number-is-international', 'Numbers are national.', [`${web}/dial?number=030901820`]),
  mutant('number-with-00', 'number-is-international', 'Numbers begin with 00 in place of the plus sign.', [
    'svc://open/dial?number=004930901820',
  ]),
  mutant('number-without-plus', 'number-is-international', 'The plus sign is omitted.', [
    `${web}/dial?number=4930901820`,
  ]),
  mutant('number-of-a-tel-link', 'number-is-international', 'The number is copied from a tel link with its scheme.', [
    `${web}/dial?number=tel%3A%2B4930901820`,
  ]),
  mutant('national-zero-behind-the-plus', 'number-is-international', 'A plus sign is put before a national number.', [
    'svc://open/dial?number=%2B030901820',
  ]),
  mutant('number-too-long', 'number-is-international', 'Two numbers are joined without a separator.', [
    `${web}/dial?number=%2B49309018204930901821`,
  ]),
  mutant('number-in-words', 'number-is-international', 'A label precedes the number.', [
    `${web}/dial?number=%2B4930901820%20mobile`,
  ]),
  mutant('number-cut', 'number-is-long-enough', 'Numbers are cut at the first separator.', [
    `${web}/dial?number=%2B4930`,
  ]),
  mutant(
    'undefined-case',
    'value-is-filled-in',
    'A missing case number is written as the string that the language prints for it.',
    [`${web}/project?crmId=undefined`, 'svc://open/project?crmContactId=null'],
  ),
  mutant('template-of-the-customer', 'value-is-filled-in', 'The template variable was encoded instead of replaced.', [
    'svc://open/project?crmContactId=%7B%7Bcustomer%7D%7D',
  ]),
];

const encoding: readonly Mutant[] = [
  mutant('number-with-raw-plus', 'plus-is-encoded', 'The plus sign of a number is not encoded.', [
    `${web}/dial?number=+4930901820`,
  ]),
  mutant('number-with-plus-for-spaces', 'plus-is-encoded', 'Numbers are form-encoded.', [
    'svc://open/dial?number=%2B49+30+901820',
  ]),
  mutant('case-with-plus-for-spaces', 'plus-is-encoded', 'Case numbers are form-encoded.', [
    `${web}/project?crmId=Fall+2026%2F0815`,
  ]),
  mutant('customer-with-raw-plus', 'plus-is-encoded', 'Customer numbers are inserted into the link unencoded.', [
    'svc://open/project?crmContactId=K+77',
  ]),
  mutant('case-with-raw-slash', 'slash-is-encoded', 'encodeURI is used, which does not encode slashes.', [
    `${web}/project?crmId=2026/0815`,
  ]),
  mutant('customer-with-raw-slash', 'slash-is-encoded', 'Slashes are not encoded in customer numbers.', [
    'svc://open/project?crmContactId=K/77',
  ]),
  mutant('number-with-raw-slash', 'slash-is-encoded', 'The slash after the area code is not encoded.', [
    `${web}/dial?number=%2B4930/901820`,
  ]),
  mutant('case-with-raw-space', 'space-is-encoded', 'Spaces are not encoded.', [
    `${web}/project?crmId=Fall 7`,
    'svc://open/project?crmContactId=Muller 7',
  ]),
  mutant('number-with-raw-space', 'space-is-encoded', 'Only the plus sign of a number is encoded.', [
    'svc://open/dial?number=%2B49 30 901820',
  ]),
  mutant('raw-percent', 'percent-is-encoded', 'A percent sign is not encoded.', [
    `${web}/project?crmId=100%`,
    'svc://open/project?crmContactId=5%-Klasse',
  ]),
  mutant('escape-function', 'percent-is-encoded', 'escape() writes letters outside Latin-1 as %u.', [
    'svc://open/project?crmContactId=K-%u0141',
  ]),
  mutant('raw-umlaut', 'non-ascii-is-encoded', 'Umlauts are not encoded.', [
    `${web}/project?crmContactId=Müller`,
    'svc://open/project?crmId=Straße',
    `${web}/dial?number=%2B49–30–901820`,
  ]),
  mutant('latin-1', 'encoded-bytes-are-utf-8', 'Umlauts are encoded as Latin-1.', [
    `${web}/project?crmContactId=M%FCller`,
    'svc://open/project?crmId=Stra%DFe',
    `${web}/dial?number=%2B49%A030%A0901820`,
  ]),
  mutant('raw-pipe', 'other-characters-are-encoded', 'The two parts of a case number are joined by an unencoded bar.', [
    `${web}/project?crmId=2026|0815`,
  ]),
  mutant('raw-quotes', 'other-characters-are-encoded', 'Quotes of the customer number are not encoded.', [
    'svc://open/project?crmContactId="K77"',
  ]),
  mutant(
    'template-of-the-case',
    'other-characters-are-encoded',
    'The template variable was not replaced.',
    ['svc://open/project?crmId={caseNumber}'],
    [{ id: 'deep-links/value-is-filled-in', why: 'it is the left-over of a template as well' }],
  ),
  mutant('number-encoded-twice', 'number-is-encoded-once', 'Numbers are encoded, and the query is encoded again.', [
    `${web}/dial?number=%252B4930901820`,
  ]),
  mutant('case-encoded-twice', 'value-is-encoded-once', 'Case numbers are encoded, and the query is encoded again.', [
    `${web}/project?crmId=2026%252F0815`,
  ]),
  mutant(
    'umlaut-encoded-twice',
    'value-is-encoded-once',
    'Customer numbers are encoded, and the query is encoded again.',
    ['svc://open/project?crmContactId=M%25C3%25BCller'],
  ),
  mutant('cut-at-ampersand', 'value-is-not-cut', 'An ampersand is not encoded.', [
    `${web}/project?crmContactId=M%C3%BCller&Co`,
    'svc://open/project?crmId=A&B',
  ]),
  mutant('cut-at-hash', 'value-is-not-cut', 'A # is not encoded.', [
    'svc://open/project?crmId=Fall#7',
    `${web}/project?crmContactId=Haus#7`,
  ]),
];

/** Lists of links with one fault. */
export const deepLinkMutants: readonly Mutant[] = [...addresses, ...naming, ...encoding];
