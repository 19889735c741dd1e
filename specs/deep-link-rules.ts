import {
  deepLinkFormNames,
  deepLinkForms,
  fewestPhoneDigits,
  internationalNumber,
  isThisMachine,
  isWholeNumber,
  mostPhoneDigits,
  percentDecode,
  type LinkFault,
} from './deep-link.ts';
import { credentialNames, hideSecrets, secretIn } from './link-secrets.ts';
import type { LinkValue, ReadLink } from './read-deep-link.ts';
import type { DeepLinkRequirement } from './requirements/deep-links.ts';

/** Verdict of one rule on one link: met (`true`), a finding, or `nothing` where the rule does not apply. */
export type LinkJudgement = true | 'nothing' | LinkFault;

/** One rule about deep links. */
export interface LinkRule {
  requirement: DeepLinkRequirement;
  /** Reads as the required behaviour; no two rules of a requirement have the same. */
  title: string;
  /** The kind of link that the rule needs: `a web link`. */
  needs: string;
  judge: (link: ReadLink) => LinkJudgement;
}

/** A rule about the values of one parameter: the first fault counts. */
export function valueRule(
  parameter: string,
  { judge, ...rule }: Omit<LinkRule, 'judge'> & { judge: (value: LinkValue, link: ReadLink) => LinkJudgement },
): LinkRule {
  return {
    ...rule,
    judge: (link) => {
      const judgements = link.values.filter(({ name }) => name === parameter).map((value) => judge(value, link));
      const fault = judgements.find((one) => typeof one === 'object');
      return fault ?? (judgements.includes(true) ? true : 'nothing');
    },
  };
}

/** Characters of an invalid link that a message shows. */
const shownOfStranger = 40;

const documentedPaths = 'open/project or open/dial';

/** Rules about address and path, and about content that a link must not have. */
export const addressRules: readonly LinkRule[] = [
  {
    requirement: 'deep-links/is-a-whole-address',
    title: 'a link is a web address or has the app scheme',
    needs: 'a link',
    judge: ({ kind, text }) =>
      kind !== 'none' || {
        expected: 'a link that begins with https:// and a host, or with svc://',
        received:
          text === '' ? 'nothing' : `one that begins ${JSON.stringify(hideSecrets(text).slice(0, shownOfStranger))}`,
        ...(/^[^?#]*[{}<>$[]/.test(text) && { hint: 'A variable of a template seems not to be filled in.' }),
      },
  },
  {
    requirement: 'deep-links/web-link-is-https',
    title: 'a web link begins with https',
    needs: 'a web link',
    judge: ({ kind, scheme, authority }) => {
      if (kind !== 'web') return 'nothing';
      const host = authority.replace(/^.*@/, '').replace(/:\d*$/, '');
      return scheme === 'https' || isThisMachine(host) || { expected: 'https', received: `http to ${host}` };
    },
  },
  {
    requirement: 'deep-links/web-link-has-a-documented-path',
    title: 'a web link has one of the documented paths',
    needs: 'a web link',
    judge: (link) => (link.kind === 'web' ? pathJudgement(link, documentedPaths) : 'nothing'),
  },
  {
    requirement: 'deep-links/app-link-has-a-documented-path',
    title: 'a link of the app scheme is svc://open/project or svc://open/dial',
    needs: 'a link of the app scheme (svc://)',
    judge: (link) => (link.kind === 'app' ? pathJudgement(link, `${documentedPaths} right after svc://`) : 'nothing'),
  },
  {
    requirement: 'deep-links/path-has-no-extra-slash',
    title: 'a path has no doubled slash and none at its end',
    needs: `a link to ${documentedPaths}`,
    judge: ({ opens, path }) => {
      if (opens === undefined) return 'nothing';
      return (
        !/\/\/|\/$/.test(path) || { expected: 'a path without empty parts', received: `the path ${truncateLink(path)}` }
      );
    },
  },
  {
    requirement: 'deep-links/carries-no-secret',
    title: 'a link holds no API key, secret or password',
    needs: 'a link',
    judge: ({ text }) => {
      const received = secretIn(text);
      return received === undefined || { expected: 'a link without any key', received };
    },
  },
  {
    requirement: 'deep-links/has-no-parameter-for-a-credential',
    title: 'a link has no parameter that is named like a credential',
    needs: `a link to ${documentedPaths}`,
    judge: ({ text, opens }) => {
      if (opens === undefined) return 'nothing';
      const [name] = credentialNames(text);
      return name === undefined || { expected: 'no parameter for a credential', received: `one named ${name}` };
    },
  },
];

function pathJudgement({ opens, path, kind, fragment = '' }: ReadLink, expected: string): LinkJudgement {
  if (opens !== undefined) return true;
  const received = `the path ${path === '' ? '(none)' : truncateLink(path)}`;
  const isBehindHash = /(?:^|\/)open\/(?:project|dial)/i.test(fragment);
  return {
    expected: `the path ${expected}`,
    received,
    ...(isBehindHash && { hint: 'The path comes after a #, where it is not part of the path.' }),
    ...(kind === 'app' &&
      /.\/+open\//i.test(path) && { hint: 'A link of the app scheme has no host: open follows svc:// at once.' }),
  };
}

/** Rules about what a link opens. */
export const namingRules: readonly LinkRule[] = [
  {
    requirement: 'deep-links/names-a-project',
    title: 'a project link has id, crmId or crmContactId',
    needs: 'a link to open/project',
    judge: (link) => namedJudgement(link, 'project', 'one of the parameters id, crmId and crmContactId'),
  },
  {
    requirement: 'deep-links/names-one-project',
    title: 'a project link has exactly one of id, crmId and crmContactId',
    needs: 'a link to open/project with one of its parameters',
    judge: (link) => onceJudgement(link, 'project', 'one of id, crmId and crmContactId, once'),
  },
  {
    requirement: 'deep-links/names-a-number',
    title: 'a dial link has the parameter number',
    needs: 'a link to open/dial',
    judge: (link) => namedJudgement(link, 'dial', 'the parameter number'),
  },
  {
    requirement: 'deep-links/names-one-number',
    title: 'a dial link has the parameter number once',
    needs: 'a link to open/dial with a number',
    judge: (link) => onceJudgement(link, 'dial', 'number once'),
  },
  ...deepLinkFormNames.map((form): LinkRule => {
    const { parameter } = deepLinkForms[form];
    return valueRule(parameter, {
      requirement: 'deep-links/value-is-not-empty',
      title: `the parameter ${parameter} has a value`,
      needs: `a link with ${parameter}`,
      // Which of several parameters counts is left open, so that an empty one next to a value is not judged here.
      judge: ({ raw }, { values }) => {
        if (raw !== '') return true;
        if (values.some((other) => other.raw !== '')) return 'nothing';
        return { expected: `a value of ${parameter}`, received: 'an empty one' };
      },
    });
  }),
  valueRule('id', {
    requirement: 'deep-links/id-is-a-whole-number',
    title: 'the value of id is a whole number',
    needs: 'a link with id',
    judge: ({ raw, decoded }) => {
      if (raw === '') return 'nothing';
      return (
        isWholeNumber(decoded.text) || {
          expected: 'svcProjectId, a whole number',
          received: `id=${truncateLink(raw)}`,
          hint: 'Your own case number goes into crmId.',
        }
      );
    },
  }),
  valueRule('number', {
    requirement: 'deep-links/number-is-international',
    title: 'the number is in international form',
    needs: 'a link to open/dial with a number',
    judge: (value) => {
      if (value.raw === '') return 'nothing';
      return (
        internationalNumber(intendedNumber(value)) !== undefined || {
          expected: `a number in international form, %2B and at most ${mostPhoneDigits} digits`,
          received: `number=${truncateLink(value.raw)}`,
        }
      );
    },
  }),
  valueRule('number', {
    requirement: 'deep-links/number-is-long-enough',
    title: 'the number has at least seven digits',
    needs: 'a link to open/dial with a number in international form',
    judge: (value) => {
      const { digits } = internationalNumber(intendedNumber(value)) ?? {};
      if (digits === undefined) return 'nothing';
      return digits >= fewestPhoneDigits || { expected: `${fewestPhoneDigits} digits or more`, received: `${digits}` };
    },
  }),
  ...(['crmId', 'crmContactId'] as const).map((parameter) =>
    valueRule(parameter, {
      requirement: 'deep-links/value-is-filled-in',
      title: `the value of ${parameter} is not a left-over of a template`,
      needs: `a link with ${parameter}`,
      judge: ({ raw, decoded }) => {
        if (raw === '') return 'nothing';
        return !leftOver.test(decoded.text) || { expected: 'a value', received: `${parameter}=${truncateLink(raw)}` };
      },
    }),
  ),
];

/** Placeholders that programs and templates write for a missing value. */
const leftOver = /^(?:null|undefined|none|nil|nan|\[object object\]|%[sd]|\$?\{[^{}]*\}|\{\{[^{}]*\}\}|<[^<>]*>)$/i;

/**
 * The intended number of a value, whatever fault its encoding has (other rules report those): one encoded twice is
 * decoded twice, and plus signs within it and bytes that are not UTF-8 become spaces.
 */
export function intendedNumber({ decoded, raw }: LinkValue): string {
  const plain = raw.replace(/(?!^)\+/g, ' ');
  const once = plain === raw ? decoded : percentDecode(plain);
  return percentDecode(once.isUtf8 ? once.text : once.text.replaceAll('\ufffd', ' ')).text;
}

function namedJudgement(link: ReadLink, opens: 'project' | 'dial', expected: string): LinkJudgement {
  if (link.opens !== opens) return 'nothing';
  if (link.values.length > 0) return true;
  const names = link.parts.map(({ name }) => name);
  const received = names.length === 0 ? 'no parameter' : `only ${truncateLink(names.join(', '))}`;
  const right = names.map((name) => intendedParameter(name, opens)).find((name) => name !== undefined);
  return { expected, received, ...(right !== undefined && { hint: `The parameter is spelt ${right}.` }) };
}

function onceJudgement({ opens, values }: ReadLink, wanted: 'project' | 'dial', expected: string): LinkJudgement {
  if (opens !== wanted || values.length === 0) return 'nothing';
  return values.length === 1 || { expected, received: truncateLink(values.map(({ name }) => name).join(' and ')) };
}

/** Common wrong names of the parameters: the fields of the interface, and other spellings. */
const meantNames: Readonly<Record<'project' | 'dial', Readonly<Record<string, string>>>> = {
  project: {
    id: 'id',
    projectid: 'id',
    svcprojectid: 'id',
    crmid: 'crmId',
    crmprojectid: 'crmId',
    crmcontactid: 'crmContactId',
  },
  dial: { number: 'number', phone: 'number', phonenumber: 'number', tel: 'number' },
};

/** The parameter that a misspelt name means, if unambiguous. */
export function intendedParameter(name: string, opens: 'project' | 'dial'): string | undefined {
  const folded = name.toLowerCase().replace(/[-_]/g, '');
  return Object.hasOwn(meantNames[opens], folded) ? meantNames[opens][folded] : undefined;
}

/** Characters of a link that a message quotes. */
const quotedCharacters = 120;

/** The link without secrets, cut to what a message quotes. */
export function truncateLink(whole: string): string {
  const text = hideSecrets(whole);
  return text.length <= quotedCharacters ? text : `${text.slice(0, quotedCharacters)}…`;
}
