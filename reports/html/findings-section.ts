import type { Level, Report } from '../../specs/types.ts';
import { blockedGroups } from '../findings.ts';
import { sameCauses } from '../same-cause.ts';
import { isExcused, standingFindings } from '../standing.ts';
import type { StandingFinding } from '../standing.ts';
import { blockedCard, findingCard } from './finding-card.ts';
import type { CardContext } from './finding-card.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** So many findings stand open; beyond it only as many as one mends first. What is excused is folded. */
const openUpTo = 4;
const openOfMany = 2;

/** What to mend, first things first: what fails the run, what was blocked, what is excused, warnings, advice. */
export function findingsSection(report: Report, context: CardContext): Markup {
  const causeOf = sameCauses(report);
  const groups = blockedGroups(report);
  const found = standingFindings(report);
  const toMend = found.filter(({ standing }) => !isExcused(standing));
  const opened = new Set(toMend.slice(0, toMend.length <= openUpTo ? openUpTo : openOfMany));
  const cards = (isMeant: (one: StandingFinding) => boolean) =>
    found.filter(isMeant).map((one) => findingCard(one.finding, context, causeOf(one.finding), opened.has(one)));
  const failing = (level: Level) =>
    cards(({ standing, finding }) => standing === 'fail' && finding.requirement.level === level);
  const blocked = groups.map((group) => {
    const [first] = group.findings;
    const cause = first && causeOf(first);
    return group.findings.length === 1 && first
      ? findingCard(first, context, cause, true)
      : blockedCard(group, context, cause);
  });
  const parts = [
    part('Musts that do not hold', failing('must')),
    part('Shoulds that do not hold', failing('should')),
    part('Could not be judged', blocked, groups.flatMap(({ findings }) => findings).length),
    part(
      'Excused: what does not hold, and fails nothing',
      cards(({ standing }) => isExcused(standing)),
    ),
    part(
      'Warnings',
      cards(({ standing }) => standing === 'warn'),
    ),
    part(
      'Advice',
      cards(({ standing }) => standing === 'advice'),
    ),
  ];
  const isClean = parts.every((one) => one === undefined);
  return html`<section id="mend" aria-labelledby="mend-title">
    <h2 id="mend-title">What to mend</h2>
    ${isClean ? html`<p>Nothing that was seen needs mending.</p>` : parts}
  </section>`;
}

function part(title: string, articles: readonly Markup[], count = articles.length): Markup | undefined {
  return articles.length === 0
    ? undefined
    : html`<h3>${title} <span class="count">${count}</span></h3>
        ${articles}`;
}
