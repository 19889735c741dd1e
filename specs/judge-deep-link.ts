import { deepLinkForms, internationalNumber, isThisMachine, percentEncode, probableNumber } from './deep-link.ts';
import type { LinkFault } from './deep-link.ts';
import { encodingRules } from './deep-link-encoding-rules.ts';
import { addressRules, intendedParameter, namingRules, intendedNumber, type LinkRule } from './deep-link-rules.ts';
import { credentialNames, hideSecrets, secretIn } from './link-secrets.ts';
import { probableTarget, readDeepLink, type LinkPart, type ReadLink } from './read-deep-link.ts';
import { deepLinks, type DeepLinkRequirement } from './requirements/deep-links.ts';
import type { Level } from './generated/types.ts';

/** A rule that a link violates. Its strings contain no secret of the link. */
export interface LinkFinding extends LinkFault {
  requirement: DeepLinkRequirement;
  level: Level;
  /** The corrected link, if unambiguous. */
  right?: string;
}

/** Every rule about deep links, in the order of the catalogue. */
export const linkRules: readonly LinkRule[] = [...addressRules, ...namingRules, ...encodingRules];

/** The findings about a link; empty for a valid one. Accepts any string. Section: Deep links. */
export function judgeDeepLink(text: string): LinkFinding[] {
  const link = readDeepLink(text);
  return linkRules.flatMap((rule) => findingOf(rule, link) ?? []);
}

/** The finding of one rule about a link; `undefined` when it is met or does not apply. */
export function findingOf(rule: LinkRule, link: ReadLink): LinkFinding | undefined {
  const judgement = rule.judge(link);
  if (typeof judgement !== 'object') return undefined;
  const { expected, received, hint } = judgement;
  const right = correctedLink(link);
  return {
    requirement: rule.requirement,
    level: deepLinks[rule.requirement].level,
    expected,
    received: hideSecrets(received),
    ...(hint !== undefined && { hint }),
    ...(right !== undefined && { right }),
  };
}

/**
 * The link with every fault corrected that has one valid form; `undefined` where there is none or the link is valid. A
 * link that would still break a must or a should is not returned.
 */
export function correctedLink(link: ReadLink): string | undefined {
  const right = repaired(link);
  if (right === undefined || right === link.text || hideSecrets(right) !== right) return undefined;
  const again = readDeepLink(right);
  const isRight = linkRules.every((rule) => {
    const judgement = rule.judge(again);
    return typeof judgement !== 'object' || deepLinks[rule.requirement].level === 'advice';
  });
  return isRight ? right : undefined;
}

function repaired(link: ReadLink): string | undefined {
  const opens = link.opens ?? probableTarget(link);
  if (link.kind === 'none' || opens === undefined) return undefined;
  const parts = keptParts(link).map((part) => rightPart(part, opens, link));
  if (!parts.every((part) => part !== undefined)) return undefined;
  const fragment = link.fragment === undefined || secretIn(link.fragment) !== undefined ? '' : `#${link.fragment}`;
  return `${rightAddress(link, opens)}?${parts.join('&')}${fragment}`;
}

/**
 * Without credentials, without the second of two equal parts, and without an empty parameter next to one that names
 * the same.
 */
function keptParts({ parts, values }: ReadLink): LinkPart[] {
  const isNamed = values.some(({ raw }) => raw !== '');
  const unique = new Map(parts.map((part) => [part.raw, part]));
  return [...unique.values()]
    .filter(({ raw }) => secretIn(raw) === undefined && credentialNames(raw).length === 0)
    .filter((part) => !isNamed || (part.value ?? '') !== '' || !values.some(({ name }) => name === part.name));
}

function rightAddress({ kind, scheme, authority, path }: ReadLink, opens: 'project' | 'dial'): string {
  const documented = Object.values(deepLinkForms).find((form) => form.opens === opens)?.path ?? '';
  if (kind === 'app') return `${scheme}://${documented}`;
  const host = authority.replace(/^.*@/, '');
  const isOpen = scheme === 'http' && isThisMachine(host.replace(/:\d*$/, ''));
  const before = path
    .split('/')
    .filter((segment) => segment !== '')
    .slice(0, -2);
  return [`${isOpen ? 'http' : 'https'}://${host}`, ...before, documented].join('/');
}

/** The corrected part; `undefined` if its value is ambiguous. */
function rightPart(part: LinkPart, opens: 'project' | 'dial', link: ReadLink): string | undefined {
  const own = readDeepLink(`svc://open/${opens}?${part.raw}`).values[0];
  const renamed = own || link.values.length > 0 ? undefined : intendedParameter(part.name, opens);
  if (renamed !== undefined)
    return rightPart({ ...part, name: renamed, raw: `${renamed}=${part.value ?? ''}` }, opens, link);
  // A separate part that is not a documented one stays unchanged.
  if (!own) return part.raw;
  const { name, raw, decoded } = own;
  if (name === 'number') {
    const meant = intendedNumber(own);
    const plain = internationalNumber(meant)?.plain ?? probableNumber(meant);
    return plain === undefined ? undefined : `number=${percentEncode(plain)}`;
  }
  const isEscaped = decoded.brokenPercents.some((broken) => /^%u[0-9a-f]{4}/i.test(broken));
  const isPlain = !raw.includes('+') && decoded.isUtf8 && !isEscaped && decoded.text.isWellFormed();
  return isPlain ? `${name}=${percentEncode(decoded.text)}` : undefined;
}
