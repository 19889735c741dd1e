import type { Report } from '../../../specs/generated/types.ts';
import { sameCauses } from '../../model/same-cause.ts';
import { findingGroups, runProblems } from '../../model/gate-status.ts';
import type { RunProblem, GatedFinding } from '../../model/gate-status.ts';
import { blockedCard, findingCard } from './finding-card.ts';
import type { CardContext } from './finding-card.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** So many findings stand open; beyond it only as many as one fixes first. What is excused is folded. */
const openUpTo = 4;
const openOfMany = 2;

/** What to fix, first things first: what turns the run red, what is excused, warnings, advice. */
export function findingsSection(report: Report, context: CardContext): Markup {
  const causeOf = sameCauses(report);
  const { fails, blocked, partlyBlocked, excused, warns, advice } = findingGroups(report);
  const problems = runProblems(report);
  const toFix = [...fails, ...warns, ...advice];
  const opened = new Set(toFix.slice(0, toFix.length <= openUpTo ? openUpTo : openOfMany));
  const cards = (findings: readonly GatedFinding[]) =>
    findings.map((one) => findingCard(one.finding, context, { cause: causeOf(one.finding), open: opened.has(one) }));
  const blockedCards = blocked.map((group) => {
    const [first] = group.findings;
    const cause = first && causeOf(first);
    return group.findings.length === 1 && first
      ? findingCard(first, context, { cause, open: true })
      : blockedCard(group, context, cause);
  });
  const partlyBlockedCards = partlyBlocked.map((one) =>
    findingCard(one.finding, context, { cause: causeOf(one.finding), open: true, part: one }),
  );
  const parts = [
    part('What fails the run', cards(fails)),
    part(
      'Could not be judged',
      [...blockedCards, ...partlyBlockedCards],
      blocked.reduce((sum, { findings }) => sum + findings.length, partlyBlocked.length),
    ),
    part(
      'What else keeps the run from passing',
      problems.map((one) => problemCard(one, context)),
    ),
    part('Excused: what does not hold, and fails nothing', cards(excused)),
    part('Warnings', cards(warns)),
    part('Advice', cards(advice)),
  ];
  const isClean = parts.every((one) => one === undefined);
  return html`<section id="fix" aria-labelledby="mend-title">
    <h2 id="mend-title">What to fix</h2>
    ${isClean ? html`<p>Nothing that was seen needs fixing.</p>` : parts}
  </section>`;
}

function problemCard({ about, status, message }: RunProblem, { anchors }: CardContext): Markup {
  return html`<article class="finding ${status}">
    ${about !== 'run' && anchors.requirementLink(about)}
    <p class="says">${message}</p>
  </article>`;
}

function part(title: string, articles: readonly Markup[], count = articles.length): Markup | undefined {
  return articles.length === 0
    ? undefined
    : html`<h3>${title} <span class="count">${count}</span></h3>
        ${articles}`;
}
