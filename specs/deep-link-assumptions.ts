import type { Assumption } from './assumption.ts';

/** What the interface leaves open about deep links. */
export const deepLinkAssumptions = {
  'deep-link-app-address': {
    section: 'Deep links',
    notShown: 'The scheme of the app address, and whether it has a port or a path.',
    weDo: 'Takes any host with any port and path before /open; http on another machine warns.',
  },
  'deep-link-letter-case': {
    section: 'Deep links',
    notShown: 'Letter case in scheme, host and hex digits.',
    weDo: 'Does not look at it; paths and parameter names are taken as they are written.',
  },
  'deep-link-extra-slashes': {
    section: 'Deep links',
    notShown: 'Whether a slash at the end of a path, or a doubled one, is taken.',
    weDo: 'Tells of it as advice.',
  },
  'deep-link-other-parameters': {
    section: 'Deep links',
    notShown: 'What becomes of parameters that are not documented, and of a part after #.',
    weDo: 'Ignores them, unless they hold a secret or seem to be the end of a value that was cut.',
  },
  'deep-link-characters': {
    section: 'Deep links',
    notShown: 'The character set of percent-encoded values, and which characters may stay as they are.',
    weDo: 'Takes UTF-8, as RFC 3986 has it, with whatever else RFC 3986 lets stand in a query; more encoding than needed is fine.',
  },
  'deep-link-id-range': {
    section: 'Deep links',
    notShown: 'The range of a project id.',
    weDo: 'Takes any whole number, with leading zeros or a minus sign as well.',
  },
  'deep-link-number-form': {
    section: 'Deep links',
    notShown: 'Separators and extensions in a phone number, and how short a number can be.',
    weDo: 'Takes usual separators and an extension and at most 15 digits, as E.164 has it; fewer than 7 digits are told as advice. Links that are built have plus and digits only.',
  },
} as const satisfies Record<string, Assumption>;
