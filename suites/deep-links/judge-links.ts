import type { CheckKit } from '../../harness/checks/check.ts';
import { currentRecord } from '../../harness/checks/check-record.ts';
import type { LinkList } from '../../harness/client/deep-links.ts';
import { FindingError } from '../../harness/checks/finding.ts';
import { Brand } from '../../specs/brand.ts';
import type { LinkRule } from '../../specs/deep-link-rules.ts';
import { truncateLink } from '../../specs/deep-link-rules.ts';
import { findingOf } from '../../specs/judge-deep-link.ts';
import { readDeepLink, type ReadLink } from '../../specs/read-deep-link.ts';

/** Lines that a message lists in addition to the one that it shows. */
const namedLines = 8;
/** Characters of a corrected link that a hint shows; part of one would be of no use. */
const shownRightCharacters = 400;

interface NumberedLink {
  line: number;
  link: ReadLink;
}

const read = new WeakMap<LinkList, NumberedLink[]>();

/**
 * Judges every listed link by one rule and reports all lines that break it, the first one in full. Not exercised when
 * the rule applies to no link. A link is data, not an exchange, so the message is the only evidence.
 */
export function judgeLinks(
  { links, settings, notExercised }: Pick<CheckKit, 'links' | 'settings' | 'notExercised'>,
  rule: LinkRule,
): void {
  const record = currentRecord();
  const brand = Brand.named(settings.config.brand);
  const faulty: NumberedLink[] = [];
  let judged = 0;
  for (const one of everyLink(links, brand)) {
    const judgement = rule.judge(one.link);
    if (judgement === 'nothing') continue;
    judged++;
    if (judgement !== true) faulty.push(one);
  }
  if (judged === 0) notExercised(`${links.file} does not list ${rule.needs}.`);
  if (record) record.judged += judged;
  const [first, ...others] = faulty;
  const finding = first && findingOf(rule, first.link);
  if (!finding) return;
  const { expected, received, hint, right } = finding;
  const hints = [hint, right !== undefined && right.length <= shownRightCharacters && `Write ${right}`];
  throw new FindingError({
    expected,
    received: `${received}, in line ${first.line} of ${links.file}: ${truncateLink(first.link.text)}${likewise(others)}`,
    hint: hints.filter((text) => typeof text === 'string').join(' ') || undefined,
  });
}

/** The links with the names and the beginning of API keys in the spelling of the document. */
function everyLink(links: LinkList, brand: Brand): NumberedLink[] {
  let all = read.get(links);
  if (!all)
    read.set(links, (all = links.links.map(({ line, text }) => ({ line, link: readDeepLink(brand.text(text)) }))));
  return all;
}

function likewise(others: readonly NumberedLink[]): string {
  if (others.length === 0) return '';
  const named = others.slice(0, namedLines).map(({ line }) => line);
  const rest = others.length - named.length;
  const lines = rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ');
  return ` (likewise line${others.length === 1 ? '' : 's'} ${lines})`;
}
