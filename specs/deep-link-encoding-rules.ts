import { percentDecode, percentEncode } from './deep-link.ts';
import { truncateLink, valueRule, type LinkJudgement, type LinkRule } from './deep-link-rules.ts';
import type { LinkValue, ReadLink } from './read-deep-link.ts';
import type { DeepLinkRequirement } from './requirements/deep-links.ts';

/** Parameters whose values may need encoding; an id has only digits. */
const textParameters = ['crmId', 'crmContactId', 'number'] as const;
/** Parameters whose values are any string. In a number every other fault is reported as not a number. */
const crmParameters = ['crmId', 'crmContactId'] as const;

/** One way to encode a value incorrectly. */
interface EncodingRule {
  requirement: DeepLinkRequirement;
  parameters: readonly string[];
  /** Subject of the rule, to be read before the parameter's name: `a slash in`. */
  subject: string;
  /** To be read after the name: `is written %2F`. */
  title: string;
  /** Pattern that a value must contain to exercise the rule. */
  needs: string;
  /** Whether it is present, encoded correctly or not. */
  isThere: (value: LinkValue, link: ReadLink) => boolean;
  /** Describes the received value if it violates the rule. */
  wrong: (value: LinkValue, link: ReadLink) => string | undefined;
  expected: string;
  hint?: string;
}

/** No query may contain these (RFC 3986, 3.4). A blank has a separate rule. */
// eslint-disable-next-line no-control-regex -- control characters are among what it looks for
const foreign = /[\u0000-\u001f\u007f"<>[\]\\^`{|}]/;
const nonAscii = /[^\p{ASCII}]/u;
const encodedNonAscii = /%[89a-f][0-9a-f]/i;

const encodings: readonly EncodingRule[] = [
  {
    requirement: 'deep-links/plus-is-encoded',
    parameters: textParameters,
    subject: 'a plus sign in',
    title: 'is written %2B and does not mean a space',
    needs: 'a plus sign',
    isThere: ({ raw }) => /\+|%2b/i.test(raw),
    wrong: (value) => rawIn(value, '+', 'a plus sign'),
    expected: '%2B for a plus sign and %20 for a space',
    hint: 'Some programs read an unencoded plus sign as a space, others as a plus sign.',
  },
  {
    requirement: 'deep-links/slash-is-encoded',
    parameters: textParameters,
    subject: 'a slash in',
    title: 'is written %2F',
    needs: 'a slash',
    isThere: ({ raw }) => /\/|%2f/i.test(raw),
    wrong: (value) => rawIn(value, '/', 'a slash'),
    expected: '%2F for a slash',
  },
  {
    requirement: 'deep-links/space-is-encoded',
    parameters: textParameters,
    subject: 'a space in',
    title: 'is written %20',
    needs: 'a space',
    isThere: ({ raw }) => / |%20/.test(raw),
    wrong: (value) => rawIn(value, ' ', 'a space'),
    expected: '%20 for a space',
  },
  {
    requirement: 'deep-links/percent-is-encoded',
    parameters: crmParameters,
    subject: 'a percent sign in',
    title: 'begins an encoded byte, or is written %25',
    needs: 'a percent sign',
    isThere: ({ raw }) => raw.includes('%'),
    wrong: (value) => {
      const [broken] = value.decoded.brokenPercents;
      return broken === undefined ? undefined : inValue(`${JSON.stringify(broken)}, no encoded byte,`, value);
    },
    expected: '%25 for a percent sign',
  },
  {
    requirement: 'deep-links/non-ascii-is-encoded',
    parameters: textParameters,
    subject: 'a character beyond ASCII in',
    title: 'is percent-encoded',
    needs: 'a character beyond ASCII',
    isThere: ({ raw }) => nonAscii.test(raw) || encodedNonAscii.test(raw),
    wrong: (value) => {
      const [found] = nonAscii.exec(value.raw) ?? [];
      return found === undefined ? undefined : inValue(`${JSON.stringify(found)} without encoding`, value);
    },
    expected: 'percent encoding of every character beyond ASCII',
  },
  {
    requirement: 'deep-links/encoded-bytes-are-utf-8',
    parameters: textParameters,
    subject: 'a percent-encoded character beyond ASCII in',
    title: 'is UTF-8',
    needs: 'a percent-encoded character beyond ASCII',
    isThere: ({ raw }) => encodedNonAscii.test(raw),
    wrong: (value) =>
      value.decoded.isUtf8 ? undefined : inValue(`${truncateLink(badBytes(value.raw))}, which is no UTF-8,`, value),
    expected: 'the bytes of UTF-8, percent-encoded',
    hint: 'These are the bytes of another character set, mostly Latin-1 or Windows-1252.',
  },
  {
    requirement: 'deep-links/other-characters-are-encoded',
    parameters: crmParameters,
    subject: 'a character in',
    title: 'that no query may hold is percent-encoded',
    needs: 'a character that no query may hold',
    isThere: ({ raw, decoded }) => foreign.test(raw) || foreign.test(decoded.text),
    wrong: (value) => {
      const [found] = foreign.exec(value.raw) ?? [];
      return found === undefined ? undefined : inValue(`${JSON.stringify(found)} without encoding`, value);
    },
    expected: 'percent encoding of every character that no query may hold',
  },
  {
    requirement: 'deep-links/number-is-encoded-once',
    parameters: ['number'],
    subject: 'the value of',
    title: 'is percent-encoded once',
    needs: 'a percent-encoded value',
    isThere: ({ raw }) => /%[0-9a-f]{2}/i.test(raw),
    // No phone number contains a percent sign, so one that is left after decoding is a second encoding.
    wrong: (value) =>
      /%[0-9a-f]{2}/i.test(value.decoded.text) ? `${inValue('two', value)}${onceDecoded(value)}` : undefined,
    expected: 'one percent encoding',
  },
  {
    requirement: 'deep-links/value-is-encoded-once',
    parameters: crmParameters,
    subject: 'the value of',
    title: 'looks percent-encoded once',
    needs: 'a percent-encoded value',
    isThere: ({ raw }) => /%[0-9a-f]{2}/i.test(raw),
    // Such a case number may exist, so this is never more than advice.
    wrong: (value) =>
      encodesMore(value.decoded.text) ? `${inValue('what looks like two', value)}${onceDecoded(value)}` : undefined,
    expected: 'one percent encoding',
  },
  {
    requirement: 'deep-links/value-is-not-cut',
    parameters: crmParameters,
    subject: 'the value of',
    title: 'is not cut by & or #',
    needs: 'an & or #',
    isThere: ({ raw }, link) => /%2[36]/.test(raw) || restBehind(link) !== undefined,
    wrong: ({ name, raw }, link) => {
      const rest = restBehind(link);
      return rest === undefined
        ? undefined
        : `${JSON.stringify(truncateLink(rest))} behind ${name}=${truncateLink(raw)}`;
    },
    expected: '%26 for & and %23 for # in a value',
    hint: 'What follows & or # does not belong to the value. Where it is meant as something else, this can be ignored.',
  },
];

/** Rules about how values are written: one for each parameter that they are about. */
export const encodingRules: readonly LinkRule[] = encodings.flatMap((encoding) =>
  encoding.parameters.map((parameter) => ruleOf(encoding, parameter)),
);

function ruleOf(encoding: EncodingRule, parameter: string): LinkRule {
  const { requirement, subject, title, needs, isThere, wrong, expected, hint } = encoding;
  return valueRule(parameter, {
    requirement,
    title: `${subject} ${parameter} ${title}`,
    needs: `a link with ${needs} in ${parameter}`,
    judge: (value, link): LinkJudgement => {
      if (!isThere(value, link)) return 'nothing';
      const received = wrong(value, link);
      return received === undefined || { expected, received, ...(hint !== undefined && { hint }) };
    },
  });
}

function rawIn(value: LinkValue, character: string, name: string): string | undefined {
  return value.raw.includes(character) ? inValue(`${name} without encoding`, value) : undefined;
}

function inValue(found: string, { name, raw }: LinkValue): string {
  return `${found} in ${name}=${truncateLink(raw)}`;
}

function onceDecoded({ decoded }: LinkValue): string {
  return `, which decoded once is ${truncateLink(decoded.text)}`;
}

/** Whether the string still contains percent encoding of a character that has to be encoded: it was encoded twice. */
function encodesMore(text: string): boolean {
  return [...text.matchAll(/(?:%[0-9a-f]{2})+/gi)].some(([run]) => {
    const { text: decoded } = percentDecode(run);
    return [...decoded].some((character) => percentEncode(character) !== character);
  });
}

/** The rest after an `&` or `#` that looks like the end of the value rather than a parameter. */
function restBehind({ parts, values, fragment }: ReadLink): string | undefined {
  const from = parts.findIndex((part) => values.some(({ name }) => name === part.name));
  const rest = parts.slice(from + 1).find(({ value }) => value === undefined);
  if (rest !== undefined) return `&${rest.raw}`;
  return fragment === undefined || fragment === '' ? undefined : `#${fragment}`;
}

function badBytes(raw: string): string {
  const runs = raw.match(/(?:%[0-9a-f]{2})+/gi) ?? [];
  return runs.find((run) => !percentDecode(run).isUtf8) ?? '';
}
