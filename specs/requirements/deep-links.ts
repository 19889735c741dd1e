import type { Requirement } from './requirement.ts';

/** Requirements that a link must meet to open anything. */
const addresses = {
  'deep-links/is-a-whole-address': {
    section: 'Deep links',
    level: 'must',
    statement: 'A deep link is a complete address: the app address with its host, or the app scheme svc.',
    remediation:
      'Put the app address (https:// and its host) or svc:// in front of open/…, and fill in every template variable. A path alone opens nothing outside the app.',
  },
  'deep-links/web-link-is-https': {
    section: 'Deep links',
    level: 'advice',
    statement:
      'A web link begins with https. The interface writes the app address without its scheme, so http on another machine is reported as advice.',
    remediation: 'Write https:// in front of the host; phones open only https links in an installed app.',
  },
  'deep-links/web-link-has-a-documented-path': {
    section: 'Deep links',
    level: 'must',
    statement: 'The path of a web link ends in open/project or open/dial, in lower case.',
    remediation:
      'Join the app address, /open/project or /open/dial and the query, with nothing between them and without a # before the path.',
  },
  'deep-links/app-link-has-a-documented-path': {
    section: 'Deep links',
    level: 'must',
    statement: 'A link of the app scheme is svc://open/project or svc://open/dial with its query.',
    remediation: 'Begin with svc://open/ with two slashes and no other host: open takes the place of a host.',
  },
  'deep-links/path-has-no-extra-slash': {
    section: 'Deep links',
    level: 'advice',
    statement: 'The path has neither a doubled slash nor one at its end, as the documented paths have none.',
    remediation:
      'Remove the slash at the end of the configured app address before you append /open/…, and write the ? directly after the path.',
  },
  'deep-links/carries-no-secret': {
    section: 'Authentication',
    level: 'should',
    statement: 'A link contains no API key, secret or password: access follows the person who is signed in.',
    remediation:
      'Remove the key from the link and replace it at once, since links end up in histories, mails and logs.',
  },
  'deep-links/has-no-parameter-for-a-credential': {
    section: 'Authentication',
    level: 'advice',
    statement: 'No parameter of a link is named like a credential, since a link needs none.',
    remediation: 'Omit parameters such as token or apiKey; the app does not read them and others may.',
  },
} as const satisfies Record<`deep-links/${string}`, Requirement>;

/** Targets of links. */
const names = {
  'deep-links/names-a-project': {
    section: 'Deep links',
    level: 'must',
    statement: 'A project link names its project by id, crmId or crmContactId, spelt exactly so.',
    remediation:
      'Name the parameter id for svcProjectId, crmId for your case number, or crmContactId for your customer number. The names of the fields are not those of the parameters.',
  },
  'deep-links/names-one-project': {
    section: 'Deep links',
    level: 'advice',
    statement:
      'A project link has exactly one of id, crmId and crmContactId, and has it once. The interface shows one and does not say which counts when there are more.',
    remediation:
      'Choose one way: id when you know svcProjectId, else crmId, else crmContactId, and omit the others, also empty ones.',
  },
  'deep-links/names-a-number': {
    section: 'Deep links',
    level: 'must',
    statement: 'A dial link has the parameter number, spelt exactly so.',
    remediation: 'Name the parameter number; phone, tel or phoneNumber is not read.',
  },
  'deep-links/names-one-number': {
    section: 'Deep links',
    level: 'advice',
    statement:
      'A dial link has the parameter number once. The interface shows one and does not say which counts when there are more.',
    remediation: 'Make a separate link for each number of a customer.',
  },
  'deep-links/value-is-not-empty': {
    section: 'Deep links',
    level: 'must',
    statement: 'The parameter that names a project or number has a value; one with a value is enough.',
    remediation: 'Show no link while you have no value for it, rather than one with an empty parameter.',
  },
  'deep-links/id-is-a-whole-number': {
    section: 'CRM webhook: projectData',
    level: 'must',
    statement: 'The value of id is a whole number, as svcProjectId is one.',
    remediation:
      'Pass svcProjectId in plain digits, without separators or decimals. Your own case number goes into crmId.',
  },
  'deep-links/number-is-international': {
    section: 'Contact (API)',
    level: 'advice',
    statement:
      'The number of a dial link is in international form: a plus sign, the country code, the number, in at most 15 digits. The interface asks for that form at the API only.',
    remediation:
      'Store numbers with their country code, and write %2B in front of the code. Replace a leading 00 with %2B, and a national 0 with %2B and the country code. Omit tel:.',
  },
  'deep-links/number-is-long-enough': {
    section: 'Contact (API)',
    level: 'advice',
    statement: 'The number of a dial link has at least 7 digits; a shorter one was probably cut.',
    remediation: 'Find where the number is cut: at a separator, by the width of a column, or to an extension alone.',
  },
  'deep-links/value-is-filled-in': {
    section: 'Deep links',
    level: 'advice',
    statement: 'A case or customer number is a value rather than the remains of an unfilled template.',
    remediation:
      'Show no link while the value is missing; null, undefined or the name of a template variable is found in no inbox.',
  },
  'deep-links/names-what-the-service-knows': {
    section: 'Deep links',
    level: 'must',
    statement: 'The project, case or customer that a link names is one that the service knows.',
    remediation:
      'Use svcProjectId as you received it, and for crmId and crmContactId exactly the strings that you sent as crmProjectId and crmContactId in answers to the CRM webhook.',
    unobservable: 'only a user who is signed in to the app sees the target of a link',
  },
} as const satisfies Record<`deep-links/${string}`, Requirement>;

/** Encoding of values. */
const encoding = {
  'deep-links/plus-is-encoded': {
    section: 'Deep links',
    level: 'must',
    statement: 'A value contains no unencoded plus sign: a plus sign is written %2B, and a space never as a plus.',
    remediation:
      'Encode values by percent encoding (encodeURIComponent, rawurlencode, Uri.EscapeDataString, quote). Form encoders (URLSearchParams, urlencode, URLEncoder, quote_plus) write spaces as plus signs: replace them by %20.',
  },
  'deep-links/slash-is-encoded': {
    section: 'Deep links',
    level: 'must',
    statement: 'A slash in a value is written %2F.',
    remediation:
      'Encode the value as a component, so that the slash is encoded too: in Python quote(value, safe=""), in JavaScript encodeURIComponent rather than encodeURI.',
  },
  'deep-links/space-is-encoded': {
    section: 'Deep links',
    level: 'must',
    statement: 'A space in a value is written %20.',
    remediation:
      'Encode the value before it goes into the link; a mail or chat program ends a link at its first space.',
  },
  'deep-links/percent-is-encoded': {
    section: 'Deep links',
    level: 'must',
    statement:
      'Each percent sign in a value begins an encoded byte of two hex digits; one that belongs to the value itself is %25.',
    remediation:
      'Encode each value once with a library function rather than by replacing single characters, and do not use escape(), which writes %u and four digits.',
  },
  'deep-links/non-ascii-is-encoded': {
    section: 'Deep links',
    level: 'must',
    statement: 'A letter beyond ASCII, such as an umlaut, is percent-encoded in a value.',
    remediation:
      'Encode the value with a library function; do not leave it to the browser or mail program, which may take another character set.',
  },
  'deep-links/encoded-bytes-are-utf-8': {
    section: 'Deep links',
    level: 'advice',
    statement:
      'The percent-encoded bytes of a value are UTF-8: ü is %C3%BC and not %FC. The interface does not name a character set.',
    remediation:
      'Configure the encoding function to use UTF-8, or convert the string to UTF-8 before its bytes are encoded; a default of Latin-1 or Windows-1252 is common.',
  },
  'deep-links/other-characters-are-encoded': {
    section: 'Deep links',
    level: 'must',
    statement: String.raw`Control characters and " < > [ ] \ ^ { | } and the back-tick, which no query may contain, are percent-encoded in a value.`,
    remediation:
      'Encode every character of a value but letters, digits and - . _ ~ ; where a brace is left over, a template variable was not filled in.',
  },
  'deep-links/number-is-encoded-once': {
    section: 'Deep links',
    level: 'must',
    statement: 'The number of a dial link is percent-encoded once: %2B, not %252B.',
    remediation: 'Encode in one place only: either you encode the value, or the function that builds the query does.',
  },
  'deep-links/value-is-encoded-once': {
    section: 'Deep links',
    level: 'advice',
    statement: 'A case or customer number does not look as if it had been percent-encoded twice.',
    remediation:
      'Encode in one place only. If the number itself contains an encoded character such as %2F, ignore this.',
  },
  'deep-links/value-is-not-cut': {
    section: 'Deep links',
    level: 'advice',
    statement: 'No & or # cuts a case or customer number short: in a value they are written %26 and %23.',
    remediation:
      'Encode the value as a component, so that & and # are encoded too: encodeURIComponent rather than encodeURI.',
  },
} as const satisfies Record<`deep-links/${string}`, Requirement>;

/** Requirements on the links that an integrator shows or sends. */
export const deepLinks = { ...addresses, ...names, ...encoding };

/** Id of a requirement about deep links. */
export type DeepLinkRequirement = keyof typeof deepLinks;
