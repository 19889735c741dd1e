import type { Assumption } from './assumption.ts';

/** Open points of the interface about deep links. */
export const deepLinkAssumptions = {
  'deep-link-app-address': {
    section: 'Deep links',
    notShown: 'The scheme of the app address, and whether it has a port or a path.',
    weDo: 'Accepts any host with any port and path before /open; reports http on another machine as advice.',
    advises: ['deep-links/web-link-is-https'],
  },
  'deep-link-letter-case': {
    section: 'Deep links',
    notShown: 'Letter case in scheme, host and hex digits.',
    weDo: 'Does not judge it; paths and parameter names are read as written.',
  },
  'deep-link-extra-slashes': {
    section: 'Deep links',
    notShown: 'Whether a slash at the end of a path, or a doubled one, is accepted.',
    weDo: 'Reports it as advice.',
    advises: ['deep-links/path-has-no-extra-slash'],
  },
  'deep-link-other-parameters': {
    section: 'Deep links',
    notShown: 'How undocumented parameters and a part after # are treated.',
    weDo: 'Ignores them, unless they contain a secret or seem to be the end of a truncated value.',
    advises: ['deep-links/value-is-not-cut', 'deep-links/has-no-parameter-for-a-credential'],
  },
  'deep-link-characters': {
    section: 'Deep links',
    notShown: 'The character set of percent-encoded values, and which characters may stay unencoded.',
    weDo: 'Writes UTF-8, as in RFC 3986, and reports other character sets as advice; accepts every character that RFC 3986 allows in a query, and unnecessary encoding.',
    advises: ['deep-links/encoded-bytes-are-utf-8'],
  },
  'deep-link-several-parameters': {
    section: 'Deep links',
    notShown: 'Which parameter is used when a link has more than one for a project or number.',
    weDo: 'Reports more than one as advice.',
    advises: ['deep-links/names-one-project', 'deep-links/names-one-number'],
  },
  'deep-link-id-range': {
    section: 'Deep links',
    notShown: 'The range of a project id.',
    weDo: 'Accepts any whole number, also with leading zeros or a minus sign.',
  },
  'deep-link-number-form': {
    section: 'Deep links',
    notShown: 'The form of a phone number in a link: international or national, separators, extensions, its length.',
    weDo: 'Accepts any; reports as advice a number with fewer than 7 digits, or one not in international form (at most 15 digits as in E.164, with the usual separators and an extension). Links that we build have a plus sign and digits only.',
    advises: ['deep-links/number-is-international', 'deep-links/number-is-long-enough'],
  },
} as const satisfies Record<string, Assumption>;
